//! Calls that still wait for their results. They are not a violation, but nothing may remove them.

use std::collections::HashSet;

use super::Active;
use crate::error::Place;
use crate::run::is_result;
use crate::transcript::{Message, Part, PartKind, Role, Transcript};

crate::form::reported! {
    /// A call at the end of a session that has no result yet.
    [Eq]
    pub struct Pending = "PendingCall" {
        /// The message that makes the call, by its index in the session.
        pub message: usize,
        /// The call, by its index in the message.
        pub part: usize,
        /// The call's id, if the session has one and the transcript was read from text.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub id: Option<String>,
        /// The tool's name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub tool: Option<String>,
        /// What a late result would cause, as a sentence.
        pub text: String,
        /// The number that pairs the call with its result: [`Part::call`].
        #[serde(skip)]
        pub call: Option<u32>,
        /// Where the message stands, if the list was read from text.
        #[serde(flatten)]
        pub place: Option<Place>,
    }
}

/// The calls of the newest answer that have no result, provided that no other message has followed.
///
/// # Example
///
/// ```
/// use ebbline::{ReadOptions, SessionText};
/// let text = r#"[{"role":"user","content":"list the files"},{"role":"assistant","content":null,"tool_calls":[
///  {"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]}]"#;
/// let session = SessionText::read(text)?;
/// let pending = ebbline::validate::pending(session.transcript());
/// assert_eq!((pending[0].message, pending[0].id.as_deref()), (1, Some("c1")));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn pending(transcript: &Transcript) -> Vec<Pending> {
    let active = Active::of(transcript);
    let messages: Vec<(usize, &Message, &[Part])> = active.iter().collect();
    let Some(newest) = messages.iter().rposition(|(_, message, _)| message.role == Role::Assistant) else {
        return Vec::new();
    };
    let says_else = |(_, message, parts): &(usize, &Message, &[Part])| {
        message.role == Role::User && !parts.iter().any(is_result)
    };
    if messages.iter().skip(newest).any(says_else) {
        return Vec::new();
    }
    // An answer may be kept in several entries.
    let goes_on = |at: &usize| messages.get(*at).is_some_and(|(_, message, _)| message.continues);
    let first = (0..=newest).rev().find(|at| !goes_on(at)).unwrap_or(0);
    let answer = || messages.iter().skip(first);
    let results: HashSet<u32> = answer()
        .flat_map(|(.., parts)| *parts)
        .filter(|part| part.kind == PartKind::ToolResult)
        .filter_map(|part| part.call)
        .collect();
    // A result without an id answers one of the calls without one, the oldest first.
    let mut unnamed = answer()
        .flat_map(|(.., parts)| *parts)
        .filter(|part| part.kind == PartKind::ToolResult && part.call.is_none())
        .count();
    let mut found = Vec::new();
    for (message, _, parts) in answer() {
        for (at, part) in parts.iter().enumerate().filter(|(_, part)| part.kind == PartKind::ToolCall) {
            match part.call {
                Some(call) if results.contains(&call) => continue,
                None if unnamed > 0 => {
                    unnamed -= 1;
                    continue;
                }
                _ => {}
            }
            let text = format!(
                "the call{} has no result yet: once a summary stands for the call, a late result would answer none",
                active.of_tool(part)
            );
            found.push(Pending {
                message: *message,
                part: at,
                id: part.call.and_then(|call| transcript.call_id(call)).map(str::to_owned),
                tool: part.tool.and_then(|tool| transcript.tool_name(tool)).map(str::to_owned),
                text,
                call: part.call,
                place: None,
            });
        }
    }
    found
}
