//! Carries a plan out, with a summary or without one, and says what was done.

use ebbline::error::ErrorCode;
use ebbline::{EditOptions, Plan, SessionText};
use serde::Serialize;

use crate::amount::{amount, counted};
use crate::deliver::deliver;
use crate::engine_options::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::file_state::FileState;
use crate::json::line;
use crate::name::Name;
use crate::output::is_standard_output;
use crate::printable::printable;
use crate::record::{About, Record};
use crate::run::Run;
use crate::values::Values;
use crate::words::{Sizes, totals_of};

/// A summary that is only written to find out whether one can be.
const STAND_IN: &str = ".";

/// What was done, which may differ from the plan: without a summary, old messages stay.
#[derive(Clone, Copy, Debug, Serialize)]
struct Applied {
    pruned: usize,
    summarized: usize,
}

/// The record must not go where the session goes.
pub(crate) fn check_record(name: &Name, values: &Values) -> Result<(), Failure> {
    let Some(record) = values.text("record") else { return Ok(()) };
    if record.is_empty() || is_standard_output(record) {
        return Err(Failure::Usage("--record needs the name of a file".to_owned()));
    }
    if record == name.given() || values.text("out") == Some(record) {
        let sentence = "--record needs a file of its own: the session would be lost";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    Ok(())
}

/// A session as it was read.
pub(crate) struct Original<'b> {
    pub(crate) bytes: &'b [u8],
    pub(crate) seen: Option<FileState>,
}

/// Compacts the bytes of a session, and says what was done.
pub(crate) async fn write(
    name: &Name,
    original: &Original<'_>,
    options: &EngineOptions,
    summary: Option<String>,
    run: &mut Run,
) -> Result<Exit, Failure> {
    let Original { bytes, seen } = original;
    let policy = options.policy()?;
    let session = options.read(bytes, &policy)?;
    let plan = session.plan_with(&policy, options.plan);
    let decision = &plan.decision;
    let is_summarized = decision.retain.applied && summary.is_some();
    let applied = Applied {
        pruned: if decision.prune.applied { decision.prune.outputs } else { 0 },
        summarized: if is_summarized { decision.retain.messages } else { 0 },
    };
    let summary_needed = decision.retain.applied && summary.is_none();
    let next = summary_needed.then(|| match no_place(&session, &plan) {
        Some(why) => format!(", but {why}"),
        None => ": pass the summary with --summary FILE, or use summarize".to_owned(),
    });
    let mut edit_options = EditOptions::new().free_bytes(options.free_bytes);
    (edit_options.summary, edit_options.now) = (summary, options.now);
    let edits = session.edits(&plan, &edit_options)?;
    let after = session.text().edited(&edits)?;
    let sizes = sizes_of(&plan, applied, &after, options)?;
    if let Some(record) = run.given.values.text("record") {
        let about = About {
            profile: plan.profile.clone(),
            pruned: applied.pruned,
            summarized: applied.summarized,
            tokens_before: sizes.before,
            tokens_after: sizes.after,
        };
        let written = line(&Record::of(bytes, &after, &edits, about));
        if let Some(out) = run.given.values.text("out") {
            run.io.check(out, seen.as_ref()).await?;
        }
        // First the record: a session without one could not be undone.
        run.io.write(record, written.into_bytes(), None).await?;
    }
    deliver(after, seen.clone(), run).await?;
    if run.is_json() {
        let out = run.given.values.text("out");
        let report = report(&name.given(), out, applied, summary_needed, sizes.after, &plan);
        run.out.write(report).await?;
    } else {
        let said = account(&name.said(), applied, next.as_deref(), &plan, sizes);
        run.notes.write(&format!("{said}\n"));
    }
    Ok(Exit::Ok)
}

/// Why a session takes no summary, found out by writing one; `None` if it takes one.
pub(crate) fn no_place(session: &SessionText<'_>, plan: &Plan) -> Option<String> {
    let mut options = EditOptions::new();
    options.summary = Some(STAND_IN.to_owned());
    let error = session.edits(plan, &options).err()?;
    (error.kind() == ErrorCode::NoPlaceForSummary).then(|| error.message().to_owned())
}

/// The tokens before and after, and how many of these the summary has. A plan only assumes them: it is made before there is
/// a summary.
fn sizes_of(plan: &Plan, applied: Applied, after: &[u8], options: &EngineOptions) -> Result<Sizes, Failure> {
    let decision = &plan.decision;
    let (before, assumed) = (decision.tokens_before, decision.tokens_after);
    if applied.summarized == 0 {
        return Ok(Sizes { before, after: assumed, summary: decision.summary_allowance });
    }
    let policy = options.policy()?;
    let session = options.read(after, &policy)?;
    let after = session.plan_with(&policy, options.plan.force(false)).decision.tokens_before;
    let rest = assumed.saturating_sub(decision.summary_allowance);
    Ok(Sizes { before, after, summary: after.saturating_sub(rest) })
}

fn report(
    file: &str,
    out: Option<&str>,
    applied: Applied,
    summary_needed: bool,
    tokens_after: u64,
    plan: &Plan,
) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Report<'a> {
        file: &'a str,
        out: Option<&'a str>,
        applied: Applied,
        summary_needed: bool,
        tokens_after: u64,
    }
    let head = line(&Report { file, out, applied, summary_needed, tokens_after });
    let head = head.trim_end().strip_suffix('}').unwrap_or_default();
    format!("{head},\"plan\":{}}}\n", plan.to_json())
}

/// What was done, in one or two lines. `next` says of a summary that is missing how it is given, or why none can be written.
fn account(name: &str, applied: Applied, next: Option<&str>, plan: &Plan, sizes: Sizes) -> String {
    let mut done = Vec::new();
    if applied.pruned > 0 {
        done.push(format!("{} pruned", counted(applied.pruned, "output")));
    }
    if applied.summarized > 0 {
        done.push(format!("{} summarized", counted(applied.summarized, "message")));
    }
    let done = if done.is_empty() { "nothing changed".to_owned() } else { done.join(", ") };
    let name = printable(name);
    let Some(next) = next else { return format!("ebbline: {name}: {done}, {}", totals_of(sizes)) };
    let retain = &plan.decision.retain;
    let (wanted, tokens) = (counted(retain.messages, "message"), amount(retain.summarized));
    format!("ebbline: {name}: {done}\nebbline: {wanted} ({tokens} tokens) should be summarized{next}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_a_file_of_its_own() {
        let values = |record: &str| {
            let given = [("record", record), ("out", "out.json")];
            Values::new(given.map(|(name, value)| (name, Some(value.to_owned()))).to_vec())
        };
        let name = Name::from("in.json");
        assert!(check_record(&name, &values("record")).is_ok());
        for record in ["", "-", "in.json", "out.json"] {
            assert!(check_record(&name, &values(record)).is_err(), "{record}");
        }
    }

    #[test]
    fn a_report_ends_with_the_plan() {
        let session = ebbline::SessionText::read(r#"[{"role":"user","content":"hello"}]"#).unwrap();
        let plan = session.plan(&ebbline::profiles::get("ebbline@2").unwrap());
        let applied = Applied { pruned: 0, summarized: 0 };
        let written = report("a", Some("b"), applied, false, 3, &plan);
        let head = r#"{"file":"a","out":"b","applied":{"pruned":0,"summarized":0},"summaryNeeded":false,"tokensAfter":3,"plan":{"#;
        assert!(written.starts_with(head) && written.ends_with("}}\n"), "{written}");
    }
}
