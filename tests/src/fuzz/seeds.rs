//! The texts to damage: the project's fixtures, and pieces of other sessions.

use std::path::Path;

use ebbline::SessionText;
use ebbline::json::{Document, Value, lines};

use super::oracle::Target;
use crate::enlarged::fixtures;
use crate::sessions;

/// A longer session is split, because mutations should test its content and not its length.
const LONGEST: usize = 16 * 1024;

/// A longer text inside a session is cut.
const LONGEST_TEXT: usize = 240;

/// One text to damage.
#[derive(Debug)]
pub struct Seed {
    /// Its name, for reports.
    pub name: String,
    /// The text.
    pub text: String,
    /// The format that it is read as; `None` if it is not a session.
    pub format: Option<&'static str>,
}

/// All seeds: the fixtures, and the files below `folder`.
pub fn all(folder: Option<&Path>) -> Vec<Seed> {
    let mut seeds: Vec<Seed> = fixtures()
        .into_iter()
        .filter(|(_, text)| text.len() <= LONGEST)
        .map(|(path, text)| seed(&path, text))
        .collect();
    for path in folder.map(sessions::files).unwrap_or_default() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        seeds.extend(pieces(&text).into_iter().map(|piece| seed(&path, piece)));
    }
    seeds
}

/// The seeds for a target; all of them if the target has no format.
pub fn of(seeds: &[Seed], target: Target) -> Vec<&Seed> {
    let suits = |seed: &&Seed| match target {
        Target::Format(format) => seed.format == Some(format.name()),
        _ => true,
    };
    let own: Vec<&Seed> = seeds.iter().filter(suits).collect();
    // Some formats only occur inside files of others.
    if own.is_empty() { seeds.iter().collect() } else { own }
}

fn seed(path: &Path, text: String) -> Seed {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let format = SessionText::read(&text).ok().map(|session| session.format().name());
    Seed { name, text, format }
}

/// A session as texts of at most [`LONGEST`] bytes with some of its messages each; long texts are cut.
fn pieces(text: &str) -> Vec<String> {
    let text = shortened(text);
    if text.len() <= LONGEST {
        return vec![text];
    }
    let Ok(document) = Document::parse(&text) else {
        let mut pieces = vec![String::new()];
        for line in lines(&text).filter(|line| line.range.len() < LONGEST) {
            let line = text.get(line.range).unwrap_or_default();
            if pieces.last().is_some_and(|piece| piece.len() + line.len() > LONGEST) {
                // Every piece has the header.
                let header = pieces.first().and_then(|piece| piece.lines().next()).unwrap_or_default();
                pieces.push(format!("{header}\n"));
            }
            if let Some(piece) = pieces.last_mut() {
                piece.push_str(line);
                piece.push('\n');
            }
        }
        return pieces;
    };
    let Some(list) = longest_array(document.root()) else { return Vec::new() };
    let (before, after) = (text.get(..=list.span().start), text.get(list.span().end - 1..));
    let frame = before.map_or(0, str::len) + after.map_or(0, str::len);
    let mut pieces: Vec<Vec<&str>> = vec![Vec::new()];
    let mut length = frame;
    for element in list.elements().map(Value::source).filter(|element| element.len() < LONGEST) {
        if length + element.len() > LONGEST {
            pieces.push(Vec::new());
            length = frame;
        }
        length += element.len() + 1;
        pieces.last_mut().unwrap_or(&mut Vec::new()).push(element);
    }
    let whole =
        |piece: Vec<&str>| [before.unwrap_or_default(), &piece.join(","), after.unwrap_or_default()].concat();
    pieces.into_iter().map(whole).filter(|piece| piece.len() < 2 * LONGEST).collect()
}

/// The array with the most bytes that has more than two elements.
fn longest_array(value: Value<'_>) -> Option<Value<'_>> {
    let inner = value.elements().chain(value.members().map(|(_, member)| member));
    let own = Some(value).filter(|value| value.elements().nth(2).is_some());
    own.or_else(|| inner.filter_map(longest_array).max_by_key(|list| list.span().len()))
}

/// The text with its long strings cut.
fn shortened(text: &str) -> String {
    let mut short = String::with_capacity(text.len() / 2);
    let (mut in_string, mut escaped, mut length) = (false, 0_u32, 0);
    for character in text.chars() {
        if !in_string {
            in_string = character == '"';
            length = 0;
            short.push(character);
        } else if escaped == 0 && character == '"' {
            in_string = false;
            short.push(character);
        } else {
            let begins_escape = escaped == 0 && character == '\\';
            // An escape is kept or removed as a whole.
            if escaped == 0 {
                length += 1;
            }
            if length <= LONGEST_TEXT {
                short.push(character);
            }
            escaped = match (begins_escape, escaped, character) {
                (true, _, _) => 1,
                (_, 1, 'u') => 5,
                (_, left, _) => left.saturating_sub(1),
            };
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_escapes() {
        let long = format!("{{\"a\":\"{}\",\"b\":\"{}\"}}", "\\u00e9\\\\".repeat(300), "\\\"x".repeat(300));
        let document = shortened(&long);
        assert!(Document::parse(&document).is_ok() && document.len() < 3_000, "{document}");
    }

    #[test]
    fn every_fixture_is_a_seed_of_some_format() {
        let seeds = all(None);
        assert!(seeds.len() > 8 && seeds.iter().filter(|seed| seed.format.is_some()).count() > 8);
        assert_eq!(of(&seeds, Target::All).len(), seeds.len());
    }
}
