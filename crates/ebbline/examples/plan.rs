//! Plans a session file: `cargo run -p ebbline --example plan -- session.json [profile]`.
#![expect(clippy::print_stdout, reason = "printing is what the example is for")]

use ebbline::text::Text;
use ebbline::{Fate, Session};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: plan FILE [PROFILE]")?;
    let policy = ebbline::profiles::get(arguments.next().as_deref().unwrap_or(ebbline::profiles::DEFAULT))?;
    let session = Session::read(Text::from_bytes(std::fs::read(path)?)?)?;
    let plan = session.plan(&policy);

    println!("{}: {}", session.format(), session.evidence());
    println!(
        "{:?} ({:?}): {} tokens, then {}",
        plan.decision.verdict, plan.decision.reason, plan.decision.tokens_before, plan.decision.tokens_after
    );
    for fate in [Fate::Kept, Fate::Pruned, Fate::Summarised, Fate::AlreadyPruned, Fate::Inactive] {
        let messages = plan.messages.iter().filter(|message| message.fate == fate).count();
        println!("{messages:6} messages {fate:?}");
    }
    Ok(())
}
