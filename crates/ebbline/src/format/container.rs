//! Files of many conversations: a benchmark's list of trajectories, a data set for fine-tuning, the results of an
//! evaluation.
//!
//! Such a file is one session with one active conversation. The others are read but not sent, so that the counts
//! describe the whole file and only the active conversation is ever changed.

use super::entry::Reader;
use super::placement::SummaryPlacement;
use super::reading::ReadOptions;
use super::recorder::Recorder;
use super::signs::{Shows, has};
use super::source::{Focus, Source};
use super::table;
use crate::error::{Error, ErrorCode};
use crate::json::Value;

/// A file's conversations.
#[derive(Debug)]
pub(super) struct Container {
    /// For each conversation, the list of its messages or the object that contains it.
    pub(super) conversations: Vec<Focus>,
}

/// Where the parts of a container store their messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeps {
    /// `traj`: results of tau-bench.
    Trajectory,
    /// `messages`: data for fine-tuning, logs of requests.
    Messages,
    /// In an object of its format.
    Own,
}

impl Keeps {
    fn of(part: Value<'_>) -> Option<Self> {
        if part.get("traj").is_some_and(Value::is_array) {
            Some(Self::Trajectory)
        } else if part.get("messages").is_some_and(Value::is_array) && !has(part, &["role"]) {
            Some(Self::Messages)
        } else {
            let is_own = |shows| matches!(shows, Shows::Conversation(test) if test(part));
            table::signs().any(|(_, shows)| is_own(shows)).then_some(Self::Own)
        }
    }
}

impl Container {
    /// The conversations of `source`, if it contains nothing else.
    pub(super) fn of(source: &Source<'_>) -> Option<Self> {
        let root = source.root()?;
        let conversations: Option<Vec<Focus>> = if source.is_lines {
            let parts = source.values().map(conversation);
            // A single complete line is a document followed by a torn one.
            parts.collect::<Option<Vec<_>>>().filter(|lines| lines.len() > 1)
        } else if root.is_array() {
            root.elements().map(conversation).collect()
        } else {
            // An object with `messages` or a `history` is itself a session.
            conversation(root).filter(|_| Keeps::of(root) == Some(Keeps::Trajectory)).map(|one| vec![one])
        };
        Some(Self { conversations: conversations.filter(|found| !found.is_empty())? })
    }

    /// Reads every conversation, and returns where the chosen one would take a summary.
    pub(super) fn read(
        &self,
        source: &mut Source<'_>,
        chosen: usize,
        options: &ReadOptions,
        reader: Reader,
    ) -> Result<(Recorder, SummaryPlacement), Error> {
        let mut all = Recorder::new(options);
        let mut chosen_placement = SummaryPlacement::None;
        for number in 0..self.conversations.len() {
            self.focus(source, number);
            let mut recorder = Recorder::new(options);
            let placement = reader(source, &mut recorder)?;
            if number == chosen {
                chosen_placement = placement;
            } else {
                recorder.set_inactive();
            }
            all.append(recorder);
        }
        Ok((all, chosen_placement))
    }

    pub(super) fn focus(&self, source: &mut Source<'_>, number: usize) {
        if let Some(place) = self.conversations.get(number) {
            source.focus(*place);
        }
    }
}

/// The place of a part's conversation: the list itself for a trajectory, else the object around it.
fn conversation(part: Value<'_>) -> Option<Focus> {
    let value = match Keeps::of(part)? {
        Keeps::Trajectory => part.get("traj")?,
        Keeps::Messages | Keeps::Own => part,
    };
    Some(Focus(value.place()))
}

/// The place of the conversation that contains `byte` of the source.
pub(super) fn around(source: &Source<'_>, byte: usize) -> Option<Focus> {
    let container = Container::of(source)?;
    container.conversations.into_iter().find(|place| source.value(*place).span().contains(&byte))
}

