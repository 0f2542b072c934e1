//! Passes carried out in the text of a session.

use std::collections::BTreeMap;
use std::ops::Range;

use super::spots::{self, Path, Spots, Step};
use crate::edit::{self, Edit};
use crate::json::{Document, Value, Writer, quote};
use crate::plan::{Becomes, Given};
use crate::transcript::Transcript;

/// The edits that remove thinking, replace images by notes and shorten arguments. `span` is where a message is in `source`.
pub(crate) fn edits(
    source: &str,
    transcript: &Transcript,
    given: &[&Given],
    span: impl Fn(usize) -> Range<usize>,
) -> Vec<Edit> {
    let mut by_message: BTreeMap<usize, Vec<&Given>> = BTreeMap::new();
    for given in given {
        by_message.entry(given.message).or_default().push(given);
    }
    let of_message = |(message, given): (usize, Vec<&Given>)| {
        let document = Document::parse_range(source, span(message)).ok()?;
        Some(edits_of(&document, transcript, &given))
    };
    by_message.into_iter().filter_map(of_message).flatten().collect()
}

fn edits_of(document: &Document<'_>, transcript: &Transcript, given: &[&Given]) -> Vec<Edit> {
    let root = document.root();
    let spots = Spots::of(root);
    let mut edits = Vec::new();
    let mut gone: Vec<(Path, usize)> = Vec::new();
    for given in given {
        let parts = transcript.parts_of(given.message);
        match &given.becomes {
            Becomes::Cleared(_) => {}
            Becomes::Gone => {
                let path = spots.thinking(parts, given.at).and_then(|path| path.split_last());
                if let Some((Step::Element(index), list)) = path {
                    gone.push((list.to_vec(), *index));
                }
            }
            Becomes::Note(note) => {
                let image = spots.image(parts, given.at);
                let place = image.and_then(|image| Some((spots::resolve(root, &image.path)?, image)));
                edits.extend(place.map(|(place, image)| Edit::new(place.span(), image.note(note))));
            }
            Becomes::Arguments(json) => {
                let place = spots.arguments(parts, given.at).and_then(|path| spots::resolve(root, path));
                edits.extend(place.map(|place| Edit::new(place.span(), spelled(place, json))));
            }
        }
    }
    while let Some((list, _)) = gone.first().cloned() {
        let of_list: Vec<usize> =
            gone.iter().filter(|(of, _)| *of == list).map(|(_, index)| *index).collect();
        gone.retain(|(of, _)| *of != list);
        edits.extend(
            spots::resolve(root, &list).into_iter().flat_map(|list| edit::without_elements(list, &of_list)),
        );
    }
    edits
}

/// Arguments in the form that they have now: in a string, or not.
fn spelled(place: Value<'_>, json: &str) -> String {
    if place.is_string() { quote(json) } else { json.to_owned() }
}

/// Writes what gives way in a live message, as JSON.
pub(crate) fn write(
    given: &Given,
    transcript: &Transcript,
    spots_of: &dyn Fn(usize) -> Spots,
    out: &mut Writer,
) {
    let (parts, at) = (transcript.parts_of(given.message), given.at);
    out.raw("{\"message\":").number(given.message as u64).raw(",\"part\":").number(at as u64);
    let path = |spots: &Spots| match given.becomes {
        Becomes::Cleared(_) => None,
        Becomes::Gone => spots.thinking(parts, at).cloned(),
        Becomes::Note(_) => spots.image(parts, at).map(|image| image.path.clone()),
        Becomes::Arguments(_) => spots.arguments(parts, at).cloned(),
    };
    let spots = spots_of(given.message);
    if let Some(path) = path(&spots) {
        out.raw(",\"path\":[");
        for (index, step) in path.iter().enumerate() {
            out.raw(if index == 0 { "" } else { "," });
            match step {
                Step::Member(name) => out.string(name),
                Step::Element(index) => out.number(*index as u64),
            };
        }
        out.raw("]");
    }
    match &given.becomes {
        Becomes::Gone => {}
        Becomes::Note(note) => {
            let image = spots.image(parts, at);
            out.raw(",\"text\":").string(&image.map(|image| image.note(note)).unwrap_or_default());
        }
        Becomes::Cleared(text) | Becomes::Arguments(text) => {
            out.raw(",\"text\":").string(text);
        }
    }
    out.raw("}");
}
