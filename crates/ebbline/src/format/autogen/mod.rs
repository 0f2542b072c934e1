//! `AutoGen`: the state of an agent or of a team, an object with messages of a model's context, or a list of them.
//!
//! Shapes by `models/_types.py` of `PyPI` `autogen-core` 0.7 and `state/_states.py` of `autogen-agentchat`. Of a team, the agent
//! with the most messages is read as the session; the contexts of the others are inactive.

use super::entry::{Description, FormatEntry};
use super::placement::{ListSummary, SummaryPlacement};
use super::recorder::Recorder;
use super::shaped::{Answered, Block, Called, blocks_in, message_of, record, text_inside};
use super::signs::{Sign, has, is};
use super::slot::Shape;
use super::source::Source;
use super::summary::Summary;
use crate::error::Error;
use crate::json::{Text, Value, quote};
use crate::transcript::{Message, PartKind, Role};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description::of("autogen", "AutoGen"),
    ..FormatEntry::of(SIGNS, read)
};

const SIGNS: &[Sign] = &[
    Sign::document(73, |root| {
        let contexts = contexts(root);
        let messages: usize = contexts.iter().map(|list| list.elements().count()).sum();
        (!contexts.is_empty()).then(|| format!("a state with {messages} messages in an llm_context"))
    }),
    Sign::list(73, "messages of AutoGen's types", |list| list.any(is_message)),
];

fn is_message(message: Value<'_>) -> bool {
    let kinds = ["UserMessage", "AssistantMessage", "FunctionExecutionResultMessage"];
    has(message, &["content"]) && kinds.iter().any(|kind| is(message, "type", kind))
}

/// The lists of messages of a state: its own, or those of its agents.
fn contexts<'d>(root: Value<'d>) -> Vec<Value<'d>> {
    let agents = root.get("agent_states").into_iter().flat_map(Value::members);
    let of_agent = |agent: Value<'d>| context_of(agent).or_else(|| context_of(agent.get("agent_state")?));
    context_of(root).into_iter().chain(agents.filter_map(|(_, agent)| of_agent(agent))).collect()
}

fn context_of(state: Value<'_>) -> Option<Value<'_>> {
    state.get("llm_context")?.get("messages").filter(|list| list.is_array())
}

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    let root = source.root().filter(|root| !source.is_lines && root.is_object());
    let contexts = root.map(contexts).unwrap_or_default();
    if contexts.is_empty() {
        source.list().into_iter().for_each(|message| read_message(message, true, recorder));
    }
    let longest = contexts.iter().map(|list| list.elements().count()).max().unwrap_or(0);
    let chosen = contexts.iter().position(|list| list.elements().count() == longest);
    for (index, list) in contexts.into_iter().enumerate() {
        for message in list.elements() {
            read_message(message, chosen == Some(index), recorder);
        }
    }
    Ok(SummaryPlacement::List(&LISTED))
}

fn read_message(message: Value<'_>, active: bool, recorder: &mut Recorder) {
    let thought = message.text_of("thought").map(|thought| Block::Thinking(Some(thought), None));
    let blocks: Vec<_> = thought.into_iter().chain(blocks_in(message.present("content"), block)).collect();
    let begun = match message.text_of("type").map(Text::decode).as_deref() {
        Some("UserMessage") => message_of(Role::User, &blocks),
        Some("AssistantMessage") => message_of(Role::Assistant, &blocks),
        Some("FunctionExecutionResultMessage") => Message::new(Role::Tool),
        Some("SystemMessage") => Message::new(Role::System),
        _ => Message::new(Role::Other),
    };
    record(Message { active, ..begun }, message.span(), &blocks, recorder);
    if !active {
        recorder.set_newest_beside();
    }
}

fn block(block: Value<'_>) -> Block<'_> {
    if let Some(text) = block.text() {
        return Block::Text(Some(text));
    }
    let id = block.text_of("call_id");
    let name = block.text_of("name");
    if block.get("call_id").is_some() {
        let has_failed = block.get("is_error").is_some_and(Value::is_truthy);
        let shape = Shape::Text;
        return Block::Result(Answered { id, name, holder: block, key: "content", has_failed, shape, inside: text_inside });
    }
    if has(block, &["arguments"]) {
        return Block::Call(Called { id: block.text_of("id"), name, input: block.get("arguments") });
    }
    match block.get("data") {
        Some(data) => Block::Media(PartKind::Image, Some(data), block),
        None => Block::Other(block),
    }
}

static LISTED: ListSummary = ListSummary::of(|summary: &Summary<'_>| {
    format!(r#"{{"content":{},"source":"user","type":"UserMessage"}}"#, quote(&summary.marked()))
});

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read, summarized};
    use crate::transcript::{Output, Role};

    fn state(messages: &str) -> String {
        format!(r#"{{"type":"AssistantAgentState","version":"1.0.0","llm_context":{{"messages":[{messages}]}}}}"#)
    }

    #[test]
    fn a_context_is_read() {
        let text = state(&format!(
            concat!(
                r#"{{"content":"s","type":"SystemMessage"}},{{"content":["Hi",{{"data":"iVBO"}}],"source":"user","type":"UserMessage"}},"#,
                r#"{{"content":[{{"id":"c","arguments":"{{}}","name":"f"}}],"thought":"Hm.","source":"a","type":"AssistantMessage"}},"#,
                r#"{{"content":[{{"content":"{}","name":"f","call_id":"c","is_error":true}}],"type":"FunctionExecutionResultMessage"}}"#
            ),
            "x".repeat(300)
        ));
        let found = read(&text);
        assert_eq!(found.format().name(), "autogen");
        let roles: Vec<_> = found.transcript().messages().iter().map(|message| message.role).collect();
        assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool]);
        assert_eq!(found.transcript().parts_of(3)[0].output, Output::Error);
        assert_eq!(found.counts().calls_without_result, 0);
        assert!(pruned(&text, true).contains(r#"{"content":"[Old tool result content cleared]","name":"f""#));
    }

    #[test]
    fn of_a_team_the_longest_context_is_the_session() {
        let team = r#"{"type":"TeamState","agent_states":{"a":{"type":"ChatAgentContainerState","agent_state":{"llm_context":{"messages":[{"content":"x","source":"user","type":"UserMessage"}]}}},"b":{"agent_state":{"llm_context":{"messages":[{"content":"y","source":"user","type":"UserMessage"},{"content":"z","source":"b","type":"AssistantMessage"}]}}}}}"#;
        let sent: Vec<_> = read(team).transcript().messages().iter().map(|message| message.active).collect();
        assert_eq!(sent, [false, true, true]);
    }

    #[test]
    fn a_summary_is_a_message_of_the_user() {
        let long = "word ".repeat(80);
        let turn = format!(
            r#"{{"content":"{long}","source":"user","type":"UserMessage"}},{{"content":"{long}","source":"a","type":"AssistantMessage"}}"#
        );
        let written = summarized(&state(&[turn.as_str(); 4].join(",")), 200, "So far.");
        assert!(read(&written).transcript().messages()[0].summary, "{written}");
    }

    #[test]
    fn whatever_stands_there_is_read() {
        let odd = state(r#"7,null,{},{"type":"UserMessage","content":7},{"type":"FunctionExecutionResultMessage","content":[7,{},{"call_id":7}]}"#);
        assert_eq!(read(&odd).counts().messages, 5);
        pruned(&odd, true);
    }
}
