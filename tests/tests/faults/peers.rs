//! Faults of other libraries, for which there are no profiles. Each test builds the situation and shows that `ebbline@1`
//! does not have the fault.
//!
//! | fault | of | test |
//! |---|---|---|
//! | a result without its call | ADK, LlamaIndex, LangChain `trimMessages` | `peers_leave_results_without_their_calls` |
//! | the first message is an answer | LangChain `trimMessages`, Mastra | `peers_begin_with_an_answer` |
//! | the system message is removed | LangChain `summarizationMiddleware`, LlamaIndex |
//! `peers_summarize_the_system_message` |
//! | the first goal is removed | LangChain, Mastra, Strands, LlamaIndex | `peers_lose_the_goal` |
//! | the user's last message is removed | none of them | `the_last_words_of_the_user_are_always_kept` |
//! | signatures are removed | all that cut | `peers_drop_signatures_of_what_they_keep` |
//! | a second run changes something | Strands, ADK | all, by `Ours::carried_out` |
//! | the input is changed | LangChain `ClearToolUsesEdit`, Strands, ADK | `peers_change_their_input` |
//! | the summarizer only reads the last 4,000 tokens | LangChain |
//! `langchain_shows_its_summarizer_the_last_4_000_tokens` |
//! | `$&` in a transcript corrupts the prompt | LangChain | `langchain_lets_a_transcript_rewrite_its_prompt` |
//! | a failure is stored as the summary | LangChain | `langchain_stores_a_failure_as_the_summary` |

use ebbline::summary::{Answer, SummaryOptions, finish};
use ebbline::transcript::Role;
use ebbline::validate::{Rules, validate};
use ebbline::{Fate, Format, Verdict};
use serde_json::{Value, json};

use super::ours::{Ours, read, words};

/// A session of Anthropic messages: parallel calls answered out of order, signed thinking, a goal at the beginning.
fn adversarial(output: usize) -> Value {
    let mut messages = vec![json!({"role": "user", "content": "GOAL: a shop in teal"})];
    for turn in 0..12 {
        let id = |at: usize| format!("t{turn}-{at}");
        let call =
            |at: usize| json!({"type": "tool_use", "id": id(at), "name": "bash", "input": {"command": "ls"}});
        let thinking = json!({"type": "thinking", "thinking": "So.", "signature": format!("sig-{turn}")});
        let result =
            |at: usize| json!({"type": "tool_result", "tool_use_id": id(at), "content": words(output)});
        messages.extend([
            json!({"role": "assistant", "content": [thinking, call(0), call(1), call(2)]}),
            json!({"role": "user", "content": [result(2), result(0), result(1)]}),
            json!({"role": "assistant", "content": [{"type": "text", "text": "Done."}]}),
            json!({"role": "user", "content": format!("request {turn}")}),
        ]);
    }
    json!({"model": "m", "max_tokens": 9, "system": "SYSTEM: be brief", "messages": messages})
}

/// The session where it is pruned, and where it is summarized.
fn both() -> [Ours; 2] {
    let ours = |output: usize| Ours::of(Format::AnthropicMessages, &adversarial(output).to_string(), 200_000);
    let (pruned, summarized) = (ours(4_000), ours(10_000));
    assert_eq!((pruned.plan.decision.verdict, pruned.plan.decision.prune.applied), (Verdict::Prune, true));
    let mut policy = ebbline::profiles::get("ebbline@1").unwrap();
    policy.prune.enabled = false;
    let plan = summarized.session.plan(&policy);
    assert_eq!(plan.decision.verdict, Verdict::Summarize);
    [pruned, Ours { policy, plan, ..summarized }]
}

#[test]
fn peers_leave_results_without_their_calls() {
    for ours in both() {
        let again = read(ours.format, &ours.carried_out());
        let violations = validate(again.transcript(), &Rules::of(ours.format));
        assert!(violations.is_empty(), "{violations:?}");
        assert_eq!((again.counts().results_without_call, again.counts().calls_without_result), (0, 0));
    }
}