/// The number of the conversation that `options` choose.
///
/// # Errors
///
/// `invalid_option` if no conversation has this number.
pub(super) fn choose(container: Option<&Container>, options: &ReadOptions) -> Result<usize, Error> {
    let count = container.map_or(1, |container| container.conversations.len());
    let chosen = options.conversation.unwrap_or(0);
    if chosen < count {
        return Ok(chosen);
    }
    let there_are = match (container, count) {
        (None, _) => "this is a single conversation, number 0".to_owned(),
        (Some(_), 1) => "there is 1 conversation, number 0".to_owned(),
        (Some(_), count) => format!("there are {count} conversations, 0 to {}", count - 1),
    };
    Err(Error::new(ErrorCode::InvalidOption, format!("there is no conversation {chosen}: {there_are}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session_text::SessionText;

    const TASKS: &str = concat!(
        r#"[{"task_id":0,"traj":[{"role":"user","content":"a"},"#,
        r#"{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},"#,
        r#"{"role":"tool","tool_call_id":"c","content":"first"}]},"#,
        r#"{"task_id":1,"traj":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f"}}]},"#,
        r#"{"role":"tool","tool_call_id":"c","content":"second"},{"role":"tool","tool_call_id":"c","content":"x"}]}]"#
    );

    fn read(text: &str, conversation: Option<usize>) -> Result<SessionText<'static>, Error> {
        SessionText::read_with(text.to_owned(), &ReadOptions { conversation, ..ReadOptions::default() })
    }

    #[test]
    fn one_conversation_is_active_and_ids_are_those_of_each() {
        for (chosen, active) in [
            (None, [true, true, true, false, false, false]),
            (Some(1), [false, false, false, true, true, true]),
        ] {
            let session = read(TASKS, chosen).unwrap();
            let messages = session.transcript().messages();
            assert_eq!(messages.iter().map(|message| message.active).collect::<Vec<_>>(), active);
            let counts = session.counts();
            assert_eq!((counts.messages, counts.calls, counts.results), (6, 2, 3));
            assert_eq!(
                (counts.calls_without_result, counts.results_without_call, counts.inactive),
                (0, 1, 3)
            );
            assert_eq!(session.format().name(), "openai_chat");
        }
    }

    #[test]
    fn containers_are_named_and_counted() {
        for (text, start) in [
            (TASKS, "2 conversations, the first is read as the session: 3 messages in an array: role tool"),
            (
                "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\n{\"messages\":[{\"role\":\"tool\"}]}",
                "2 conversations, the first is read as the session: 1 message in the member messages: role tool",
            ),
            (
                "{\"instance_id\":\"a\",\"history\":[]}\n{\"instance_id\":\"b\",\"history\":null}",
                "2 conversations, the first is read as the session: history and instance_id",
            ),
            (r#"[{"messages":[{"role":"user","content":"a"}]}]"#, "1 conversation, the first is read"),
            (r#"{"traj":[{"role":"user","content":"a"}]}"#, "1 conversation, the first is read"),
        ] {
            let evidence = crate::format::detect(text).unwrap().evidence;
            assert!(evidence.starts_with(start), "{evidence}");
        }
        for text in
            [r#"[{"messages":[]},{"a":1}]"#, "{\"messages\":[]}\n{\"a\":1}", r#"{"messages":[]}"#, "[]"]
        {
            assert!(Container::of(&Source::parse(text).unwrap()).is_none(), "{text}");
        }
    }

    #[test]
    fn a_conversation_that_is_not_there_is_refused() {
        for (text, chosen, message) in [
            (TASKS, 2, "there is no conversation 2: there are 2 conversations, 0 to 1"),
            (
                r#"[{"role":"user","content":"a"}]"#,
                1,
                "there is no conversation 1: this is a single conversation, number 0",
            ),
        ] {
            let error = read(text, Some(chosen)).unwrap_err();
            assert_eq!((error.code(), error.message()), ("invalid_option", message));
        }
        assert!(read(r#"[{"role":"user","content":"a"}]"#, Some(0)).is_ok());
    }
}
