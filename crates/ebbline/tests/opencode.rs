//! OpenCode exports: the native mark, and what is sent after a compaction.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use ebbline::transcript::Output;
use ebbline::{EditOptions, SessionText, profiles};

fn tool(id: &str, size: usize, time: &str) -> String {
    format!(
        "{{\n  \"type\": \"tool\", \"callID\": \"{id}\", \"tool\": \"bash\",\n  \"state\": {{ \"status\": \"completed\", \"input\": {{}}, \"output\": \"{}\", \"time\": {time} }}\n}}",
        "x".repeat(size)
    )
}

fn message(id: &str, role: &str, extra: &str, parts: &[String]) -> String {
    format!("{{\"info\":{{\"id\":\"{id}\",\"role\":\"{role}\"{extra}}},\"parts\":[{}]}}", parts.join(","))
}

fn text(words: &str) -> String {
    format!("{{\"type\":\"text\",\"text\":\"{words}\"}}")
}

#[test]
fn pruning_sets_the_mark_and_leaves_the_output() {
    let time = "{\n    \"start\": 5,\n    \"end\": 7\n  }";
    let messages = [
        message("a", "user", "", &[text("hi")]),
        message("b", "assistant", "", &[tool("c1", 200_000, time), tool("c2", 170_000, time)]),
        message("d", "user", "", &[text("more")]),
        message("e", "user", "", &[text("and more")]),
    ];
    let source = format!("{{\"info\":{{\"id\":\"ses_1\"}},\"messages\":[{}]}}", messages.join(","));
    let session = SessionText::read(&source).unwrap();
    let policy = profiles::get("opencode@2026-01").unwrap();
    let plan = session.plan(&policy);
    let written = session.compact(&plan, &EditOptions::new().now(99)).unwrap();
    let marked = "{\n    \"start\": 5,\n    \"end\": 7,\n    \"compacted\": 99\n  }";
    assert_eq!(written, source.replace(time, marked));
    let again = SessionText::read(&written).unwrap();
    assert_eq!(again.transcript().parts().iter().filter(|part| part.output == Output::Pruned).count(), 2);
    assert_eq!(again.plan(&policy).decision.tokens_before, plan.decision.tokens_after);
}

#[test]
fn without_a_moment_given_the_newest_one_of_the_session_is_written() {
    let parts = [tool("c1", 400_000, "{\"start\":5,\"end\":1234}")];
    let messages = [
        message("b", "assistant", ",\"time\":{\"created\":1000}", &parts),
        message("d", "user", "", &[text("a")]),
        message("e", "user", "", &[text("b")]),
    ];
    let source = format!("[{}]", messages.join(","));
    let session = SessionText::read(&source).unwrap();
    let policy = profiles::get("opencode@2026-01").unwrap();
    let plan = session.plan(&policy);
    let written = session.compact(&plan, &EditOptions::default()).unwrap();
    assert!(written.contains("{\"start\":5,\"end\":1234,\"compacted\":1234}"));
}

#[test]
fn after_a_compaction_the_marker_the_summary_and_the_tail_are_sent() {
    let sent = |tail: &str, finish: &str| {
        let marker = format!("{{\"type\":\"compaction\",\"auto\":true{tail}}}");
        let messages = [
            message("a", "user", "", &[text("old")]),
            message("b", "assistant", ",\"finish\":\"stop\"", &[text("older answer")]),
            message("c", "user", "", &[text("tail")]),
            message("d", "user", "", &[marker]),
            message(
                "e",
                "assistant",
                &format!(",\"summary\":true,\"parentID\":\"d\"{finish}"),
                &[text("summary")],
            ),
            message("f", "user", "", &[text("next")]),
        ];
        let source = format!("[{}]", messages.join(","));
        let session = SessionText::read(&source).unwrap();
        let active = (0..6).filter(|at| session.transcript().messages()[*at].active);
        let id = |at: usize| source[session.span(at)].split('"').nth(5).unwrap_or_default().to_owned();
        active.map(id).collect::<String>()
    };
    let finished = ",\"finish\":\"stop\"";
    assert_eq!(sent("", finished), "def");
    assert_eq!(sent(",\"tail_start_id\":\"c\"", finished), "decf");
    assert_eq!(
        sent(",\"tail_start_id\":\"gone\"", finished),
        "abcdef",
        "a dangling tail brings everything back"
    );
    assert_eq!(sent("", ""), "abcdef", "an unfinished summary is no boundary");
    assert_eq!(
        sent("", ",\"finish\":\"error\",\"error\":{\"name\":\"x\"}"),
        "abcdf",
        "nor is a failed one sent"
    );
}
