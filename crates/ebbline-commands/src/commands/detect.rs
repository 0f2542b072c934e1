//! `detect`: which format a session is of, and what shows it.

use ebbline::text::Text;
use serde::Serialize;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::line;
use crate::name::Name;
use crate::printable::printable;
use crate::run::Run;

#[derive(Serialize)]
struct Detected<'a> {
    file: String,
    format: &'static str,
    title: &'static str,
    supported: bool,
    evidence: &'a str,
}

/// Says which format a file has.
pub(crate) async fn run(name: &Name, run: &mut Run) -> Result<Exit, Failure> {
    let found = ebbline::format::detect_text(&Text::from_bytes(run.io.read(name).await?)?)?;
    let (format, title) = (found.format.name(), found.format.title());
    if run.is_json() {
        let evidence = &found.evidence;
        let detected = Detected { file: name.given(), format, title, supported: true, evidence };
        run.out.write(line(&detected)).await?;
    } else {
        let (name, evidence) = (printable(&name.said()), printable(&found.evidence));
        run.out.write(format!("{name}: {title} ({format}); {evidence}\n")).await?;
    }
    Ok(Exit::Ok)
}
