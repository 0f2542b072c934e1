//! What compactions lost in a session's file: those that the agent recorded, or, with a number, those of a policy that
//! keeps only so many of the newest outputs and prunes twice as many at once.
//!
//! ```text
//! loss FILE [OUTPUTS]
//! ```
#![expect(clippy::print_stdout, reason = "printing is what the example is for")]

use std::error::Error;

use ebbline::Session;
use ebbline::loss::{self, Departure, Left, LossInput};
use ebbline::text::Text;
use ebbline::transcript::PartKind;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, rest @ ..] = arguments.as_slice() else { return Err("usage: loss FILE [OUTPUTS]".into()) };
    let session = Session::read(Text::from_bytes(std::fs::read(file)?)?)?;
    let report = if let Some(outputs) = rest.first() {
        let departures = keeping(&session, outputs.parse()?);
        loss::measure(&session, &departures, &LossInput { undo: true, ..LossInput::default() })
    } else {
        let summaries = loss::recorded_summaries(&session);
        let input = LossInput { summaries: &summaries, ..LossInput::default() };
        loss::measure(&session, &loss::recorded(&session), &input)
    };
    println!("{}", report.to_json());
    Ok(())
}

/// The departures of a policy that keeps the newest `outputs`, and prunes when there are three times as many.
fn keeping(session: &Session<'_>, outputs: usize) -> Vec<Departure> {
    let transcript = session.transcript();
    let (mut departures, mut waiting) = (Vec::new(), Vec::new());
    for index in 0..transcript.messages().len() {
        if waiting.len() > 3 * outputs {
            let old = waiting.drain(..waiting.len() - outputs);
            departures.extend(old.map(|part| Departure {
                at: index,
                part,
                how: Left::Pruned,
                summary: None,
            }));
        }
        let parts = transcript.part_range(index).zip(transcript.parts_of(index));
        waiting.extend(parts.filter(|(_, part)| part.kind == PartKind::ToolResult).map(|(part, _)| part));
    }
    departures
}
