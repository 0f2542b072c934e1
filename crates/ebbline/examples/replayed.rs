//! Times the replay of a made-up log, for people: `replayed PROFILE CONTEXT [MESSAGES] [TIMES]`; a context of 0 is endless.
#![expect(clippy::print_stdout, reason = "printing is what the example is for")]

use std::error::Error;
use std::time::Instant;

use ebbline::length::Length;
use ebbline::replay::{Replay, ReplayOptions};
use ebbline::transcript::{Message, Part, PartKind, Role};
use ebbline::{Transcript, profiles};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [profile, context, rest @ ..] = arguments.as_slice() else {
        return Err("usage: replayed PROFILE CONTEXT [MESSAGES] [TIMES]".into());
    };
    let number = |at: usize, usual: usize| rest.get(at).map_or(Ok(usual), |number| number.parse());
    let log = log(number(0, 100_000)?);
    let mut policy = profiles::get(profile)?;
    if context != "0" {
        policy.set("model.context", context)?;
    }
    for _ in 0..number(1, 5)? {
        let began = Instant::now();
        let replay = Replay::new(&log, &policy, &ReplayOptions::new());
        let took = began.elapsed();
        println!(
            "{} requests, {} compactions: {took:?}",
            replay.requests().len(),
            replay.compactions().len()
        );
    }
    Ok(())
}

/// Every tenth turn is a question and an answer; the others are a call and its output of 80 to 9,000 characters.
fn log(messages: usize) -> Transcript {
    let mut log = Transcript::default();
    let tool = log.tool("bash");
    let text = |kind: PartKind, length: usize| Part::new(kind, Length::ascii(length));
    for turn in 0..messages / 2 {
        if turn.is_multiple_of(10) {
            log.begin(Message::person());
            log.push(text(PartKind::Text, 400));
            log.begin(Message::new(Role::Assistant));
            log.push(text(PartKind::Text, 400));
            continue;
        }
        let of_call = |kind: PartKind, length: usize| {
            let mut part = text(kind, length);
            (part.call, part.tool) = (u32::try_from(turn).ok(), Some(tool));
            part
        };
        log.begin(Message::new(Role::Assistant));
        log.push(text(PartKind::Text, 400));
        log.push(of_call(PartKind::ToolCall, 120));
        log.begin(Message::new(Role::Tool));
        let output = [80, 400, 2_000, 9_000].get(turn % 4).copied().unwrap_or_default();
        log.push(of_call(PartKind::ToolResult, output));
    }
    log
}
