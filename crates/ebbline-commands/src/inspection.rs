//! What a session is made of, as plain data.

use ebbline::format::MarkerKind;
use ebbline::transcript::{PartKind, Turn};
use ebbline::validate::{Pending, Violation};
use ebbline::{Error, Plan, SessionText};
use serde::Serialize;

/// How many outputs are named.
const LARGEST: usize = 5;

/// Everything, in the order of its JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Inspection<'s> {
    file: String,
    format: &'static str,
    title: &'static str,
    evidence: &'s str,
    pub(crate) bytes: usize,
    messages: usize,
    inactive: usize,
    pub(crate) tokens: u64,
    turns: usize,
    pub(crate) roles: Vec<Role>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) largest: Vec<Largest<'s>>,
    images: usize,
    pub(crate) compactions: Compactions,
    pub(crate) already_pruned: usize,
    pub(crate) problems: Problems<'s>,
}

/// The messages of a role that are sent.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "the names of the JSON that is printed")]
pub(crate) struct Role {
    pub(crate) role: &'static str,
    pub(crate) messages: usize,
    pub(crate) tokens: u64,
}

/// The parts of a kind that are sent.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "the names of the JSON that is printed")]
pub(crate) struct Kind {
    pub(crate) kind: &'static str,
    pub(crate) parts: usize,
    pub(crate) tokens: u64,
}

/// One of the outputs that weigh most, with the id by which `recall` finds it.
#[derive(Debug, Serialize)]
pub(crate) struct Largest<'s> {
    pub(crate) message: usize,
    pub(crate) tool: Option<&'s str>,
    pub(crate) id: Option<&'s str>,
    pub(crate) tokens: u64,
}

/// What the file records of earlier compactions, by the agent's own names, and the summaries that are sent.
#[derive(Debug, Serialize)]
pub(crate) struct Compactions {
    pub(crate) recorded: Vec<Recorded>,
    pub(crate) summaries: usize,
}

/// Marks of one name.
#[derive(Debug, Serialize)]
pub(crate) struct Recorded {
    kind: MarkerKind,
    pub(crate) name: &'static str,
    pub(crate) count: usize,
}

/// What is wrong.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Problems<'s> {
    pub(crate) violations: Vec<Violation>,
    pub(crate) pending: Vec<Pending>,
    pub(crate) results_without_call: usize,
    pub(crate) calls_without_result: usize,
    pub(crate) unreadable: Vec<Unreadable<'s>>,
}

/// A piece of the file that cannot be read.
#[derive(Debug, Serialize)]
pub(crate) struct Unreadable<'s> {
    code: &'static str,
    message: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte: Option<usize>,
}

impl<'s> From<&'s Error> for Unreadable<'s> {
    fn from(error: &'s Error) -> Self {
        let place = error.place();
        Self {
            code: error.code(),
            message: error.message(),
            line: place.map(|place| place.line),
            byte: place.map(|place| place.byte),
        }
    }
}

impl<'s> Inspection<'s> {
    /// Of a session of so many bytes, with the plan that measures it.
    pub(crate) fn of(session: &'s SessionText<'_>, plan: &Plan, file: String, bytes: usize) -> Self {
        let (format, counts) = (session.format(), session.counts());
        let active = session.transcript().messages().iter().filter(|message| message.active);
        Self {
            file,
            format: format.name(),
            title: format.title(),
            evidence: session.evidence(),
            bytes,
            messages: counts.messages,
            inactive: counts.inactive,
            tokens: plan.decision.tokens_before,
            turns: active.filter(|message| message.turn == Turn::Person).count(),
            roles: roles(session, plan),
            kinds: kinds(session, plan),
            largest: largest(session, plan),
            images: counts.images,
            compactions: Compactions::of(session),
            already_pruned: counts.already_pruned,
            problems: Problems {
                violations: session.validate(),
                pending: session.pending(),
                results_without_call: counts.results_without_call,
                calls_without_result: counts.calls_without_result,
                unreadable: session.problems().iter().map(Unreadable::from).collect(),
            },
        }
    }
}