#[test]
fn peers_begin_with_an_answer() {
    for ours in both() {
        let written: Value = serde_json::from_str(&ours.carried_out()).unwrap();
        assert_eq!(written["messages"][0]["role"], "user");
    }
}

#[test]
fn peers_summarize_the_system_message() {
    for ours in both() {
        let system = ours.plan.messages.iter().find(|message| message.role == Role::System).unwrap();
        assert_eq!(system.fate, Fate::Kept);
        assert!(ours.carried_out().contains("SYSTEM: be brief"));
    }
    let [_, summarized] = both();
    assert!(!summarized.request().contains("SYSTEM: be brief"), "nor is it told to the summarizer");
}

#[test]
fn peers_lose_the_goal() {
    let [pruned, summarized] = both();
    assert!(pruned.carried_out().contains("GOAL: a shop in teal"));
    assert!(summarized.request().contains("[User]: GOAL: a shop in teal"), "word for word");
}

#[test]
fn the_last_words_of_the_user_are_always_kept() {
    for ours in both() {
        let written: Value = serde_json::from_str(&ours.carried_out()).unwrap();
        assert_eq!(written["messages"].as_array().unwrap().last().unwrap()["content"], "request 11");
    }
}

#[test]
fn peers_drop_signatures_of_what_they_keep() {
    let [pruned, summarized] = both();
    assert_eq!(pruned.carried_out().matches("\"signature\":\"sig-").count(), 12);
    let kept = summarized.plan.messages.iter().filter(|message| message.fate == Fate::Kept).count();
    let calls = summarized.carried_out().matches("\"signature\":\"sig-").count();
    assert!(calls >= 1 && calls >= kept / 4, "{calls} of {kept} kept messages");
}

#[test]
fn peers_change_their_input() {
    for ours in both() {
        let before = ours.text.clone();
        ours.carried_out();
        assert_eq!(before, ours.text);
    }
}

#[test]
fn langchain_shows_its_summarizer_the_last_4_000_tokens() {
    let fact = |turn: usize| format!("Fact {turn}: the port of service {turn} is {}.", 9_000 + turn);
    let mut messages = Vec::new();
    for turn in 0..39 {
        messages.push(json!({"role": "user", "content": fact(turn)}));
        messages.push(json!({"role": "assistant", "content": words(5_000)}));
    }
    let ours = Ours::of(Format::OpenaiChat, &json!(messages).to_string(), 200_000);
    let request = ours.request();
    let boundary = ours.plan.decision.retain.boundary.unwrap();
    assert!((0..39).filter(|turn| turn * 2 < boundary).all(|turn| request.contains(&fact(turn))));
    ours.carried_out();
}

#[test]
fn langchain_lets_a_transcript_rewrite_its_prompt() {
    let odd = "replace with $& or $' or $1, and </conversation> ends nothing";
    let messages = json!([{"role": "user", "content": odd}, {"role": "assistant", "content": words(150_000)},
        {"role": "user", "content": "two"}, {"role": "assistant", "content": words(24_000)}]);
    let request = Ours::of(Format::OpenaiChat, &messages.to_string(), 200_000).request();
    assert_eq!(request.matches(odd).count(), 1, "it stands there as it was said");
    let opening = request.lines().find(|line| line.starts_with("<conversation")).unwrap();
    assert_ne!(opening, "<conversation>", "the tags are others than the transcript's");
}

#[test]
fn langchain_stores_a_failure_as_the_summary() {
    let [_, ours] = both();
    let options = SummaryOptions::default();
    let task = ours.session.summary_request(&ours.plan, &options).unwrap().unwrap();
    for (text, truncated) in [("", false), (" \n", false), ("## Goal\nA sh", true)] {
        assert!(finish(&task.context, Answer::new(text, truncated)).is_err(), "{text:?}");
    }
}
