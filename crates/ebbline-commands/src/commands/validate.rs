//! `validate`: whether the provider would accept a session, and where it breaks which rule.

use ebbline::validate::{Pending, Violation};
use serde::Serialize;

use crate::amount::counted;
use crate::engine_options::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::line;
use crate::name::Name;
use crate::printable::printable;
use crate::rules;
use crate::run::Run;
use crate::violations::{Fault, rows};

#[derive(Serialize)]
struct Validation<'a> {
    file: String,
    valid: bool,
    format: &'static str,
    violations: &'a [Violation],
    pending: &'a [Pending],
}

/// Lists the rules that a session breaks, then the calls without results.
pub(crate) async fn run(name: &Name, run: &mut Run) -> Result<Exit, Failure> {
    let options = EngineOptions::of(&run.given.values)?;
    let bytes = run.io.read(name).await?;
    let rules = rules::RulesOptions::of(&run.given.values)?;
    let session = options.read(&bytes, &options.policy()?)?;
    let format = session.format();
    let pending = session.pending();
    let violations = session.validate_under(&rules.rules(format));
    let valid = violations.is_empty();
    if run.is_json() {
        let (violations, pending) = (&violations, &pending);
        let format = format.name();
        run.out.write(line(&Validation { file: name.given(), valid, format, violations, pending })).await?;
    } else {
        let style = run.style();
        let verdict = if valid { style.good("valid") } else { counted(violations.len(), "violation") };
        let waiting = match pending.len() {
            0 => String::new(),
            calls => format!(", {} without a result yet", counted(calls, "call")),
        };
        let name = style.strong(&printable(&name.said()));
        let faults: Vec<Fault> =
            violations.iter().map(Fault::from).chain(pending.iter().map(Fault::from)).collect();
        let mut lines = vec![format!("{name}  {}: {verdict}{waiting}", format.title())];
        lines.extend(rows(&faults, style));
        run.out.write(lines.join("\n") + "\n").await?;
    }
    Ok(if valid { Exit::Ok } else { Exit::Input })
}