fn roles(session: &SessionText<'_>, plan: &Plan) -> Vec<Role> {
    let mut roles: Vec<Role> = Vec::new();
    for (message, planned) in session.transcript().messages().iter().zip(&plan.messages) {
        let (role, tokens) = (message.role.as_str(), planned.tokens_before);
        match roles.iter_mut().find(|known| known.role == role) {
            _ if !message.active => {}
            Some(known) => (known.messages, known.tokens) = (known.messages + 1, known.tokens + tokens),
            None => roles.push(Role { role, messages: 1, tokens }),
        }
    }
    roles
}

fn kinds(session: &SessionText<'_>, plan: &Plan) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for (index, message) in session.transcript().messages().iter().enumerate() {
        let planned = plan.messages.get(index).map(|message| message.parts.as_slice()).unwrap_or_default();
        let parts = session.transcript().parts_of(index).iter().zip(planned).filter(|_| message.active);
        for (part, planned) in parts {
            let (kind, tokens) = (part.kind.as_str(), planned.tokens_before);
            match kinds.iter_mut().find(|known| known.kind == kind) {
                Some(known) => (known.parts, known.tokens) = (known.parts + 1, known.tokens + tokens),
                None => kinds.push(Kind { kind, parts: 1, tokens }),
            }
        }
    }
    kinds
}

fn largest<'s>(session: &'s SessionText<'_>, plan: &Plan) -> Vec<Largest<'s>> {
    let transcript = session.transcript();
    let mut outputs = Vec::new();
    for (message, planned) in plan.messages.iter().enumerate() {
        let is_active = transcript.messages().get(message).is_some_and(|message| message.active);
        let parts = transcript.parts_of(message).iter().zip(&planned.parts);
        let results = parts.filter(|(part, _)| is_active && part.kind == PartKind::ToolResult);
        outputs.extend(results.map(|(part, planned)| Largest {
            message,
            tool: part.tool.and_then(|tool| transcript.tool_name(tool)),
            id: part.call.and_then(|call| transcript.call_id(call)).filter(|id| !id.is_empty()),
            tokens: planned.tokens_before,
        }));
    }
    outputs.sort_by_key(|output| std::cmp::Reverse(output.tokens));
    outputs.truncate(LARGEST);
    outputs
}

impl Compactions {
    fn of(session: &SessionText<'_>) -> Self {
        let mut recorded: Vec<Recorded> = Vec::new();
        for marker in session.markers() {
            match recorded.iter_mut().find(|known| known.name == marker.name) {
                Some(known) => known.count += 1,
                None => recorded.push(Recorded { kind: marker.kind, name: marker.name, count: 1 }),
            }
        }
        let transcript = session.transcript();
        let is_told =
            |index: usize| transcript.parts_of(index).iter().any(|part| part.kind == PartKind::Summary);
        let (mut summaries, mut is_behind_one) = (0, false);
        for (index, message) in transcript.messages().iter().enumerate().filter(|(_, message)| message.active)
        {
            // The fixed answer to a summary is a part of it.
            summaries += usize::from(message.summary && (is_told(index) || !is_behind_one));
            is_behind_one = message.summary;
        }
        Self { recorded, summaries }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_parts_are_added_up() {
        let text = r#"[{"role":"user","content":"list the files"},
         {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]},
         {"role":"tool","tool_call_id":"c1","content":"Cargo.toml"}]"#;
        let session = SessionText::read(text).unwrap();
        let plan = session.plan(&ebbline::profiles::get("ebbline@2").unwrap());
        let found = Inspection::of(&session, &plan, "a".to_owned(), text.len());
        assert_eq!((found.roles.len(), found.turns), (3, 1));
        let [output] = &*found.largest else { panic!("{:?}", found.largest) };
        assert_eq!((output.tool, output.id, output.message), (Some("ls"), Some("c1"), 2));
    }
}
