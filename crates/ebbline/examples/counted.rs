//! Operations to be counted from outside, for `cargo xtask bench`: run once with a number of operations and once with
//! none, what `valgrind --tool=callgrind` counts more is theirs.
//!
//! ```text
//! counted push LENGTH TURNS [PROFILE]   a session of LENGTH messages; then TURNS times: two more messages and a decision
//! counted read FILE TIMES [PROFILE]     TIMES times: the file's text read and planned; prints the median time of one
//! ```
#![expect(clippy::print_stdout, reason = "printing is what the example is for")]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use ebbline::text::Text;
use ebbline::{PlanOptions, Policy, Session, SessionText, binding, profiles};

const USAGE: &str = "usage: counted push LENGTH TURNS [PROFILE] | counted read FILE TIMES [PROFILE]";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, first, second, rest @ ..] = arguments.as_slice() else { return Err(USAGE.into()) };
    let policy = profiles::get(rest.first().map_or(profiles::DEFAULT, String::as_str))?;
    match what.as_str() {
        "push" => push(first.parse()?, second.parse()?, &policy),
        "read" => read(first, second.parse()?, &policy),
        _ => Err(USAGE.into()),
    }
}

fn push(length: u32, turns: u32, policy: &Policy) -> Result<(), Box<dyn Error>> {
    let mut session = Session::new(policy);
    binding::register_tool(&mut session, "bash");
    for turn in 0..length / 2 {
        binding::extend(&mut session, &records(turn))?;
    }
    black_box(session.decide(PlanOptions::default()));
    for turn in 0..turns {
        binding::extend(&mut session, black_box(&records(length / 2 + turn)))?;
        black_box(session.decide(PlanOptions::default()));
    }
    println!("{} messages", session.transcript().messages().len());
    Ok(())
}

/// Two messages as a walker writes them (layout: [`ebbline::binding::records`]): every tenth turn a question and an answer of
/// words, else a call and its result of 200 to 16,000 characters.
fn records(turn: u32) -> Vec<u32> {
    const MESSAGE: u32 = 1 << 31;
    const ONE_PIECE: u32 = 1 << 8;
    let (user, assistant, tool) = (MESSAGE | 1 << 4 | 1, MESSAGE | 2, MESSAGE | 3);
    let part = |kind: u32, length: u32, call: u32, tool: u32| {
        [kind | ONE_PIECE, length, length, length, length * 16, call, tool, 0, length * 16]
    };
    if turn.is_multiple_of(10) {
        let (asked, said) = (part(0, 300, 0, 0), part(0, 900, 0, 0));
        return [&[user], &asked[..], &[assistant], &said[..]].concat();
    }
    let (said, called) = (part(0, 400, 0, 0), part(2, 120, turn + 1, 1));
    let result = part(3, 200 + turn * 7_919 % 15_800, turn + 1, 1);
    [&[assistant], &said[..], &called[..], &[tool], &result[..]].concat()
}

fn read(file: &str, times: usize, policy: &Policy) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read(file)?;
    let mut took: Vec<Duration> = Vec::new();
    let began = Instant::now();
    for _ in 0..times {
        let start = processor_time().unwrap_or_else(|| began.elapsed());
        let read = SessionText::read(Text::from_bytes(black_box(&text))?)?;
        black_box(read.plan(policy));
        took.push(processor_time().unwrap_or_else(|| began.elapsed()).saturating_sub(start));
    }
    took.sort_unstable();
    let middle = took.get(took.len() / 2).copied().unwrap_or_default();
    println!("{{\"bytes\": {}, \"nanoseconds\": {}}}", text.len(), middle.as_nanos());
    Ok(())
}

/// How long this thread has been on a processor, where the system says so: other programs then do not count.
fn processor_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
