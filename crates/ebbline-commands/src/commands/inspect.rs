//! `inspect`: what a session is made of, and what is wrong with it.

use ebbline::SessionText;
use ebbline::session_text::Counts;
use ebbline::transcript::Turn;

use crate::amount::{amount, counted};
use crate::columns::{Side, aligned};
use crate::engine_options::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inspection::{Compactions, Inspection, Kind, Largest, Problems, Role};
use crate::json::line;
use crate::name::Name;
use crate::printable::printable;
use crate::run::Run;
use crate::style::Style;
use crate::violations::{Fault, rows};

/// How many violations are shown; `--json` has all of them.
const SHOWN: usize = 20;

/// Says what a session is made of.
pub(crate) async fn run(name: &Name, run: &mut Run) -> Result<Exit, Failure> {
    let options = EngineOptions::of(&run.given.values)?;
    let bytes = run.io.read(name).await?;
    let policy = options.policy()?;
    let session = options.read(&bytes, &policy)?;
    let plan = session.plan_with(&policy, options.plan);
    let found = Inspection::of(&session, &plan, name.given(), bytes.len());
    if run.is_json() {
        run.out.write(line(&found)).await?;
    } else {
        run.out.write(page(&name.said(), &session, &found, run.style())).await?;
    }
    Ok(Exit::Ok)
}

fn page(name: &str, session: &SessionText<'_>, found: &Inspection<'_>, style: Style) -> String {
    let (title, evidence) = (session.format().title(), printable(session.evidence()));
    let mut lines = vec![format!("{}  {title}: {evidence}", style.strong(&printable(name)))];
    lines.extend([sum(session, found), String::new()]);
    lines.extend(roles(&found.roles, style));
    lines.push(String::new());
    lines.extend(kinds(&found.kinds, style));
    if !found.largest.is_empty() {
        lines.push(String::new());
        lines.extend(largest(&found.largest, style));
    }
    lines.extend([String::new(), compactions(&found.compactions, found.already_pruned)]);
    lines.extend(problems(&found.problems, session, style));
    lines.join("\n") + "\n"
}

fn sum(session: &SessionText<'_>, found: &Inspection<'_>) -> String {
    let Counts { messages, inactive, images, .. } = session.counts();
    let transcript = session.transcript();
    let is_turn = |message: &&ebbline::transcript::Message| message.active && message.turn == Turn::Person;
    let turns = transcript.messages().iter().filter(is_turn).count();
    let beside = if inactive > 0 { format!(" ({} not sent)", amount(inactive)) } else { String::new() };
    let pictures = if images > 0 { format!(", {}", counted(images, "image")) } else { String::new() };
    format!(
        "{}{beside}, {}, {}, {}{pictures}",
        counted(messages, "message"),
        counted(turns, "turn"),
        counted(found.tokens, "token"),
        counted(found.bytes, "byte"),
    )
}

fn roles(roles: &[Role], style: Style) -> Vec<String> {
    let rows = roles.iter().map(|row| vec![row.role.to_owned(), amount(row.messages), amount(row.tokens)]);
    let titles = [("role", Side::Left), ("messages", Side::Right), ("tokens", Side::Right)];
    table(&titles, &rows.collect::<Vec<_>>(), style)
}

fn kinds(kinds: &[Kind], style: Style) -> Vec<String> {
    let rows = kinds.iter().map(|row| vec![row.kind.to_owned(), amount(row.parts), amount(row.tokens)]);
    let titles = [("kind", Side::Left), ("parts", Side::Right), ("tokens", Side::Right)];
    table(&titles, &rows.collect::<Vec<_>>(), style)
}

