//! pi: its requests to the summarizer, and the answers that it accepts.
//!
//! | fault | in | test |
//! |---|---|---|
//! | a summary of nothing is requested and paid for | 0.58 | `pi_0_58_pays_for_a_summary_of_nothing` |
//! | a split turn without new history loses the previous summary | 0.58, 0.84 | `pi_until_0_85_loses_the_previous_summary_when_one_turn_is_all_there_is` |
//! | half a character in the request | 0.58, 0.84 | `pi_until_0_85_cuts_a_character_in_two` |
//! | complete arguments are part of the request | all | `pi_puts_arguments_into_the_request_whole` |
//! | an empty answer is accepted | all | `pi_takes_an_empty_answer_for_a_summary` |
//! | a truncated answer is accepted | 0.58, 0.84 | `pi_until_0_84_takes_half_an_answer_for_a_summary` |

use ebbline::summary::{Answer, SummaryOptions, finish};
use ebbline::{Format, Verdict};
use serde_json::{Value, json};

use super::ours::{Ours, ask, pi_entries, pi_file, words};
use super::pi::{answer, call, result, user};

const VERSIONS: [&str; 3] = ["0.58", "0.84", "1.5"];

/// A reply of the summarizer.
fn reply(text: &str, stop: &str) -> Value {
    json!({"role": "assistant", "content": [{"type": "text", "text": text}], "stopReason": stop})
}

fn compact(entries: &[Value], version: &str, replies: &[Value]) -> Value {
    let model = json!({"contextWindow": 200_000, "maxTokens": 32_000});
    let options = json!({"version": version, "model": model, "replies": replies});
    ask("pi", "compact", &json!(entries), &options)
}

fn long_session() -> Vec<Value> {
    pi_entries(&[user("Build a shop."), answer(&words(150_000)), user(&words(20_000)), answer("Well.")])
}

#[test]
fn pi_0_58_pays_for_a_summary_of_nothing() {
    let entries = pi_entries(&[user("hello"), answer("hi")]);
    let requests = |version: &str| compact(&entries, version, &[])["requests"].as_array().map_or(0, Vec::len);
    assert_eq!(VERSIONS.map(requests), [1, 0, 0]);
    let ours = Ours::after_overflow(Format::Pi, &pi_file(&entries), 200_000);
    assert_eq!(ours.plan.decision.verdict, Verdict::Refuse);
    let options = SummaryOptions::default();
    assert_eq!(ours.session.summary_request(&ours.plan, &options).unwrap(), None);
}

#[test]
fn pi_until_0_85_loses_the_previous_summary_when_one_turn_is_all_there_is() {
    let compaction = json!({"type": "compaction", "summary": "The color is teal.", "firstKeptEntryId": "e2", "tokensBefore": 9});
    let mut messages = vec![user("one"), answer("two"), compaction, user("the request")];
    for id in ["a", "b", "c", "d"] {
        messages.extend([call(id), result(id, &words(45_000))]);
    }
    messages.push(answer("so far"));
    // The previous compaction kept nothing, so the next range begins at its own place.
    messages[2]["firstKeptEntryId"] = json!("e3");
    let entries = pi_entries(&messages);
    for (version, is_kept) in [("0.58", false), ("0.84", false), ("1.5", true)] {
        let mut replies = Vec::new();
        let result = loop {
            let exchange = compact(&entries, version, &replies);
            if let Some(result) = exchange.get("result") {
                let all = exchange["requests"].to_string() + &result.to_string();
                break all;
            }
            replies.push(reply("summary of the prefix", "stop"));
        };
        assert_eq!(result.contains("The color is teal."), is_kept, "{version}");
    }
    let ours = Ours::of(Format::Pi, &pi_file(&entries), 200_000);
    let request = ours.request();
    assert!(request.contains("<previous-summary>\nThe color is teal.\n"));
    assert!(request.contains("<turn-request>\nthe request\n"));
    ours.carried_out();
}

#[test]
fn pi_until_0_85_cuts_a_character_in_two() {
    let output = "a".repeat(1_999) + "😀" + &"b".repeat(4_000);
    let messages = json!([call("c"), result("c", &output)]).to_string();
    let is_torn = |version: &str| {
        let text =
            ebbline_compat::ask("pi", "serialize", &messages, &json!({"version": version}).to_string())
                .unwrap();
        serde_json::from_str::<String>(&text).is_err()
    };
    assert_eq!(VERSIONS.map(is_torn), [true, true, false]);
    // Emoji at every position of the text, so that one of them is where the request is cut. `request` checks it.
    for shift in 0..2 {
        let output = "a".repeat(shift) + &"😀".repeat(40_000);
        let list = [
            user("one"),
            call("c"),
            result("c", &output),
            answer("two"),
            user("three"),
            answer(&words(24_000)),
        ];
        Ours::after_overflow(Format::Pi, &pi_file(&pi_entries(&list)), 100_000).request();
    }
}

#[test]
fn pi_puts_arguments_into_the_request_whole() {
    let mut write = call("c");
    write["content"][0]["arguments"] = json!({"path": "a.txt", "content": words(300_000)});
    let messages = [user("one"), write, result("c", "ok"), user("two"), answer(&words(24_000))];
    for version in VERSIONS {
        let text = ask("pi", "serialize", &json!(messages), &json!({"version": version}));
        assert!(text.as_str().unwrap().len() > 1_500_000, "{version}: more than the window it is to save");
    }
    let ours = Ours::of(Format::Pi, &pi_file(&pi_entries(&messages)), 200_000);
    assert!(ours.request().len() < 100_000);
    ours.carried_out();
}

#[test]
fn pi_takes_an_empty_answer_for_a_summary() {
    for version in VERSIONS {
        let result = compact(&long_session(), version, &[reply("", "stop")]);
        assert_eq!(result["result"]["summary"], json!(""), "{version}");
    }
    refused("", false);
}

#[test]
fn pi_until_0_84_takes_half_an_answer_for_a_summary() {
    let result = |version: &str| compact(&long_session(), version, &[reply("## Goal\nBuild a", "length")]);
    for version in ["0.58", "0.84"] {
        assert_eq!(result(version)["result"]["summary"], json!("## Goal\nBuild a"), "{version}");
    }
    assert!(result("1.5")["failure"].is_string());
    refused("## Goal\nBuild a", true);
}

fn refused(text: &str, truncated: bool) {
    let ours = Ours::of(Format::Pi, &pi_file(&long_session()), 200_000);
    let options = SummaryOptions::default();
    let task = ours.session.summary_request(&ours.plan, &options).unwrap().unwrap();
    assert!(finish(&task.context, Answer::new(text, truncated)).is_err());
}
