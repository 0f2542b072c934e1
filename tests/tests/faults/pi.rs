//! pi: what it counts, and where it cuts.
//!
//! | fault | in | test |
//! |---|---|---|
//! | an image of the user weighs nothing | 0.58 | `pi_0_58_counts_an_image_of_the_user_as_nothing` |
//! | content that is never sent is counted | all | `pi_counts_shell_output_that_it_never_sends` |
//! | Han and emoji count a quarter of a token | all | `pi_counts_four_characters_a_token_in_every_script` |
//! | a usage of zeros is used as an anchor | 0.58 | `pi_0_58_takes_a_usage_of_zeros_for_an_empty_context` |
//! | usage from before a compaction is used | 0.58, 0.84 |
//! `pi_until_0_85_believes_a_usage_from_before_the_compaction` |
//! | trailing results use up the budget, and nothing happens | 0.58, 0.84 |
//! `pi_until_0_85_skips_silently_when_trailing_tool_results_eat_the_budget` |
//! | custom messages weigh nothing | 0.58 | `pi_0_58_weighs_custom_messages_as_nothing_when_it_cuts` |
//! | a cut before a shell command is a split turn with an empty prefix | 0.58 | `pi_0_58_splits_a_turn_at_its_own_beginning` |
//! | a change of model splits a whole turn | all | `pi_splits_a_turn_where_only_metadata_stands` |
//! | what one compaction kept is lost in the next | 0.58 |
//! `pi_0_58_loses_at_the_second_compaction_what_the_first_had_kept` |
//! | a summary is sent between a call and its result | 0.84 | `pi_0_84_sends_an_older_summary_between_a_call_and_its_result` |
//! | limits of images, throttling, empty answers as overflows | all; fewer since 0.84 | `pi_takes_other_errors_for_an_overflow` |

use ebbline::overflow::FailureKind;
use ebbline::plan::VerdictReason;
use ebbline::validate::{Rules, validate};
use ebbline::{Format, Verdict};
use serde_json::{Value, json};

use super::ours::{Ours, ask, judged, pi_entries, pi_file, theirs, words};

const VERSIONS: [&str; 3] = ["0.58", "0.84", "1.5"];

pub(super) fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

pub(super) fn answer(text: &str) -> Value {
    json!({"role": "assistant", "content": [{"type": "text", "text": text}], "stopReason": "stop"})
}

pub(super) fn call(id: &str) -> Value {
    let call = json!({"type": "toolCall", "id": id, "name": "bash", "arguments": {"command": "ls"}});
    json!({"role": "assistant", "content": [call], "stopReason": "toolUse"})
}

pub(super) fn result(id: &str, text: &str) -> Value {
    let content = json!([{"type": "text", "text": text}]);
    json!({"role": "toolResult", "toolCallId": id, "toolName": "bash", "content": content, "isError": false})
}

fn estimates(message: &Value) -> Vec<Value> {
    let estimate = |version: &&str| ask("pi", "estimate", &json!([message]), &json!({"version": version}));
    VERSIONS.iter().map(|version| estimate(version)["perMessage"][0].clone()).collect()
}

fn ours_of(messages: &[Value], context: u64) -> Ours {
    Ours::of(Format::Pi, &pi_file(&pi_entries(messages)), context)
}

#[test]
fn pi_0_58_counts_an_image_of_the_user_as_nothing() {
    let image = json!({"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"});
    let message = json!({"role": "user", "content": [image]});
    assert_eq!(estimates(&message), [json!(0), json!(1_200), json!(1_200)]);
    assert_eq!(ours_of(&[message], 200_000).tokens(0), 1_200);
}

#[test]
fn pi_counts_shell_output_that_it_never_sends() {
    let message =
        json!({"role": "bashExecution", "command": "ls", "output": words(80), "excludeFromContext": true});
    assert_eq!(estimates(&message), [json!(101), json!(101), json!(101)]);
    assert_eq!(ours_of(&[user("hello"), message], 200_000).tokens(1), 0);
}

#[test]
fn pi_counts_four_characters_a_token_in_every_script() {
    for (text, counted, at_least) in [("日本語日本語", 2, 4), ("🎉🎉🎉🎉🎉", 3, 5)] {
        assert_eq!(estimates(&user(text)), [json!(counted), json!(counted), json!(counted)]);
        let tokens = ours_of(&[user(text)], 200_000).tokens(0);
        assert!(tokens >= at_least, "{text}: {tokens}");
    }
}