fn largest(largest: &[Largest<'_>], style: Style) -> Vec<String> {
    let known = |text: Option<&str>| printable(text.unwrap_or("-"));
    let rows = largest
        .iter()
        .map(|row| vec![known(row.tool), known(row.id), amount(row.message), amount(row.tokens)]);
    let titles = [
        ("largest outputs", Side::Left),
        ("id", Side::Left),
        ("message", Side::Right),
        ("tokens", Side::Right),
    ];
    table(&titles, &rows.collect::<Vec<_>>(), style)
}

fn table(titles: &[(&str, Side)], rows: &[Vec<String>], style: Style) -> Vec<String> {
    let mut lines = aligned(titles, rows);
    if let Some(first) = lines.first_mut() {
        *first = style.dim(first);
    }
    lines
}

fn compactions(found: &Compactions, already_pruned: usize) -> String {
    let marks: Vec<String> = found
        .recorded
        .iter()
        .map(|mark| format!("{} × {}", amount(mark.count), printable(mark.name)))
        .collect();
    let recorded = if marks.is_empty() { "none recorded".to_owned() } else { marks.join(", ") };
    let mut sent = Vec::new();
    match found.summaries {
        0 => {}
        1 => sent.push("1 summary".to_owned()),
        more => sent.push(format!("{} summaries", amount(more))),
    }
    if already_pruned > 0 {
        sent.push(counted(already_pruned, "pruned output"));
    }
    let sent = if sent.is_empty() { String::new() } else { format!("; sent: {}", sent.join(", ")) };
    format!("compactions: {recorded}{sent}")
}

fn problems(found: &Problems<'_>, session: &SessionText<'_>, style: Style) -> Vec<String> {
    let (violations, pending) = (&found.violations, &found.pending);
    let facts: Vec<String> = [
        (!violations.is_empty()).then(|| counted(violations.len(), "violation")),
        (!pending.is_empty()).then(|| format!("{} without a result yet", counted(pending.len(), "call"))),
        (found.calls_without_result > pending.len()).then(|| {
            format!("{} without a result in the whole file", counted(found.calls_without_result, "call"))
        }),
        (found.results_without_call > 0).then(|| {
            format!("{} without a call in the whole file", counted(found.results_without_call, "result"))
        }),
        (!found.unreadable.is_empty())
            .then(|| format!("{} that cannot be read", counted(found.unreadable.len(), "place"))),
    ]
    .into_iter()
    .flatten()
    .collect();
    if facts.is_empty() {
        return vec![format!("problems: {}", style.good("none"))];
    }
    let unreadable = session.problems().iter().map(|problem| Fault {
        line: problem.place().map(|place| place.line),
        message: None,
        text: problem.message().to_owned(),
        rule: problem.code(),
    });
    let faults: Vec<Fault> =
        violations.iter().map(Fault::from).chain(pending.iter().map(Fault::from)).chain(unreadable).collect();
    let mut lines = vec![format!("problems: {}", facts.join(", "))];
    lines.extend(rows(faults.get(..SHOWN).unwrap_or(&faults), style));
    if faults.len() > SHOWN {
        let more = amount(faults.len() - SHOWN);
        lines.push(style.dim(&format!("  and {more} more: --json lists them")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compactions_are_counted_by_their_names() {
        let none = Compactions { recorded: Vec::new(), summaries: 0 };
        assert_eq!(compactions(&none, 0), "compactions: none recorded");
        let two = Compactions { recorded: Vec::new(), summaries: 2 };
        assert_eq!(compactions(&two, 1), "compactions: none recorded; sent: 2 summaries, 1 pruned output");
    }

    #[test]
    fn a_page_says_what_a_session_is_made_of() {
        let text = r#"[{"role":"user","content":"u"},{"role":"tool","tool_call_id":"c9","content":"x"}]"#;
        let session = SessionText::read(text).unwrap();
        let plan = session.plan(&ebbline::profiles::get("ebbline@2").unwrap());
        let found = Inspection::of(&session, &plan, "a".to_owned(), text.len());
        let page = page("a", &session, &found, Style::new(false));
        assert!(page.contains("2 messages, 1 turn, "), "{page}");
        assert!(page.contains("problems: 1 violation, 1 result without a call in the whole file"), "{page}");
    }
}
