//! tau2-bench: results with their simulations, a simulation, or a list of messages.
//!
//! Shapes by `src/tau2/data_model/message.py` of `sierra-research/tau2-bench`. The first simulation is the session; the others are
//! inactive. The user is simulated and may have tools: their calls and results are not in the agent's context.

use super::entry::{Description, FormatEntry};
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::shaped::{Answered, Block, Called, message_by, record, text_inside};
use super::signs::{Sign, count_of, has, is};
use super::slot::Shape;
use super::source::Source;
use super::usage::{self, ReportedInput};
use crate::error::Error;
use crate::json::{Text, Value};
use crate::rules::{Rule, Rules};
use crate::transcript::Message;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { reported_input: Some(ReportedInput::Either), ..Description::of("tau2", "tau2-bench") },
    // The agent speaks first.
    rules: Rules::COMMON.except(&[Rule::FirstRole]),
    ..FormatEntry::of(SIGNS, read)
};

const SIGNS: &[Sign] = &[
    Sign::document(67, |root| {
        has(root, &["simulations", "tasks"])
            .then(|| format!("results with {} simulations", count_of(root, "simulations")))
    }),
    Sign::list(67, "calls with a requestor, and messages with a turn_idx", |list| list.any(is_message)),
];

fn is_message(message: Value<'_>) -> bool {
    message.text_of("role").is_some()
        && (has(message, &["requestor"])
            || has(message, &["turn_idx"])
            || message.elements_of("tool_messages").any(is_message)
            || message.elements_of("tool_calls").any(|call| has(call, &["requestor"])))
}

/// Why no summary is written.
const RECORDED: &str =
    "tau2-bench keeps a run that has ended: nothing goes on with its messages, and a summary in them would be taken for what the agent did";

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    match source.root().filter(|root| !source.is_lines && root.get("simulations").is_some()) {
        Some(results) => {
            for (index, simulation) in results.elements_of("simulations").enumerate() {
                read_messages(simulation.elements_of("messages"), index == 0, recorder);
            }
        }
        None => read_messages(source.list().into_iter(), true, recorder),
    }
    Ok(SummaryPlacement::Refused(RECORDED))
}

fn read_messages<'d>(messages: impl Iterator<Item = Value<'d>>, is_sent: bool, recorder: &mut Recorder) {
    for message in messages {
        let role = message.text_of("role").map(Text::decode).unwrap_or_default();
        let several = message.elements_of("tool_messages");
        let blocks: Vec<_> = match role.as_ref() {
            "tool" if message.get("tool_messages").is_some() => several.map(answered).collect(),
            "tool" => vec![answered(message)],
            "user" => said(message).into_iter().collect(),
            _ => said(message).into_iter().chain(calls(message)).collect(),
        };
        let usage = usage::total(message.present("usage"), &usage::COMPLETION);
        let usage = usage.filter(|_| is_sent && role == "assistant");
        let requestor = message.elements_of("tool_messages").next().unwrap_or(message);
        let is_users_tool = role == "tool" && is(requestor, "requestor", "user");
        let is_nothing = role == "user" && blocks.is_empty();
        let active = is_sent && !is_users_tool && !is_nothing;
        let begun = message_by(message.text_of("role"), &blocks);
        record(Message { active, usage, ..begun }, message.span(), &blocks, recorder);
    }
}

fn said(message: Value<'_>) -> Option<Block<'_>> {
    message.text_of("content").map(|text| Block::Text(Some(text)))
}

fn calls(message: Value<'_>) -> impl Iterator<Item = Block<'_>> {
    message.elements_of("tool_calls").map(|call| {
        Block::Call(Called { id: call.text_of("id"), name: call.text_of("name"), input: call.get("arguments") })
    })
}

fn answered(result: Value<'_>) -> Block<'_> {
    Block::Result(Answered {
        id: result.text_of("id"),
        name: None,
        holder: result,
        key: "content",
        has_failed: result.get("error").is_some_and(Value::is_truthy),
        shape: Shape::Text,
        inside: text_inside,
    })
}

#[cfg(test)]
mod tests {
    use crate::format::carried_out::{pruned, read};
    use crate::transcript::{Output, Role};

    fn results(messages: &str) -> String {
        format!(
            r#"{{"timestamp":"t","info":{{}},"tasks":[],"simulations":[{{"id":"s","task_id":"0","messages":[{messages}]}},{{"id":"t","messages":[{{"role":"user","content":"x","turn_idx":0}}]}}]}}"#
        )
    }

    #[test]
    fn the_users_tools_are_not_the_agents() {
        let text = results(concat!(
            r#"{"role":"assistant","content":"Hi!","tool_calls":null,"turn_idx":0,"usage":{"prompt_tokens":90,"completion_tokens":9}},"#,
            r#"{"role":"user","content":null,"tool_calls":[{"id":"u","name":"look","arguments":{},"requestor":"user"}]},"#,
            r#"{"role":"tool","id":"u","content":"seen","requestor":"user","error":false},"#,
            r#"{"role":"user","content":"My order."},"#,
            r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c","name":"get","arguments":{},"requestor":"assistant"},{"id":"d","name":"get","arguments":{},"requestor":"assistant"}]},"#,
            r#"{"role":"tool","tool_messages":[{"role":"tool","id":"c","content":"{}","requestor":"assistant","error":true},{"role":"tool","id":"d","content":"{}","requestor":"assistant"}]}"#
        ));
        let found = read(&text);
        assert_eq!(found.format().name(), "tau2");
        let messages = found.transcript().messages();
        let sent: Vec<_> = messages.iter().map(|message| message.active).collect();
        assert_eq!(sent, [true, false, false, true, true, true, false]);
        assert_eq!((messages[0].usage, messages[5].role), (Some(99), Role::Tool));
        assert_eq!(found.counts().calls_without_result, 0);
        assert_eq!(found.transcript().parts_of(5)[0].output, Output::Error);
    }

    #[test]
    fn an_output_gives_way() {
        let long = "x".repeat(300);
        let text = results(&format!(
            r#"{{"role":"user","content":"a","turn_idx":0}},{{"role":"assistant","tool_calls":[{{"id":"c","name":"f","arguments":{{}},"requestor":"assistant"}}]}},{{"role":"tool","id":"c","content":"{long}","requestor":"assistant"}}"#
        ));
        assert!(pruned(&text, true).contains(r#""id":"c","content":"[Old tool result content cleared]""#));
    }

    #[test]
    fn whatever_stands_there_is_read() {
        let odd = results(r#"7,null,{},{"role":"tool","tool_messages":[7,{}]},{"role":"tool"},{"role":"assistant","tool_calls":[7]}"#);
        assert_eq!(read(&odd).counts().messages, 7);
        pruned(&odd, true);
    }
}
