use crate::ask;

const VERSIONS: [&str; 3] = ["0.58", "0.84", "1.5"];
const USER: &str = r#"{"type":"message","id":"u","timestamp":"1970-01-01T00:00:00.001Z","message":{"role":"user","content":"q"}}"#;

/// What each version does after a user message and `answer`, an assistant message of the current model, which has a
/// window of 1,000 tokens, a reserve of 100 and an output limit of 50.
fn checks(answer: &str, entries: &str, options: &str) -> [String; 3] {
    let answer = format!(
        r#"{{"type":"message","id":"a","parentId":"u","message":{{"role":"assistant","content":[],"timestamp":2,"provider":"p","model":"m",{answer}}}}}"#
    );
    let data = format!("[{USER},{answer}{entries}]");
    VERSIONS.map(|version| check(&data, version, options))
}

fn check(data: &str, version: &str, options: &str) -> String {
    let options = format!(
        r#"{{"version":"{version}","model":{{"provider":"p","id":"m","contextWindow":1000,"maxTokens":50}},"settings":{{"enabled":true,"reserveTokens":100}}{options}}}"#
    );
    ask("pi", "check", data, &options).map_or_else(|error| error.code().to_owned(), |answer| short(&answer))
}

/// `compact overflow retry drop 950 over_threshold`: false members are left out.
fn short(answer: &str) -> String {
    let document = ebbline::json::Document::parse(answer).unwrap();
    let member = |key| document.root().present(key);
    let flag = |key, word| member(key).filter(|flag| flag.is_truthy()).map(|_| word);
    let text = |key| member(key).map(|value| value.source().trim_matches('"'));
    let words = [
        text("action"),
        text("reason"),
        flag("willRetry", "retry"),
        flag("dropLastAnswer", "drop"),
        text("contextTokens"),
        text("why"),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn usage(input: u32, output: u32) -> String {
    format!(r#""usage":{{"input":{input},"output":{output},"cacheRead":0,"cacheWrite":0}}"#)
}

#[test]
fn answers_are_judged_by_what_they_used_and_how_they_ended() {
    let below = "none 900 below_threshold";
    let over = "compact threshold 901 over_threshold";
    let refused = r#""stopReason":"error","errorMessage":"prompt is too long""#.to_owned();
    let retry = "compact overflow retry drop";
    let cases = [
        (format!(r#""stopReason":"stop",{}"#, usage(899, 1)), "", [below; 3].map(str::to_owned)),
        (format!(r#""stopReason":"toolUse",{}"#, usage(900, 1)), "", [over; 3].map(str::to_owned)),
        (refused.clone(), "", [(); 3].map(|()| format!("{retry} overflow_error"))),
        (
            refused.clone(),
            r#","recoveryTried":true"#,
            [(); 3].map(|()| "fail overflow already_tried".to_owned()),
        ),
        (
            format!(r#""stopReason":"stop",{}"#, usage(1001, 1)),
            "",
            [
                format!("{retry} silent_overflow"),
                "compact overflow silent_overflow".to_owned(),
                "compact overflow silent_overflow".to_owned(),
            ],
        ),
        (
            format!(r#""stopReason":"length",{}"#, usage(990, 0)),
            "",
            [
                "compact threshold 990 over_threshold".to_owned(),
                format!("{retry} silent_overflow"),
                format!("{retry} silent_overflow"),
            ],
        ),
        (
            format!(r#""stopReason":"length",{}"#, usage(10, 49)),
            "",
            [
                "none 59 below_threshold".to_owned(),
                format!("{retry} recoverable_length"),
                format!("{retry} recoverable_length"),
            ],
        ),
        (
            format!(r#""stopReason":"length",{}"#, usage(10, 50)),
            "",
            [(); 3].map(|()| "none 60 below_threshold".to_owned()),
        ),
        (
            r#""stopReason":"error","errorMessage":"no connection""#.to_owned(),
            "",
            ["none no_usage", "none no_usage", "none 1 below_threshold"].map(str::to_owned),
        ),
        (
            format!(r#""stopReason":"stop",{}"#, usage(0, 0)),
            "",
            ["none 0 below_threshold", "none no_usage", "none 1 below_threshold"].map(str::to_owned),
        ),
        (
            r#""stopReason":"toolUse""#.to_owned(),
            "",
            ["invalid_settings".to_owned(), "none no_usage".to_owned(), "none 1 below_threshold".to_owned()],
        ),
    ];
    for (answer, options, expected) in cases {
        assert_eq!(checks(&answer, "", options), expected, "{answer} {options}");
    }
}

#[test]
fn the_point_the_settings_and_the_model_decide_before_the_answer() {
    let full = usage(950, 1);
    let refused = r#""stopReason":"error","errorMessage":"prompt is too long""#;
    let other = r#","model":{"provider":"p","id":"other","contextWindow":1000,"maxTokens":50}"#;
    let aborted = format!(r#""stopReason":"aborted",{full}"#);
    let cases = [
        (aborted.as_str(), "", ["none aborted"; 3]),
        (aborted.as_str(), r#","at":"beforePrompt""#, ["compact threshold 951 over_threshold"; 3]),
        (refused, r#","settings":{"reserveTokens":1}"#, ["none disabled"; 3]),
        (refused, r#","model":null"#, ["none no_usage", "none no_usage", "none 1 no_model"]),
        (refused, other, ["none other_model", "none other_model", "none 1 other_model"]),
        (refused, r#","messages":[]"#, ["none no_answer"; 3]),
        (refused, r#","at":"later""#, ["invalid_settings"; 3]),
        (
            refused,
            r#","at":"betweenTurns""#,
            ["invalid_settings", "invalid_settings", "none 1 below_threshold"],
        ),
    ];
    for (answer, options, expected) in cases {
        assert_eq!(checks(answer, "", options), expected, "{answer} {options}");
    }
}

#[test]
fn between_turns_only_the_size_counts() {
    let full = format!(r#""stopReason":"toolUse",{}"#, usage(900, 1));
    let cases = [
        ("", "compact threshold 901 over_threshold"),
        (r#","settings":{"enabled":false}"#, "none 901 disabled"),
        (r#","model":null"#, "none no_model"),
        (r#","model":{"contextWindow":0}"#, "none no_window"),
    ];
    for (options, expected) in cases {
        let options = format!(r#","at":"betweenTurns"{options}"#);
        assert_eq!(checks(&full, "", &options)[2], expected, "{options}");
    }
}

#[test]
fn what_was_said_before_the_latest_compaction_is_stale() {
    let compaction = |time: &str| {
        format!(
            r#",{{"type":"compaction","id":"c","parentId":"a","timestamp":"{time}","summary":"s","firstKeptEntryId":"u"}}"#
        )
    };
    let full = format!(r#""stopReason":"toolUse",{}"#, usage(950, 1));
    let later = r#",{"type":"message","id":"b","parentId":"c","message":{"role":"assistant","content":[],"timestamp":9,"provider":"p","model":"m","stopReason":"error"}}"#;
    let (same, before) = ("1970-01-01T00:00:00.002Z", "1970-01-01T00:00:00.001Z");
    assert_eq!(checks(&full, &compaction(same), ""), ["none stale"; 3], "the same moment");
    let over = "compact threshold 951 over_threshold";
    assert_eq!(checks(&full, &compaction(before), ""), [over; 3]);
    assert_eq!(checks(&full, &compaction("soon"), ""), [over; 3], "no time is before nothing");
    let kept = format!("{}{later}", compaction(same));
    assert_eq!(checks(&full, &kept, ""), ["none kept_usage"; 3]);
}

#[test]
fn edits_since_the_answer_take_its_usage_away() {
    let edit = |target: &str, replacement: &str| {
        format!(
            r#",{{"type":"context_edit","id":"e","parentId":"a","targetId":"{target}","replacement":{replacement}}}"#
        )
    };
    let message = r#""role":"assistant","content":[],"timestamp":2,"provider":"p","model":"m""#;
    let silent = format!(r#""stopReason":"stop",{}"#, usage(1001, 1));
    let refused = r#""stopReason":"error","errorMessage":"prompt is too long""#;
    let said = |answer: &str| format!(r#","message":{{{message},{answer}}}"#);
    let cases = [
        (silent.as_str(), edit("u", r#"{"content":"x"}"#), "none 1 below_threshold"),
        (silent.as_str(), edit("a", "null"), "none 1 below_threshold"),
        (refused, edit("u", r#"{"content":"x"}"#), "compact overflow retry drop overflow_error"),
        (refused, edit("a", "null"), "none 1 below_threshold"),
    ];
    for (answer, edit, expected) in cases {
        assert_eq!(checks(answer, &edit, &said(answer))[2], expected, "{answer} {edit}");
    }
}

#[test]
fn live_messages_may_differ_from_the_entries() {
    let refused = r#""stopReason":"error","errorMessage":"prompt is too long""#;
    let message = format!(r#"{{"role":"assistant","content":[],"provider":"p","model":"m",{refused}}}"#);
    let options = format!(r#","message":{message},"messages":[{{"role":"user","content":"q"}}]"#);
    assert_eq!(check("[]", "0.84", &options), "compact overflow retry overflow_error", "nothing to drop");
    let options = format!(r#","messages":[{message}]"#);
    assert_eq!(check("[]", "0.84", &options), "compact overflow retry drop overflow_error");
    assert_eq!(check("[]", "1.5", &options), "compact overflow retry overflow_error", "no entry to hide");
}
