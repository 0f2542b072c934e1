//! Finds what a change has broken: the check of every compaction.

use super::violation::Violation;
use super::{Active, Rules, is_inside_result, validate};
use crate::length::Length;
use crate::rules::Rule;
use crate::run::{begins_with_signed_thinking, is_result, unfinished_run};
use crate::transcript::{Part, PartKind, Transcript};

/// The violations that `after` has and `before` did not have. Empty when the change broke nothing.
///
/// Violations that existed before are not reported again: of each rule, the result contains only as many
/// violations as `after` has more of than `before`. Two further checks apply. Every message with a signature must
/// be one of those before, in the same order and unchanged except for its results. And an unfinished run of tool
/// calls must begin with the same signed thinking as before, because Anthropic otherwise refuses it.
///
/// A transcript holds no text. So a signature counts as unchanged when the kinds and lengths of the parts around
/// it are unchanged.
///
/// # Example
///
/// ```
/// use ebbline::validate::{Rules, compare};
/// use ebbline::{Format, SessionText};
/// let before = SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
/// let after = SessionText::read(r#"[{"role": "tool", "tool_call_id": "c1", "content": "hello"}]"#)?;
/// let broken = compare(before.transcript(), after.transcript(), &Rules::of(Format::OpenaiChat));
/// assert!(!broken.is_empty());
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn compare(before: &Transcript, after: &Transcript, rules: &Rules) -> Vec<Violation> {
    let mut known = [0_usize; Rule::ALL.len()];
    for violation in validate(before, rules) {
        if let Some(count) = known.get_mut(violation.rule as usize) {
            *count += 1;
        }
    }
    let mut added: Vec<Violation> = validate(after, rules)
        .into_iter()
        .filter(|violation| match known.get_mut(violation.rule as usize) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect();
    let (before, after) = (Active::of(before), Active::of(after));
    added.extend(changed_signatures(&before, &after));
    added.extend(parted_thinking(&before, &after));
    added
}

/// What must not change about a part. Tool results may change.
#[derive(PartialEq, Eq)]
struct Shape<'t> {
    kind: PartKind,
    signed: bool,
    length: Length,
    tool: Option<&'t str>,
}

fn shape<'t>(transcript: &'t Transcript, parts: &[Part]) -> Vec<Shape<'t>> {
    let stays = parts.iter().filter(|part| !is_result(part) && !is_inside_result(part));
    let shape_of = |part: &Part| Shape {
        kind: part.kind,
        signed: part.signed,
        length: part.length,
        tool: part.tool.and_then(|tool| transcript.tool_name(tool)),
    };
    stays.map(shape_of).collect()
}

/// The messages with a signature that do not occur, in the same order, among those before.
fn changed_signatures(before: &Active<'_>, after: &Active<'_>) -> Vec<Violation> {
    let is_signed = |parts: &[Part]| parts.iter().any(|part| part.signed);
    let mut known = before.iter().filter(|(.., parts)| is_signed(parts));
    let signed = after.iter().filter(|(.., parts)| is_signed(parts));
    let moved = signed.filter(|(.., parts)| {
        let wanted = shape(after.transcript, parts);
        !known.any(|(.., parts)| shape(before.transcript, parts) == wanted)
    });
    moved
        .map(|(message, ..)| Violation {
            message,
            part: None,
            rule: Rule::SignatureChanged,
            text: "a message with a signature has been changed or moved".to_owned(),
            place: None,
        })
        .collect()
}

fn parted_thinking(before: &Active<'_>, after: &Active<'_>) -> Option<Violation> {
    let begins = |active: &Active<'_>| {
        let first = active.indices.get(unfinished_run(active.transcript, &active.indices)?).copied()?;
        Some((first, begins_with_signed_thinking(active.transcript.parts_of(first))))
    };
    let (_, thought) = begins(before)?;
    let (message, thinks) = begins(after)?;
    (thought && !thinks).then(|| Violation {
        message,
        part: None,
        rule: Rule::ThinkingParted,
        text: "the unfinished run of tool calls no longer begins with its signed thinking".to_owned(),
        place: None,
    })
}
