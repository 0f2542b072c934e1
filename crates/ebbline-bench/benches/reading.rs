//! How fast sessions of each format are read, in bytes per second: `cargo bench -p ebbline-bench --bench reading`.
//!
//! The sessions are the fixtures, repeated to 4 MB with unique ids. They are harder to read than real ones, which
//! contain more long texts. The last one is a log of 50 MB with texts as long as real ones, which is read, then
//! read and planned, and parsed alone by `simd-json`.

use divan::counter::BytesCount;
use ebbline::{SessionText, profiles};
use ebbline_tests::enlarged::{enlarge, fixtures};

fn main() {
    divan::main();
}

fn names() -> Vec<String> {
    fixtures().into_iter().filter_map(|(path, _)| Some(path.file_name()?.to_str()?.to_owned())).collect()
}

#[divan::bench(args = names(), sample_count = 10)]
fn read(bencher: divan::Bencher<'_, '_>, name: &str) {
    let found = fixtures().into_iter().find(|(path, _)| path.ends_with(name));
    let text = found.map(|(_, text)| enlarge(&text, 4_000_000)).unwrap_or_default();
    bencher.counter(BytesCount::of_str(&text)).bench(|| SessionText::read(divan::black_box(&text)));
}

/// A log in which every second message is a tool's output of 2,000 to 12,000 characters.
fn log(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 20_000);
    for index in 0.. {
        if text.len() >= bytes {
            break;
        }
        let output = "src/lib.rs:42: a line of output, with \\\"quotes\\\" and ünïcode\\n"
            .repeat(30 + index * 37 % 150);
        text.push_str(&format!(
            concat!(
                "{{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{{\"id\":\"c{index}\",\"type\":\"function\",",
                "\"function\":{{\"name\":\"grep\",\"arguments\":\"{{\\\"pattern\\\":\\\"x\\\"}}\"}}}}]}}\n",
                "{{\"role\":\"tool\",\"tool_call_id\":\"c{index}\",\"content\":\"{output}\"}}\n",
            ),
            index = index,
            output = output
        ));
    }
    text
}

/// The lines of the log parsed, and nothing else: what a parser built for speed takes.
#[divan::bench(args = [50_000_000], sample_count = 5)]
fn parse_log_with_simd_json(bencher: divan::Bencher<'_, '_>, bytes: usize) {
    let text = log(bytes);
    bencher.counter(BytesCount::of_str(&text)).with_inputs(|| text.clone().into_bytes()).bench_refs(
        |bytes| {
            let lines = bytes.split_mut(|byte| *byte == b'\n').filter(|line| !line.is_empty());
            lines.map(|line| simd_json::to_tape(line).map_or(0, |tape| tape.0.len())).sum::<usize>()
        },
    );
}

#[divan::bench(args = [50_000_000], sample_count = 5)]
fn read_log(bencher: divan::Bencher<'_, '_>, bytes: usize) {
    let text = log(bytes);
    bencher.counter(BytesCount::of_str(&text)).bench(|| SessionText::read(divan::black_box(&text)));
}

#[divan::bench(args = [50_000_000], sample_count = 5)]
fn read_and_plan_log(bencher: divan::Bencher<'_, '_>, bytes: usize) {
    let text = log(bytes);
    let Ok(policy) = profiles::get(profiles::DEFAULT) else { return };
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| SessionText::read(divan::black_box(&text)).map(|session| session.plan(&policy)));
}
