//! Checks whether a provider accepts a message list as a request, and where it does not.
//!
//! A provider may refuse a list for its structure alone: a result without its call, parallel calls whose results
//! are split over several messages, a changed signature. [`validate()`] reports what is wrong with a transcript
//! under the [`Rules`] of a format, and [`compare`] reports what a change has broken. Only active messages are
//! checked: the others are not sent.
//!
//! [`Facts`] add what a transcript cannot show and only the list itself does. Three things are not checked:
//! whether a text consists of blanks only, whether arguments are a JSON object, and whether a signature is
//! genuine. [`pending()`] lists the calls that still wait for their results.

mod checks;
mod compare;
mod contents;
mod facts;
mod order;
mod pairs;
mod pending;
mod place;
mod violation;

pub use crate::rules::{Opening, Results, Rule, Rules, Unanswered};
pub use compare::compare;
pub use facts::Facts;
pub use pending::{Pending, pending};
pub use violation::Violation;

use crate::format::Format;
use crate::order::sort_by;
use crate::transcript::Transcript;
use checks::{Active, Checks, is_inside_result};

impl Rules {
    /// The rules for lists in `format`. A format without rules of its own gets the rules that all providers
    /// share.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Format;
    /// use ebbline::validate::{Rule, Rules};
    /// assert!(Rules::of(Format::AnthropicMessages).checks(Rule::SplitBatch));
    /// ```
    #[must_use]
    pub fn of(format: Format) -> Self {
        format.rules()
    }
}

/// The violations of the rules in a transcript, in the order of its messages. Empty when the transcript is valid.
///
/// # Example
///
/// ```
/// use ebbline::validate::{Rule, Rules, validate};
/// use ebbline::{Format, ReadOptions, SessionText};
///
/// let text = r#"[{"role": "user", "content": "list the files"},
///  {"role": "tool", "tool_call_id": "c1", "content": "Cargo.toml"}]"#;
/// let session = SessionText::read(text)?;
/// let violations = validate(session.transcript(), &Rules::of(Format::OpenaiChat));
/// assert_eq!((violations[0].message, violations[0].rule), (1, Rule::ResultWithoutCall));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn validate(transcript: &Transcript, rules: &Rules) -> Vec<Violation> {
    validate_knowing(transcript, rules, &Facts::default())
}

/// As [`validate`](fn@validate), but also checks `facts` about the list.
///
/// # Example
///
/// ```
/// use ebbline::validate::{Facts, Rule, Rules, validate_knowing};
/// let session = ebbline::SessionText::read(r#"[{"role": "assistant", "content": "Done.", "tool_calls": []}]"#)?;
/// let facts = Facts::of(&session);
/// let found = validate_knowing(session.transcript(), &Rules::of(session.format()), &facts);
/// assert!(found.iter().any(|violation| violation.rule == Rule::EmptyCalls));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn validate_knowing(transcript: &Transcript, rules: &Rules, facts: &Facts) -> Vec<Violation> {
    let mut checks = Checks { active: Active::of(transcript), rules, found: Vec::new() };
    order::check(&mut checks);
    contents::check(&mut checks);
    pairs::check(&mut checks);
    facts::check(&mut checks, facts);
    let Checks { mut found, active, .. } = checks;
    // The sort is stable: violations at one place keep the order of the checks.
    let place = |violation: &Violation| (active.position(violation.message), violation.part);
    sort_by(&mut found, &|one, other| place(one).cmp(&place(other)));
    found
}

#[cfg(test)]
mod tests;