#[test]
fn pi_0_58_takes_a_usage_of_zeros_for_an_empty_context() {
    let mut zeros = answer("done");
    zeros["usage"] = json!({"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 0});
    let messages = [user(&words(4_000)), zeros];
    let tokens = |version: &str| {
        ask("pi", "estimate", &json!(messages), &json!({"version": version}))["context"]["tokens"].clone()
    };
    assert_eq!(VERSIONS.map(tokens), [json!(0), json!(5_001), json!(5_001)]);
    assert!(ours_of(&messages, 200_000).plan.decision.trigger.tokens >= 4_000);
}

#[test]
fn pi_until_0_85_believes_a_usage_from_before_the_compaction() {
    let mut full = answer("done");
    full["usage"] = json!({"totalTokens": 190_000});
    let compaction =
        json!({"type": "compaction", "summary": "S", "firstKeptEntryId": "e2", "tokensBefore": 190_000});
    let entries = pi_entries(&[user("one"), answer("two"), user("three"), full, compaction, user("four")]);
    let tokens = |version: &str| {
        let context = ask("pi", "context", &json!(entries), &json!({"version": version}));
        context["contextTokens"]["tokens"].as_u64().unwrap()
    };
    assert!(tokens("0.58") > 190_000 && tokens("0.84") > 190_000 && tokens("1.5") < 200);
    let ours = Ours::of(Format::Pi, &pi_file(&entries), 200_000);
    assert!(ours.plan.decision.trigger.tokens < 200 && ours.plan.decision.verdict == Verdict::Noop);
}

#[test]
fn pi_until_0_85_skips_silently_when_trailing_tool_results_eat_the_budget() {
    let messages =
        [user("goal"), answer(&words(1_000)), user("go on"), call("c"), result("c", &words(170_000))];
    let entries = pi_entries(&messages);
    let settings = json!({"enabled": true, "reserveTokens": 16_384, "keepRecentTokens": 20_000});
    let prepare = |version: &str| {
        ask("pi", "prepare", &json!(entries), &json!({"version": version, "settings": settings}))
    };
    assert_eq!(prepare("0.84"), Value::Null, "nothing, and nobody is told");
    assert_eq!(prepare("0.58")["messagesToSummarize"], json!([]));
    assert_eq!(prepare("1.5")["messagesToSummarize"], json!(["e0", "e1"]));
    let text = pi_file(&entries);
    assert_eq!(theirs("pi@0.84", Format::Pi, &text, 200_000, false).decision.verdict, Verdict::Refuse);

    let ours = Ours::of(Format::Pi, &text, 200_000);
    assert_eq!(
        (ours.plan.decision.verdict, ours.plan.decision.reason),
        (Verdict::Summarize, VerdictReason::OverThreshold)
    );
    assert!(ours.plan.decision.fits, "with such a result in the window, nothing would have fitted");
    assert!(ours.request().contains("go on"));
    ours.carried_out();
}

#[test]
fn pi_0_58_weighs_custom_messages_as_nothing_when_it_cuts() {
    let custom =
        json!({"type": "custom_message", "customType": "note", "content": words(4_000), "display": true});
    let messages = [user("one"), answer("two"), custom, answer("three"), user("four")];
    let entries = pi_entries(&messages);
    let cut = |version: &str| {
        let options = json!({"version": version, "keepRecentTokens": 1_000});
        ask("pi", "cutPoint", &json!(entries), &options)["firstKeptEntryIndex"].clone()
    };
    assert_eq!(VERSIONS.map(cut), [json!(0), json!(2), json!(2)]);
    assert!(Ours::of(Format::Pi, &pi_file(&entries), 200_000).tokens(2) > 3_500);
}

#[test]
fn pi_0_58_splits_a_turn_at_its_own_beginning() {
    let shell = json!({"role": "bashExecution", "command": "ls", "output": words(4_000)});
    let entries = pi_entries(&[user("one"), answer("two"), shell, answer("three")]);
    let cut = |version: &str| {
        ask("pi", "cutPoint", &json!(entries), &json!({"version": version, "keepRecentTokens": 4_500}))
    };
    let (old, mended) = (cut("0.58"), cut("0.84"));
    assert_eq!((&old["isSplitTurn"], &old["turnStartIndex"]), (&json!(true), &json!(2)));
    assert_eq!((&mended["isSplitTurn"], &mended["firstKeptEntryIndex"]), (&json!(false), &json!(2)));
    let ours = Ours::after_overflow(Format::Pi, &pi_file(&entries), 20_000);
    assert_eq!((ours.plan.decision.retain.boundary, ours.plan.decision.retain.split_turn), (Some(2), None));
}

#[test]
fn pi_splits_a_turn_where_only_metadata_stands() {
    let change = json!({"type": "model_change", "provider": "p", "modelId": "m"});
    let messages = [user("one"), answer(&words(150_000)), change, user(&words(20_000)), answer("two")];
    let entries = pi_entries(&messages);
    for version in VERSIONS {
        let prepared = ask("pi", "prepare", &json!(entries), &json!({"version": version}));
        assert_eq!(prepared["isSplitTurn"], json!(true), "{version}: a whole turn is called the part of one");
        assert_eq!(prepared["turnPrefixMessages"], json!(["e0", "e1"]));
    }
    let ours = Ours::of(Format::Pi, &pi_file(&entries), 200_000);
    assert_eq!(ours.plan.decision.verdict, Verdict::Summarize);
    assert_eq!(ours.plan.decision.retain.split_turn, None, "the boundary stands where a turn begins");
    assert!(!ours.request().contains("<turn-request>"));
    ours.carried_out();
}

#[test]
fn pi_0_58_loses_at_the_second_compaction_what_the_first_had_kept() {
    let compaction =
        json!({"type": "compaction", "summary": "S", "firstKeptEntryId": "e2", "tokensBefore": 9});
    let messages = [
        user("forgotten long ago"),
        answer("yes"),
        user("the color is teal"),
        answer(&words(20_000)),
        compaction,
        user("next"),
        answer(&words(130_000)),
        user("and now"),
        answer(&words(24_000)),
    ];
    let entries = pi_entries(&messages);
    let summarized = |version: &str| {
        ask("pi", "prepare", &json!(entries), &json!({"version": version}))["messagesToSummarize"].clone()
    };
    assert!(!summarized("0.58").to_string().contains("e2"), "neither kept nor summarized");
    assert!(summarized("0.84").to_string().contains("e2") && summarized("1.5").to_string().contains("e2"));

    let ours = Ours::of(Format::Pi, &pi_file(&entries), 200_000);
    let request = ours.request();
    assert!(request.contains("the color is teal") && !request.contains("forgotten long ago"));
    assert!(request.contains("<previous-summary>\nS\n"));
    ours.carried_out();
}

#[test]
fn pi_0_84_sends_an_older_summary_between_a_call_and_its_result() {
    let compaction = |kept: &str, summary: &str| json!({"type": "compaction", "summary": summary, "firstKeptEntryId": kept, "tokensBefore": 9});
    let list = [
        user("one"),
        call("c"),
        compaction("e1", "older"),
        result("c", "ok"),
        compaction("e1", "newer"),
        user("two"),
    ];
    let entries = pi_entries(&list);
    let roles = |version: &str| {
        let context = ask("pi", "context", &json!(entries), &json!({"version": version}));
        let messages = context["messages"].as_array().unwrap().clone();
        messages.iter().map(|message| message["role"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let whole = ["compactionSummary", "assistant", "toolResult", "user"];
    assert_eq!(roles("0.84"), ["compactionSummary", "assistant", "compactionSummary", "toolResult", "user"]);
    assert_eq!(
        (roles("0.58"), roles("1.5")),
        (whole.map(str::to_owned).to_vec(), whole.map(str::to_owned).to_vec())
    );

    let ours = Ours::after_overflow(Format::Pi, &pi_file(&entries), 200_000);
    assert!(validate(ours.session.transcript(), &Rules::of(Format::Pi)).is_empty());
}

#[test]
fn pi_takes_other_errors_for_an_overflow() {
    let overflow = |text: &str, version: &str| {
        let message = json!({"role": "assistant", "provider": "openai", "stopReason": "error", "errorMessage": text, "content": []});
        ask("pi", "overflow", &message, &json!({"version": version, "contextWindow": 200_000}))["isContextOverflow"].clone()
    };
    for (text, pi, kind) in [
        ("number exceeds the limit of 10 images", [true, true, true], FailureKind::MediaLimit),
        ("Throttling error: Too many tokens, please wait", [true, false, false], FailureKind::RateLimit),
        ("400 (no body)", [true, true, false], FailureKind::Other),
    ] {
        assert_eq!(VERSIONS.map(|version| overflow(text, version)), pi.map(Value::from), "{text}");
        assert_eq!(judged(&json!(text)), kind, "{text}");
    }
}
