//! `plan`: what would be pruned and summarized, message by message, and why.

use crate::engine_options::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::Name;
use crate::run::Run;
use crate::table::plan_table;

/// The width of a table that is written to a file or a pipe.
const DEFAULT_WIDTH: usize = 100;

/// Prints the plan of a session.
pub(crate) async fn run(name: &Name, run: &mut Run) -> Result<Exit, Failure> {
    let options = EngineOptions::of(&run.given.values)?;
    let bytes = run.io.read(name).await?;
    let policy = options.policy()?;
    let session = options.read(&bytes, &policy)?;
    let plan = session.plan_with(&policy, options.plan);
    if run.is_json() {
        run.out.write(plan.to_json() + "\n").await?;
    } else {
        let width = run.width().unwrap_or(DEFAULT_WIDTH);
        run.out.write(plan_table(&name.said(), &session, &plan, width, run.style())).await?;
    }
    let is_asked = run.given.values.has("check");
    Ok(if is_asked && plan.decision.changes_something() { Exit::Work } else { Exit::Ok })
}
