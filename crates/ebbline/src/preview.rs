//! Previews: what stays of an output that is cut, as text. Its head and its tail, and a note between them that says how
//! much is missing and how the model gets it.
//!
//! A plan holds no text, so it only says how long head and tail may be, and how much all of it may measure. What is
//! written is never longer: characters differ in cost, and a piece ends with a line where one ends near the cut.

use crate::length::Length;
use crate::numbers::grouped;
use crate::plan::Preview;
use crate::policy::Estimator;

/// A piece is at most so many bytes shorter so that it ends with a line.
const NEAR: usize = 200;

/// Writes what stays of `text`.
pub(crate) fn written(text: &str, preview: &Preview, estimator: &Estimator) -> String {
    let total = Length::of(text).utf16;
    let (mut head, mut tail) = (preview.head, preview.tail);
    loop {
        let (first, last) = (head_of(text, head), tail_of(text, total, tail));
        let missing = total.saturating_sub(Length::of(first).utf16 + Length::of(last).utf16);
        let mut whole = first.to_owned();
        if !first.is_empty() {
            whole.push('\n');
        }
        push_note(&mut whole, missing, total, preview.media);
        if !last.is_empty() {
            whole.push('\n');
            whole.push_str(last);
        }
        let fits = missing > 0 && Length::of(&whole).in_unit(estimator.unit) <= preview.most;
        if fits || head == 0 {
            return whole;
        }
        // What is denser than the output as a whole takes more room than the plan knows.
        (head, tail) = (head - head.div_ceil(16), tail - tail.div_ceil(16));
    }
}

/// The most that the note and the line ends around it measure in an output of `total` UTF-16 units.
pub(crate) fn longest_note(total: u32, media: u32) -> Length {
    let mut note = "\n".to_owned();
    push_note(&mut note, total, total, media);
    note.push('\n');
    Length::of(&note)
}

/// Writes what stands between head and tail.
fn push_note(to: &mut String, missing: u32, total: u32, media: u32) {
    to.push('[');
    to.push_str(&grouped(missing.into()));
    to.push_str(" of ");
    to.push_str(&grouped(total.into()));
    to.push_str(" characters");
    if media > 0 {
        to.push_str(" and ");
        to.push_str(&grouped(media.into()));
        to.push_str(if media == 1 { " image or file" } else { " images or files" });
    }
    to.push_str(" are left out here. To see them, call the tool again with a narrower request.]");
}

/// At most so many UTF-16 units from the beginning, without the line end behind them.
fn head_of(text: &str, most: u32) -> &str {
    let head = text.get(..boundary(text, most).0).unwrap_or_default();
    let near = head.rfind('\n').filter(|at| *at > 0 && head.len() - at <= NEAR);
    near.and_then(|at| head.get(..at)).unwrap_or(head)
}

/// At most so many UTF-16 units from the end, from the beginning of a line on.
fn tail_of(text: &str, total: u32, most: u32) -> &str {
    let first = total.saturating_sub(most);
    let (at, before) = boundary(text, first);
    let at = if before < first { boundary(text, first + 1).0 } else { at };
    let tail = text.get(at..).unwrap_or_default();
    let near = tail.find('\n').filter(|at| *at < NEAR && at + 1 < tail.len());
    near.and_then(|at| tail.get(at + 1..)).unwrap_or(tail)
}

/// Where the last character ends that is among the first so many UTF-16 units, and how many units precede that.
fn boundary(text: &str, most: u32) -> (usize, u32) {
    let (mut at, mut units) = (0, 0);
    for character in text.chars() {
        let more = units + character.len_utf16() as u32;
        if more > most {
            break;
        }
        (at, units) = (at + character.len_utf8(), more);
    }
    (at, units)
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
}
