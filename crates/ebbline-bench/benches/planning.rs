//! How long planning and checking take: `cargo bench -p ebbline-bench --bench planning`.
//!
//! `planned` plans a whole transcript of this many messages. `checked` adds two messages to a session of 2,000 and
//! decides, as an agent does before every request.

use ebbline::length::Length;
use ebbline::transcript::{Message, Part, PartKind, Role};
use ebbline::{PlanOptions, Session, Transcript, plan, profiles};
use ebbline_tests::with;

fn main() {
    divan::main();
}

const PROFILES: [&str; 6] =
    ["ebbline@1", "pi@1.5", "opencode@2026-01", "opencode@2026-06", "tunacode@2026-01", "tunacode@0.2"];

/// Turns of a question, six calls with their outputs, and an answer; each of the model's messages reports usage.
fn messages(count: usize) -> Vec<(Message, Vec<Part>)> {
    let mut all = Vec::new();
    let (mut call, mut usage) = (0_u32, 3_000_u32);
    let text = |length: usize| Part::new(PartKind::Text, Length::ascii(length));
    while all.len() < count {
        all.push((Message::person(), vec![text(300)]));
        for step in 0..6_u32 {
            (call, usage) = (call + 1, usage + 700);
            let of_call = |kind: PartKind, length: usize| {
                with(Part::new(kind, Length::ascii(length)), |part| {
                    part.call = Some(call);
                    part.tool = Some(step % 3);
                })
            };
            let answer = with(Message::new(Role::Assistant), |message| message.usage = Some(usage));
            all.push((answer, vec![text(120), of_call(PartKind::ToolCall, 90)]));
            let output = of_call(PartKind::ToolResult, 2_000 + call as usize * 37 % 3_000);
            all.push((Message::new(Role::Tool), vec![output]));
        }
        let ended = with(Message::new(Role::Assistant), |message| {
            message.ended = true;
            message.usage = Some(usage);
        });
        all.push((ended, vec![text(800)]));
    }
    all.truncate(count);
    all
}

fn transcript(count: usize) -> Transcript {
    let mut transcript = Transcript::default();
    for tool in ["bash", "skill", "read"] {
        transcript.tool(tool);
    }
    for (message, parts) in messages(count) {
        transcript.begin(message);
        for part in parts {
            transcript.push(part);
        }
    }
    transcript
}

#[divan::bench(args = PROFILES, consts = [1_000, 10_000])]
fn planned<const COUNT: usize>(bencher: divan::Bencher<'_, '_>, profile: &str) {
    let (transcript, policy) = (transcript(COUNT), profiles::get(profile));
    if let Ok(policy) = policy {
        bencher.bench(|| plan(divan::black_box(&transcript), &policy, PlanOptions::default()));
    }
}

#[divan::bench(args = PROFILES)]
fn checked(bencher: divan::Bencher<'_, '_>, profile: &str) {
    let Ok(policy) = profiles::get(profile) else { return };
    let mut session = Session::of(transcript(2_001), &policy);
    session.decide(PlanOptions::default());
    let all = messages(16_001);
    let mut new = all.get(2_001..).unwrap_or_default().chunks(2).cycle();
    bencher.bench_local(|| {
        for (message, parts) in new.next().unwrap_or_default() {
            session.begin(*message);
            for part in parts {
                session.push(*part);
            }
        }
        session.decide(PlanOptions::default())
    });
}
