//! Compares profiles over session files: `compared WINDOW FILE..`. Each line is one profile over all files together, at the
//! rates 0.1 for cached, 1.25 for written input and 5 for output.
#![expect(clippy::print_stdout, reason = "printing is what the example is for")]

use std::error::Error;

use ebbline::economics::{Rates, Terms, compare};
use ebbline::replay::ReplayOptions;
use ebbline::{Policy, Session, profiles};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [window, files @ ..] = arguments.as_slice() else {
        return Err("usage: compared WINDOW FILE..".into());
    };
    let mut policies: Vec<Policy> = profiles::names().map(profiles::get).collect::<Result<_, _>>()?;
    for policy in &mut policies {
        policy.set("model.context", window)?;
        policy.set("model.output", "8000")?;
    }
    let rates = Rates { cached: 0.1, written: 1.25, output: 5.0 };
    let terms = Terms::new(rates).options(ReplayOptions::new().overhead(8_000));
    let mut totals = vec![(0_u32, 0_u32, 0_u32, 0.0, 0.0); policies.len()];
    for file in files {
        let session = Session::read(std::fs::read_to_string(file)?)?;
        for (total, outcome) in totals.iter_mut().zip(compare(&session, &policies, &terms)) {
            total.0 += outcome.prunes;
            total.1 += outcome.summaries;
            total.2 += outcome.unfit;
            total.3 += outcome.cost;
            total.4 += outcome.of_nothing.map_or(0.0, |share| outcome.cost / share);
        }
    }
    for (policy, (prunes, summaries, unfit, cost, nothing)) in policies.iter().zip(totals) {
        let change = (cost / nothing - 1.0) * 100.0;
        println!(
            "{:28} {change:+6.1} %  {prunes:5} prunes  {summaries:5} summaries  {unfit:5} unfit",
            policy.profile
        );
    }
    Ok(())
}
