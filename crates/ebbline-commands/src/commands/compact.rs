//! `compact`: writes a compacted session, and the record by which that can be undone.

use ebbline::summary::is_blank;

use crate::compaction::{self, Original};
use crate::deliver;
use crate::engine_options::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::Name;
use crate::run::Run;

/// Compacts a session.
pub(crate) async fn run(name: &Name, run: &mut Run) -> Result<Exit, Failure> {
    deliver::check("compact", &run.given.values)?;
    compaction::check_record(name, &run.given.values)?;
    let summary = run.given.values.text("summary").map(Name::from);
    if name.is_stdin() && summary.as_ref().is_some_and(Name::is_stdin) {
        let sentence = "the session and its summary cannot both come from standard input";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    let options = EngineOptions::of(&run.given.values)?;
    let seen = run.io.state(name).await;
    let bytes = run.io.read(name).await?;
    let summary = match &summary {
        Some(summary) => Some(read_summary(summary, run).await?),
        None => None,
    };
    compaction::write(name, &Original { bytes: &bytes, seen }, &options, summary, run).await
}

/// A caller that passes a summary wants it used, so an empty one is a mistake.
async fn read_summary(name: &Name, run: &Run) -> Result<String, Failure> {
    let summary = run.io.read_text(name).await?;
    if is_blank(&summary) {
        let said = name.said();
        return Err(Failure::File(format!("{said} holds no summary: it is empty, or only white space")));
    }
    Ok(summary)
}
