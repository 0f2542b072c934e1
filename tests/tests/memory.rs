//! What reading takes at most, beside the text itself.
#![expect(clippy::print_stdout, reason = "figures")]

use ebbline::{ReadOptions, Session};
use ebbline_tests::enlarged::{enlarge, fixtures};
use ebbline_tests::{sessions, shared};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The peak of reading `text` beside the text itself, in its lengths, and the bytes kept for each message.
fn factor(text: &str, options: &ReadOptions) -> (f64, f64, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let session = Session::read(text, options);
    let peak = MEMORY.peak_usage() - before;
    let kept = MEMORY.current_usage() - before;
    let messages = session.as_ref().map_or(0, |session| session.transcript().messages().len());
    (peak as f64 / text.len() as f64, kept as f64 / messages.max(1) as f64, messages)
}

#[test]
fn reading() {
    for (path, text) in fixtures() {
        let long = enlarge(&text, 5_000_000);
        let (peak, per, n) = factor(&long, &ReadOptions::default());
        println!(
            "{:40} {:>9} {peak:.2} {per:.0} {n}",
            path.file_name().unwrap().to_string_lossy(),
            long.len()
        );
    }
    let folder = shared("sessions").unwrap();
    for path in sessions::files(&folder) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let (peak, per, n) = factor(&text, &ReadOptions::default());
        println!(
            "{:40} {:>9} {peak:.2} {per:.0} {n}",
            path.file_name().unwrap().to_string_lossy(),
            text.len()
        );
    }
    let chat = |messages: &str, n| format!("[{}]", vec![messages; n].join(","));
    let call = |arguments: String| {
        format!(
            r#"[{{"role":"user","content":"x"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"c","name":"n","input":{arguments}}}]}}]"#
        )
    };
    for (name, text) in [
        ("dense array", call(format!("[{}]", vec!["1"; 2_500_000].join(",")))),
        ("dense arrays", call(format!("[{}]", vec!["[]"; 1_700_000].join(",")))),
        (
            "dense object",
            call(format!(
                "{{{}}}",
                (0..500_000).map(|n| format!("\"{n:x}\":1")).collect::<Vec<_>>().join(",")
            )),
        ),
        ("same keys", call(format!("{{{}}}", vec!["\"\":1"; 1_000_000].join(",")))),
        ("escapes", call(format!("\"{}\"", vec!["\\n"; 2_500_000].join("")))),
        ("tiny user", chat(r#"{"role":"user","content":"x"}"#, 200_000)),
        ("tiny tool", chat(r#"{"role":"tool","tool_call_id":"a","content":"x"}"#, 150_000)),
        (
            "tiny calls",
            format!(
                r#"[{{"role":"assistant","tool_calls":[{}]}}]"#,
                (0..200_000).map(|n| format!("{{\"id\":\"{n}\"}}")).collect::<Vec<_>>().join(",")
            ),
        ),
        ("tiny lines", vec![r#"{"role":"user","content":"x"}"#; 200_000].join("\n")),
        ("numbers", format!(r#"[{{"role":"tool"}},{}]"#, vec!["1"; 1_000_000].join(","))),
        ("objects", format!(r#"[{{"role":"tool"}},{}]"#, vec!["{}"; 1_000_000].join(","))),
        (
            "bad lines",
            format!(
                "{{\"role\":\"user\",\"content\":\"x\"}}\n{{\"role\":\"tool\",\"content\":\"x\"}}\n{}",
                vec!["x"; 1_000_000].join("\n")
            ),
        ),
    ] {
        let started = std::time::Instant::now();
        let (peak, per, n) = factor(&text, &ReadOptions::default());
        println!("{name:40} {:>9} {peak:.2} {per:.0} {n} {:?}", text.len(), started.elapsed());
    }
}
