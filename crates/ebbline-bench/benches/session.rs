//! How long reading, planning, writing and requesting a summary take, over sessions of growing length:
//! `cargo bench -p ebbline-bench --bench session`.
//!
//! Read the columns against each other: reading, writing and requesting grow with the bytes, planning with the
//! messages.

use divan::counter::{BytesCount, ItemsCount};
use ebbline::summary::SummaryOptions;
use ebbline::{EditOptions, PlanOptions, Policy, SessionText, profiles};

fn main() {
    divan::main();
}

const LENGTHS: [usize; 3] = [100, 1_000, 10_000];

/// An OpenAI Chat session of `messages` messages; half of them are tool outputs of 200 to 16,000 characters.
fn session(messages: usize) -> String {
    let mut text = String::from("[");
    for index in 0..messages / 4 {
        let output = "src/lib.rs:42: a line of output, with \\\"quotes\\\" and ünïcode\\n"
            .repeat(3 + index * 37 % 250);
        let comma = if index == 0 { "" } else { "," };
        text.push_str(&format!(
            concat!(
                "{comma}\n{{\"role\":\"user\",\"content\":\"step {index}\"}},\n",
                "{{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{{\"id\":\"a{index}\",\"type\":\"function\",",
                "\"function\":{{\"name\":\"grep\",\"arguments\":\"{{}}\"}}}},{{\"id\":\"b{index}\",\"type\":\"function\",",
                "\"function\":{{\"name\":\"read\",\"arguments\":\"{{}}\"}}}}]}},\n",
                "{{\"role\":\"tool\",\"tool_call_id\":\"a{index}\",\"content\":\"{output}\"}},\n",
                "{{\"role\":\"tool\",\"tool_call_id\":\"b{index}\",\"content\":\"{output}\"}}"
            ),
            comma = comma,
            index = index,
            output = output
        ));
    }
    text + "]"
}

fn policy() -> Option<Policy> {
    profiles::get(profiles::DEFAULT).ok()
}

#[divan::bench(args = LENGTHS)]
fn read(bencher: divan::Bencher<'_, '_>, messages: usize) {
    let text = session(messages);
    bencher.counter(BytesCount::of_str(&text)).bench(|| SessionText::read(divan::black_box(&text)));
}

#[divan::bench(args = LENGTHS)]
fn plan(bencher: divan::Bencher<'_, '_>, messages: usize) {
    let read = SessionText::read(session(messages));
    let (Ok(session), Some(policy)) = (read, policy()) else { return };
    bencher.counter(ItemsCount::new(messages)).bench(|| divan::black_box(&session).plan(&policy));
}

#[divan::bench(args = LENGTHS)]
fn write(bencher: divan::Bencher<'_, '_>, messages: usize) {
    let text = session(messages);
    let (Ok(session), Some(policy)) = (SessionText::read(&text), policy()) else {
        return;
    };
    let plan = session.plan(&policy);
    bencher.counter(BytesCount::of_str(&text)).bench(|| session.compact(&plan, &EditOptions::default()));
}

#[divan::bench(args = LENGTHS)]
fn request(bencher: divan::Bencher<'_, '_>, messages: usize) {
    let text = session(messages);
    let (Ok(session), Some(mut policy)) = (SessionText::read(&text), policy()) else {
        return;
    };
    // Outputs that are pruned first would not even be read.
    policy.prune.enabled = false;
    let plan = session.plan_with(&policy, PlanOptions::new().force(true));
    let options = SummaryOptions::default();
    bencher.counter(BytesCount::of_str(&text)).bench(|| session.summary_request(&plan, &options));
}
