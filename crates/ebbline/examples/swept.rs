//! Sweeps a grid over session files: `swept WINDOW FILE..`. Each line is one point; those of the frontier have a mark.
#![expect(clippy::print_stdout, reason = "printing is what the example is for")]

use std::error::Error;

use ebbline::economics::{Grid, Rates, Sweep, Terms, weigh};
use ebbline::{Session, profiles};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [window, files @ ..] = arguments.as_slice() else {
        return Err("usage: swept WINDOW FILE..".into());
    };
    let grid = Grid::over(profiles::get("ebbline@2")?)
        .axis("prune.downTo", ["10%", "20%", "30%", "40%", "50%"])
        .axis("prune.minimum", ["1000", "2000", "5000", "10000"])
        .beside(profiles::ALL.iter().map(profiles::Profile::policy))
        .windows([window.parse()?]);
    let terms = Terms::new(Rates { cached: 0.1, written: 1.25, output: 5.0 });
    let mut sweep = Sweep::of(grid.points()?);
    for file in files {
        let session = Session::read(std::fs::read_to_string(file)?)?;
        let totals = weigh(&session, sweep.points(), &terms);
        sweep.add(&totals);
    }
    for point in sweep.report().points {
        let mark = if point.standing.on_frontier { '●' } else { '○' };
        let cost = point.of_nothing.unwrap_or(1.0) * 100.0;
        let set: Vec<String> = point.set.iter().map(|(path, value)| format!("{path}={value}")).collect();
        println!(
            "{mark} {:24} {cost:6.1} %  {:5} needed again  {:5} over the window  {}",
            point.profile,
            point.totals.needed_again,
            point.totals.over_window,
            set.join(" ")
        );
    }
    Ok(())
}
