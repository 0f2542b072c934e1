//! The peak memory of reading, without the text itself, which is borrowed.
//!
//! The allocator counts every byte, and while a list is moved it counts both copies. In lengths of the text, sessions
//! take less than 3 (real ones less than 1, because most of them is text), and a text made to take as much as
//! possible takes less than 10. `cargo test -p ebbline-tests --test memory -- --nocapture` prints the figures.
//!
//! One test at a time, because parallel tests would be counted too.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on has failed; figures")]

use std::sync::{Mutex, MutexGuard, PoisonError};

use ebbline::SessionText;
use ebbline_tests::enlarged::{enlarge, fixtures};
use ebbline_tests::{sessions, shared};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Locked by the test that measures.
static MEASURING: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    MEASURING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tables are allocated in pieces, so this many bytes are not counted, however short the text.
const FREE: usize = 64 * 1024;

/// The memory of reading a text.
struct Figures {
    /// The peak, in lengths of the text.
    peak: f64,
    /// What the session keeps, in bytes per message.
    kept: usize,
    messages: usize,
}

fn measure(text: &str) -> Figures {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let session = SessionText::read(text).unwrap();
    let peak = MEMORY.peak_usage().saturating_sub(before + FREE);
    let kept = MEMORY.current_usage() - before;
    let messages = session.transcript().messages().len();
    Figures { peak: peak as f64 / text.len() as f64, kept: kept / messages.max(1), messages }
}

fn check(name: &str, text: &str, most: f64) {
    let Figures { peak, kept, messages } = measure(text);
    let size = text.len();
    println!("{peak:5.2} of {size:>9} bytes, {kept:>5} bytes a message of {messages:>6}: {name}");
    assert!(peak < most, "reading {name} took {peak:.2} times its {size} bytes");
}

/// A message with a tool call of these arguments.
fn call(arguments: &str) -> String {
    let block = format!(r#"{{"type":"tool_use","id":"c","name":"n","input":{arguments}}}"#);
    format!(r#"[{{"role":"user","content":"x"}},{{"role":"assistant","content":[{block}]}}]"#)
}

fn list(element: &str, count: usize) -> String {
    format!("[{}]", vec![element; count].join(","))
}

#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn reading_a_real_session_takes_less_than_three_times_its_size() {
    let _alone = alone();
    let mut checked = 0;
    for path in sessions::files(&shared("sessions")) {
        let text = std::fs::read_to_string(&path).unwrap();
        if text.len() >= 64 * 1024 && SessionText::read(&text).is_ok() {
            check(&path.file_name().unwrap().to_string_lossy(), &text, 3.0);
            checked += 1;
        }
    }
    assert!(checked > 0, "no session is long enough");
}

#[test]
fn reading_takes_less_than_three_times_a_session_and_ten_times_any_text() {
    let _alone = alone();
    for (path, text) in fixtures() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // These are assembled from pieces, by ids or out of a container, and their messages are only a few words each
        // here.
        let is_assembled = ["opencode-rows.jsonl", "tau-bench.json"].contains(&name.as_str());
        let most = if is_assembled { 5.0 } else { 3.0 };
        check(&name, &enlarge(&text, 3_000_000), most);
    }
    let chat = |content: &str| format!("{{\"role\":\"user\",\"content\":\"{content}\"}}\n");
    check("20 MB in one document", &enlarge(&list(chat(&"word ".repeat(400)).trim(), 3), 20_000_000), 3.0);
    check("lines of 1 MB", &chat(&"text \\n\\u00e9 \\\" ".repeat(64_000)).repeat(8), 3.0);
    check("lines of 100 bytes", &chat(&"x".repeat(70)).repeat(50_000), 3.0);

    // As deep as can be read; measuring it keeps nothing of what has been measured already.
    let deep = format!("{}1{}", r#"{"a":"#.repeat(900), "}".repeat(900));
    for (name, text) in [
        (
            "a deep output of an AI SDK UI message",
            format!(
                r#"[{{"id":"m","role":"assistant","parts":[{{"type":"tool-ls","toolCallId":"c","state":"output-available","input":{{}},"output":{deep}}}]}}]"#
            ),
        ),
        (
            "a deep output of an AI SDK model message",
            format!(
                r#"[{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"c","toolName":"ls","output":{{"type":"json","value":{deep}}}}}]}}]"#
            ),
        ),
        (
            "a deep response of Gemini contents",
            format!(
                r#"[{{"role":"user","parts":[{{"functionResponse":{{"id":"c","name":"ls","response":{{"result":{deep}}}}}}}]}}]"#
            ),
        ),
        ("an argument of numbers", call(&list("1", 2_000_000))),
        ("an argument of empty lists", call(&list("[]", 1_000_000))),
        ("an argument of lists in lists", call(&list("[[[1]]]", 400_000))),
        (
            "an argument of one key again and again",
            call(&format!("{{{}}}", vec![r#""":1"#; 500_000].join(","))),
        ),
        (
            "an argument of many keys",
            call(&format!(
                "{{{}}}",
                (0..300_000).map(|key| format!("\"{key:x}\":1")).collect::<Vec<_>>().join(",")
            )),
        ),
        ("an argument of escapes", call(&format!("\"{}\"", "\\n".repeat(1_000_000)))),
        ("the shortest messages", list(chat("x").trim(), 100_000)),
        ("the shortest results", list(r#"{"role":"tool","tool_call_id":"a","content":"x"}"#, 60_000)),
        ("the shortest lines", chat("x").repeat(100_000)),
        ("bad lines", format!("{}{}{}", chat("x"), chat("y"), "x\n".repeat(500_000))),
    ] {
        check(name, &text, 10.0);
    }
}
