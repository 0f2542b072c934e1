//! Bad input of every kind gets an error that names the place; nothing panics and nothing is lost.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use ebbline::{EditOptions, Format, PlanOptions, ReadOptions, SessionText, profiles};

fn refused(source: &str, options: &ReadOptions) -> String {
    let error =
        SessionText::read_with(source, options).expect_err(&source.chars().take(60).collect::<String>());
    let place = error.place().map_or("nowhere".to_owned(), |place| format!("{}:{}", place.line, place.byte));
    format!("{} at {place}: {}", error.code(), error.message())
}

#[test]
fn each_kind_of_bad_input_has_its_own_answer() {
    let deep = format!("[{{\"role\":\"user\",\"content\":{}1{}}}]", "[".repeat(100_000), "]".repeat(100_000));
    let cases = [
        ("", "empty at 1:0: there is nothing to read"),
        ("\u{feff} \r\n", "empty at 2:6: there is nothing to read"),
        ("hello", "not_json at 1:0: expected JSON, found plain text"),
        ("{\"messages\": [}", "not_json at 1:14: expected a value"),
        (
            "[{\"role\": \"user\", \"content\": \"to",
            "torn_line at 1:32: the text ends where the end of a string was expected",
        ),
        (
            "{\"name\": \"x\", \"version\": 3}",
            "no_messages at 1:0: JSON, but no session: an object with name, version; if an agent wrote it, convert it to OpenAI Chat as https://github.com/ebbline/ebbline/blob/main/docs/convert.md shows",
        ),
        (
            "{\"messages\": []}",
            "no_messages at 1:0: JSON, but no session: an object with messages; its messages are an empty array; if an agent wrote it, convert it to OpenAI Chat as https://github.com/ebbline/ebbline/blob/main/docs/convert.md shows",
        ),
        ("[]", "no_messages at 1:0: JSON, but no session: an empty array"),
        ("[1, 2]", "no_messages at 1:0: JSON, but no session: an array of 2 values, each a number"),
        ("\n2000000000", "no_messages at 2:1: JSON, but no session: a number"),
        (deep.as_str(), "too_deep at 1:1024: nested deeper than 1000 levels"),
    ];
    for (source, answer) in cases {
        assert_eq!(refused(source, &ReadOptions::default()), answer);
    }
}

#[test]
fn another_format_than_the_one_asked_for_is_named() {
    let options = ReadOptions::new().format(Format::Pi);
    assert_eq!(
        refused(r#"[{"role":"tool","tool_call_id":"c","content":"x"}]"#, &options),
        "wrong_format at 1:0: pi was asked for, but this is OpenAI Chat: 1 message in an array: role tool, tool_calls"
    );
    let error = Format::from_name("openai").unwrap_err();
    assert_eq!(error.code(), "unknown_format");
    let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    let expected = format!("there is no format \"openai\"; there are {}", names.join(", "));
    assert_eq!(error.message(), expected);
}

#[test]
fn a_recognized_format_without_a_reader_is_named() {
    let answer = refused(
        r#"{"$schemaVersion":"1.0","original_input":"a","model_responses":[]}"#,
        &ReadOptions::default(),
    );
    assert!(
        answer.starts_with(
            "unsupported_format at 1:0: this looks like OpenAI Agents RunState ($schemaVersion, original_input and model_responses)"
        ),
        "{answer}"
    );
}

#[test]
fn a_torn_last_line_is_reported_and_kept() {
    let source = concat!(
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/w\"}\r\n",
        "\n",
        "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n",
        "not json at all\n",
        "{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"mess"
    );
    let session = SessionText::read(source).unwrap();
    let problems: Vec<_> =
        session.problems().iter().map(|problem| (problem.code(), problem.place().unwrap().line)).collect();
    assert_eq!(problems, [("not_json", 4), ("torn_line", 5)]);
    assert_eq!(session.counts().messages, 1);
    let policy = profiles::get("opencode@2026-01").unwrap();
    let plan = session.plan(&policy);
    assert_eq!(session.compact(&plan, &EditOptions::default()).unwrap(), source);
}

#[test]
fn odd_spellings_come_back_as_they_were() {
    let output = "x".repeat(400);
    let source = format!(
        concat!(
            "\u{feff}[ {{\"role\":\"user\",\"content\":\"\\ud83d \\u00e9 \\/ \u{2028}\"}},\r\n",
            "{{\"role\":\"assistant\",\"content\":null,\"n\":29.0,\"n\":1e400,\"tool_calls\":[{{\"id\":\"c\",",
            "\"function\":{{\"name\":\"ls\",\"arguments\":\"{{}}\"}}}}]}},\r\n",
            "{{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"{output}\",\"unknown\":[-0.0,{digits}]}},\r\n",
            "{{\"role\":\"user\",\"content\":\"next\"}}]\r\n\r\n"
        ),
        output = output,
        digits = "9".repeat(5_000),
    );
    let session = SessionText::read(&source).unwrap();
    let mut policy = profiles::get("tunacode@2026-01").unwrap();
    (policy.prune.protect, policy.prune.minimum) = (0, 1);
    let plan = session.plan(&policy);
    let written = session.compact(&plan, &EditOptions::default()).unwrap();
    assert_eq!(written, source.replace(&output, "[Old tool result content cleared]"));
    let other = source.replace("next", "text");
    let other = SessionText::read(&other).unwrap().compact(&plan, &EditOptions::default());
    assert_eq!(other.unwrap_err().code(), "mismatch", "another text is not edited, however long it is");
}

#[test]
fn usage_and_sizes_beyond_any_number_do_not_overflow() {
    let source = r#"[{"role":"user","content":"a","timestamp":1e999},{"role":"tool_result","content":[],"timestamp":-5}]"#;
    let session = SessionText::read(source).unwrap();
    for name in profiles::names() {
        let mut policy = profiles::get(name).unwrap();
        for knob in ["prune.protect", "prune.minimum", "retain.keep", "model.context"] {
            policy.set(knob, "9007199254740991").unwrap();
        }
        policy.set("trigger.reserve", "-9007199254740991").unwrap();
        let plan = session.plan_with(&policy, PlanOptions::new().force(true).known_tokens(u64::MAX));
        assert!(plan.decision.tokens_before < 100);
    }
}
