//! Times a replay, for people: `replayed FILE PROFILE CONTEXT [TIMES]`. A session file is repeated in memory until it has 100,000
//! messages.
#![expect(clippy::print_stdout, reason = "printing is what the example is for")]

use std::error::Error;
use std::time::Instant;

use ebbline::replay::{Replay, ReplayOptions};
use ebbline::{Session, Transcript, profiles};

/// How many messages are replayed.
const MESSAGES: usize = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, profile, context, rest @ ..] = arguments.as_slice() else {
        return Err("usage: replayed FILE PROFILE CONTEXT [TIMES]".into());
    };
    let text = std::fs::read_to_string(file)?;
    let session = Session::read(text)?;
    let once = session.transcript();
    let mut log = Transcript::default();
    for tool in (0..).map_while(|tool| once.tool_name(tool)) {
        log.tool(tool);
    }
    while log.messages().len() < MESSAGES && !once.messages().is_empty() {
        for (index, message) in once.messages().iter().enumerate() {
            log.begin(*message);
            for part in once.parts_of(index) {
                log.push(*part);
            }
        }
    }
    let mut policy = profiles::get(profile)?;
    policy.set("model.context", context)?;
    for _ in 0..rest.first().map_or(Ok(3), |times| times.parse())? {
        let began = Instant::now();
        let replay = Replay::new(&log, &policy, &ReplayOptions::new());
        let took = began.elapsed();
        println!(
            "{} messages, {} requests, {} compactions: {took:?}",
            log.messages().len(),
            replay.requests().len(),
            replay.compactions().len()
        );
    }
    Ok(())
}
