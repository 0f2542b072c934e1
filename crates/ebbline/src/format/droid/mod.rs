//! Factory's droid: lines of a session, with Anthropic's messages in them.
//!
//! Seen in public files of 2026; the program is closed. What it writes when it compacts is not known.

use super::anthropic_messages::read_message;
use super::entry::{Description, FormatEntry};
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::signs::{Sign, has, is};
use super::source::Source;
use super::store::{Place, Store};
use crate::error::Error;
use crate::json::Value;
use crate::transcript::{Message, Role};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description::of("droid", "Factory droid"),
    store: &Store {
        places: &[Place::of("Factory droid", ".factory/sessions", ".jsonl")],
        parents: &["parentId"],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, read)
};

const SIGNS: &[Sign] = &[Sign::log(75, |log| {
    let is_start = |line: Value<'_>| is(line, "type", "session_start");
    let is_message = |line: Value<'_>| is(line, "type", "message") && has(line, &["id", "timestamp", "message"]);
    // pi's first line is of type session.
    let is_session = |line: Value<'_>| is(line, "type", "session");
    (log.head().any(is_start) || log.head().any(is_message) && !log.head().any(is_session))
        .then(|| "lines of type session_start and message".to_owned())
})];

/// Why no summary is written.
const UNKNOWN: &str =
    "what Factory's droid writes when it compacts is not known, so no summary is written into its file; old outputs can be pruned";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    for line in source.values() {
        match line.present("message").filter(|_| is(line, "type", "message")) {
            Some(message) => read_message(message, line.span(), true, recorder),
            None => recorder.begin(Message { active: false, ..Message::new(Role::Other) }, line.span()),
        }
    }
    Ok(SummaryPlacement::Refused(UNKNOWN))
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read};
    use crate::transcript::Role;

    fn session(output: &str) -> String {
        [
            r#"{"type":"session_start","id":"s","title":"t","version":2,"cwd":"/w"}"#.to_owned(),
            r#"{"type":"message","id":"1","timestamp":"t","message":{"role":"user","content":[{"type":"text","text":"Fix"}]},"parentId":null}"#.to_owned(),
            r#"{"type":"message","id":"2","timestamp":"t","message":{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"Read","input":{}}]},"parentId":"1"}"#.to_owned(),
            format!(r#"{{"type":"message","id":"3","timestamp":"t","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c","content":"{output}"}}]}},"parentId":"2"}}"#),
            r#"{"type":"todo_state","id":"4","todos":{}}"#.to_owned(),
        ]
        .join("\n")
    }

    #[test]
    fn messages_are_anthropics() {
        let text = session(&"x".repeat(300));
        let found = read(&text);
        assert_eq!(found.format().name(), "droid");
        let messages = found.transcript().messages();
        assert_eq!((messages[1].role, messages[3].role), (Role::User, Role::Tool));
        assert_eq!((found.counts().calls_without_result, messages[0].active, messages[2].active), (0, false, true));
        assert_eq!(pruned(&text, true), session("[Old tool result content cleared]"));
    }

    #[test]
    fn whatever_stands_there_is_read() {
        let odd = "{\"type\":\"session_start\"}\n{\"type\":\"message\",\"message\":7}\n{\"type\":\"message\",\"message\":{\"role\":7,\"content\":[7]}}\n{}";
        assert_eq!(read(odd).counts().messages, 4);
        pruned(odd, true);
    }
}
