//! Previews: what stays of an output that is cut, as text. Its head and its tail, and a note between them that says how
//! much is missing and how the model gets it.
//!
//! A plan holds no text, so it only says how long head and tail may be, and how much all of it may measure. What is
//! written is never longer: characters differ in cost, and a piece ends with a line where one ends near the cut.

use crate::length::Length;
use crate::plan::Preview;
use crate::policy::Estimator;

/// A piece is at most so many characters shorter so that it ends with a line.
const NEAR: usize = 200;

/// Writes what stays of `text`.
pub(crate) fn written(text: &str, preview: &Preview, estimator: &Estimator) -> String {
    let total = units(text);
    let (mut head, mut tail) = (u64::from(preview.head), u64::from(preview.tail));
    loop {
        let (first, last) = (head_of(text, head), tail_of(text, tail));
        let missing = total.saturating_sub(units(first) + units(last));
        let note = note(missing, total, preview.media);
        let parts = [first, note.as_str(), last].into_iter().filter(|part| !part.is_empty());
        let whole = parts.collect::<Vec<_>>().join("\n");
        let fits = missing > 0 && Length::of(&whole).in_unit(estimator.unit) <= preview.most;
        if fits || head + tail == 0 {
            return whole;
        }
        // What is denser than the output as a whole takes more room than the plan knows.
        (head, tail) = (head * 15 / 16, tail * 15 / 16);
    }
}

/// The most that the note and the line ends around it measure in an output of `total` UTF-16 units.
pub(crate) fn longest_note(total: u64, media: u32) -> Length {
    Length::of(&format!("\n{}\n", note(total, total, media)))
}

/// What stands between head and tail.
fn note(missing: u64, total: u64, media: u32) -> String {
    let (missing, total) = (grouped(missing), grouped(total));
    let media = match media {
        0 => String::new(),
        1 => " and 1 image or file".to_owned(),
        media => format!(" and {media} images or files"),
    };
    format!(
        "[{missing} of {total} characters{media} are left out here. To see them, call the tool again with a narrower request.]"
    )
}

/// A number with a comma before every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// At most so many UTF-16 units from the beginning, without the line end behind them.
fn head_of(text: &str, most: u64) -> &str {
    let head = text.get(..reached(text.char_indices(), most).1).unwrap_or_default();
    let near = head.char_indices().rev().take(NEAR).find(|(_, character)| *character == '\n');
    near.and_then(|(at, _)| head.get(..at)).filter(|line| !line.is_empty()).unwrap_or(head)
}

/// At most so many UTF-16 units from the end, from the beginning of a line on.
fn tail_of(text: &str, most: u64) -> &str {
    let (at, end) = reached(text.char_indices().rev(), most);
    let tail = text.get(if end == 0 { text.len() } else { at }..).unwrap_or_default();
    let near = tail.char_indices().take(NEAR).find(|(_, character)| *character == '\n');
    near.and_then(|(at, _)| tail.get(at + 1..)).filter(|line| !line.is_empty()).unwrap_or(tail)
}

/// Where the last of so many UTF-16 units begins, and where it ends; 0 and 0 if there are none.
fn reached(characters: impl Iterator<Item = (usize, char)>, most: u64) -> (usize, usize) {
    let mut left = most;
    let mut last = (0, 0);
    for (at, character) in characters {
        let Some(rest) = left.checked_sub(character.len_utf16() as u64) else { break };
        left = rest;
        last = (at, at + character.len_utf8());
    }
    last
}

fn units(text: &str) -> u64 {
    text.chars().map(|character| character.len_utf16() as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::length::Unit;

    fn estimator(unit: Unit) -> Estimator {
        Estimator { unit, ..Estimator::default() }
    }

    fn preview(head: u32, tail: u32) -> Preview {
        Preview { head, tail, most: u32::MAX, media: 0 }
    }

    #[test]
    fn head_and_tail_stay_with_a_note_of_what_is_missing() {
        let text = "0123456789".repeat(15_000);
        let shown = written(&text, &preview(12, 8), &estimator(Unit::Utf16));
        assert_eq!(
            shown,
            "012345678901\n[149,980 of 150,000 characters are left out here. To see them, call the tool again with a narrower request.]\n23456789"
        );
        let with_images = written(&text, &Preview { media: 2, ..preview(1, 0) }, &estimator(Unit::Utf16));
        assert!(
            with_images.starts_with("0\n[149,999 of 150,000 characters and 2 images or files are left out")
        );
        assert!(with_images.ends_with("request.]"), "no tail, no empty line");
    }

    #[test]
    fn a_piece_ends_with_a_line_if_one_ends_nearby() {
        let text = "first line\nsecond line\nthird line\nlast line";
        let shown = written(text, &preview(14, 14), &estimator(Unit::Utf16));
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!((lines[0], lines[2], lines.len()), ("first line", "last line", 3));
        let far = format!("line\n{}\nend", "x".repeat(2_000));
        let shown = written(&far, &preview(1_000, 1_000), &estimator(Unit::Utf16));
        assert_eq!(
            shown.lines().map(str::len).collect::<Vec<_>>(),
            [4, 995, shown.lines().nth(2).unwrap().len(), 996, 3]
        );
    }

    #[test]
    fn no_character_is_cut_in_two() {
        let text = "😀".repeat(500);
        let shown = written(&text, &preview(7, 5), &estimator(Unit::Utf16));
        assert_eq!(shown.split('\n').map(|line| line.matches('😀').count()).collect::<Vec<_>>(), [3, 0, 2]);
        assert!(shown.contains("[990 of 1,000 characters"));
    }

    #[test]
    fn what_is_written_measures_no_more_than_the_plan_allows() {
        // The head costs much more than the rest.
        let text = format!("{}{}", "漢字".repeat(2_000), " ".repeat(100_000));
        let most = Length::of(&" ".repeat(40_000)).classed;
        let shown =
            written(&text, &Preview { head: 4_000, tail: 4_000, most, media: 0 }, &estimator(Unit::Classes));
        assert!(Length::of(&shown).classed <= most);
        assert!(shown.starts_with("漢字漢字"));
        let nothing = written(
            &text,
            &Preview { head: 4_000, tail: 4_000, most: 1, media: 0 },
            &estimator(Unit::Classes),
        );
        assert!(nothing.starts_with("[104,000 of 104,000 characters"));
        assert_eq!(written("", &preview(3, 3), &estimator(Unit::Utf16)).get(..7), Some("[0 of 0"));
    }

    #[test]
    fn numbers_are_grouped() {
        for (number, expected) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), expected);
        }
    }
}
