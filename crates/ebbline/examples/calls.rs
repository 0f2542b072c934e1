//! The calls of `cargo xtask bench calls`, natively: prints the median time of each in nanoseconds, as JSON.
//!
//! ```text
//! calls FILE LENGTH TURNS PLANS   FILE is a JSON array of messages, of which the first LENGTH are there before the turns
//! ```
#![expect(clippy::print_stdout, reason = "printing is what the example is for")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use ebbline::json::Document;
use ebbline::{Format, PlanOptions, Policy, ReadOptions, Session, SessionText, profiles};

const SMALL: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, length, turns, plans] = arguments.as_slice() else {
        return Err("usage: calls FILE LENGTH TURNS PLANS".into());
    };
    let (length, turns, plans): (usize, usize, usize) = (length.parse()?, turns.parse()?, plans.parse()?);
    let text = std::fs::read_to_string(file)?;
    let document = Document::parse(&text)?;
    let messages: Vec<&str> = document.root().elements().map(|element| element.source()).collect();
    let mut policy = profiles::get(profiles::DEFAULT)?;
    policy.set("model.context", "100000000")?;
    let of = |from: usize, to: usize| format!("[{}]", messages.get(from..to).unwrap_or_default().join(","));
    let (small, whole) = (of(0, SMALL), of(0, length));
    let mut session = Session::new(&policy);
    push(&mut session, &whole)?;
    let pairs: Vec<String> = (0..turns).map(|at| of(length + 2 * at, length + 2 * at + 2)).collect();

    let decision = timed(turns, |_| {
        black_box(session.decide(PlanOptions::new()));
        Ok(())
    })?;
    let small = timed(turns, |_| plan(&small, &policy))?;
    let planned = timed(plans, |_| plan(&whole, &policy))?;
    let turn = timed(turns, |at| {
        push(&mut session, pairs.get(at).map_or("[]", String::as_str))?;
        black_box(session.decide(PlanOptions::new()));
        Ok(())
    })?;
    println!(r#"{{"decision":{decision},"small":{small},"plan":{planned},"turn":{turn}}}"#);
    Ok(())
}

/// The median time of a call in nanoseconds.
fn timed(
    count: usize,
    mut call: impl FnMut(usize) -> Result<(), ebbline::Error>,
) -> Result<u128, ebbline::Error> {
    let mut times = Vec::with_capacity(count);
    for at in 0..count {
        let begun = Instant::now();
        call(at)?;
        times.push(begun.elapsed().as_nanos());
    }
    times.sort_unstable();
    Ok(times.get(count / 2).copied().unwrap_or_default())
}

fn plan(text: &str, policy: &Policy) -> Result<(), ebbline::Error> {
    black_box(SessionText::read(text)?.plan(policy).to_json());
    Ok(())
}

/// Reads new messages and adds them.
fn push(session: &mut Session, text: &str) -> Result<(), ebbline::Error> {
    let read = SessionText::read_with(text, &ReadOptions::new().format(Format::OpenaiChat))?;
    let transcript = read.transcript();
    for (index, message) in transcript.messages().iter().enumerate() {
        session.begin(*message);
        for part in transcript.parts_of(index) {
            let mut part = *part;
            part.call = part.call.and_then(|call| transcript.call_id(call)).map(|id| session.call(id));
            part.tool = part.tool.and_then(|tool| transcript.tool_name(tool)).map(|name| session.tool(name));
            session.push(part);
        }
    }
    Ok(())
}
