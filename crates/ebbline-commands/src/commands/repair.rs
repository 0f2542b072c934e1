//! `repair`: mends what a provider would refuse, and says what was done.

use ebbline::repair::{Mended, Repaired, repair_under};
use ebbline::text::Text;
use ebbline::validate::Violation;
use serde::Serialize;

use crate::amount::counted;
use crate::deliver;
use crate::engine_options::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::line;
use crate::name::Name;
use crate::printable::printable;
use crate::rules;
use crate::run::Run;
use crate::style::Style;
use crate::violations::{Fault, rows};

#[derive(Serialize)]
struct Report<'a> {
    file: String,
    out: Option<&'a str>,
    done: &'a [Mended],
    left: &'a [Violation],
}

/// Repairs a session. What cannot be mended makes the exit code that of a file that is not valid.
pub(crate) async fn run(name: &Name, run: &mut Run) -> Result<Exit, Failure> {
    deliver::check("repair", &run.given.values)?;
    let seen = run.io.state(name).await;
    let bytes = run.io.read(name).await?;
    let options = EngineOptions::of(&run.given.values)?;
    let rules = rules::RulesOptions::of(&run.given.values)?;
    let text = Text::from_bytes(bytes)?;
    let Repaired { bytes, done, left, .. } =
        repair_under(text, &options.reading()?, |format| rules.rules(format))?;
    deliver::deliver(bytes, seen, run).await?;
    if run.is_json() {
        let out = run.given.values.text("out");
        let report = line(&Report { file: name.given(), out, done: &done, left: &left });
        run.out.write(report).await?;
    } else {
        let said = account(&name.said(), &done, &left, run.style_of_notes());
        run.notes.write(&said);
    }
    Ok(if left.is_empty() { Exit::Ok } else { Exit::Input })
}

fn account(name: &str, done: &[Mended], left: &[Violation], style: Style) -> String {
    let what = match (done.len(), left.len()) {
        (0, 0) => "nothing to mend".to_owned(),
        (0, _) => "nothing changed".to_owned(),
        (mended, _) => format!("{} mended", counted(mended, "fault")),
    };
    let rest = match left.len() {
        0 => String::new(),
        count => format!("; {} cannot be mended", counted(count, "violation")),
    };
    let mut lines = vec![format!("ebbline: {}: {what}{rest}", printable(name))];
    lines.extend(rows(&done.iter().map(Fault::from).collect::<Vec<_>>(), style));
    if !left.is_empty() {
        lines.push("not mended, in the session as it is now:".to_owned());
        lines.extend(rows(&left.iter().map(Fault::from).collect::<Vec<_>>(), style));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_it_did() {
        let text = r#"[{"role":"user","content":"list"},{"role":"tool","tool_call_id":"c9","content":"x"}]"#;
        let repaired = ebbline::repair::repair(text, &ebbline::ReadOptions::new()).unwrap();
        let said = account("a.json", &repaired.done, &repaired.left, Style::new(false));
        assert!(said.starts_with("ebbline: a.json: 1 fault mended\n  line 1, message 1:  "), "{said}");
        assert_eq!(account("-", &[], &[], Style::new(false)), "ebbline: -: nothing to mend\n");
    }
}
