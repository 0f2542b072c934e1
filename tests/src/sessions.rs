//! Real session files: read, written, planned, and planned again.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use ebbline::edit::Edit;
use ebbline::length::Length;
use ebbline::summary::SummaryOptions;
use ebbline::text::Text;
use ebbline::validate::{Rules, Violation, compare};
use ebbline::{EditOptions, Plan, Policy, ReadOptions, SessionText, profiles};

use crate::report::SessionReport;

/// The markers that a manifest counts.
const NAMED_MARKERS: &[&str] = &[
    "compact_boundary", "microcompact_boundary", "isCompactSummary", "compaction", "compaction-part",
    "summary:true", "compacted",
];

/// One row of a manifest: column name to value.
pub type Row = HashMap<String, String>;

/// The columns that a manifest must have, because they are compared.
const COMPARED: &[&str] = &[
    "file", "format", "messages", "tool_calls", "tool_results", "tool_result_chars", "already_pruned",
    "calls_without_result", "results_without_call", "images", "inactive_messages", "compaction_markers",
];

/// The columns that a manifest may have, which describe the origin of a session.
const TOLD: &[&str] =
    &["repo", "path", "commit", "licence", "bytes", "largest_result_chars", "origin", "notes", "sha256_16"];

/// The rows of `MANIFEST.tsv` in `folder`, by file; empty if there is none.
pub fn manifest(folder: &Path) -> Result<HashMap<String, Row>, String> {
    let path = folder.join("MANIFEST.tsv");
    if !path.is_file() {
        return Ok(HashMap::new());
    }
    let text = std::fs::read_to_string(path).map_err(|error| format!("MANIFEST.tsv: {error}"))?;
    let rows = rows_of(&text)?;
    match rows.keys().find(|file| !folder.join(file).is_file()) {
        Some(file) => Err(format!("MANIFEST.tsv names {file}, which is not there")),
        None => Ok(rows),
    }
}

fn rows_of(text: &str) -> Result<HashMap<String, Row>, String> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    if let Some(name) = names.iter().find(|name| !COMPARED.contains(name) && !TOLD.contains(name)) {
        return Err(format!("MANIFEST.tsv has an unknown column {name:?}"));
    }
    if let Some(name) = COMPARED.iter().find(|name| !names.contains(name)) {
        return Err(format!("MANIFEST.tsv has no column {name:?}"));
    }
    let mut rows = HashMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells.len() != names.len() {
            return Err(format!("MANIFEST.tsv: {} cells for {} columns: {line}", cells.len(), names.len()));
        }
        let row: Row =
            names.iter().zip(cells).map(|(name, cell)| ((*name).to_owned(), cell.to_owned())).collect();
        let file = row.get("file").cloned().unwrap_or_default();
        if rows.insert(file.clone(), row).is_some() {
            return Err(format!("MANIFEST.tsv names {file} twice"));
        }
    }
    Ok(rows)
}

/// The files below `folder`, by path, without the manifest, hidden files and READMEs.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = std::fs::read_dir(next).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if !name.starts_with('.') && name != "MANIFEST.tsv" && !name.starts_with("README") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Checks one file; `row` is its line in the manifest.
pub fn check(folder: &Path, path: &Path, row: Option<&Row>) -> SessionReport {
    let file = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
    let mut check = Check { report: SessionReport { file, ..SessionReport::default() } };
    match std::fs::read(path) {
        Ok(bytes) => check.bytes(&bytes, row),
        Err(error) => check.report.failures.push(error.to_string()),
    }
    check.report
}

struct Check {
    report: SessionReport,
}

impl Check {
    fn equal<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, ours: &T, expected: &T) {
        self.holds(ours == expected, || format!("{what}: {ours:?}, expected {expected:?}"));
    }

    fn holds(&mut self, holds: bool, why: impl FnOnce() -> String) {
        self.report.checks += 1;
        if !holds {
            self.report.failures.push(why());
        }
    }

    fn bytes(&mut self, bytes: &[u8], row: Option<&Row>) {
        let named = row.and_then(|row| row.get("format")).map(String::as_str);
        let session = match Text::from_bytes(bytes).and_then(SessionText::read) {
            Ok(session) => session,
            Err(error) => return self.refused(&error, named),
        };
        let source = session.text().as_str();
        session.format().name().clone_into(&mut self.report.format);
        if let Some(named) = named.filter(|named| !named.starts_with("extra/")) {
            self.equal("format", &session.format().name(), &named);
        }
        // The manifest has no counts for logs that it does not know.
        let is_counted = session.format() != ebbline::Format::InspectAi;
        if let Some(row) = row.filter(|_| is_counted) {
            self.counts(&session, row);
        }
        if !session.problems().is_empty() {
            self.report.note = format!("{} lines could not be read", session.problems().len());
        }
        let violations = session.validate();
        if !violations.is_empty() {
            let (count, rules) = (violations.len(), rules_of(&violations));
            let note = format!("as recorded, it breaks the rules of its format {count} times: {rules}");
            self.report.note = [std::mem::take(&mut self.report.note), note].join("; ");
            self.report.note = self.report.note.trim_start_matches("; ").to_owned();
        }
        for name in profiles::names() {
            if let Err(error) = self.profile(&session, source, name) {
                self.report.failures.push(format!("{name}: {error}"));
            }
        }
    }

    /// A file that cannot be read must be refused for a fitting reason.
    fn refused(&mut self, error: &ebbline::Error, named: Option<&str>) {
        error.code().clone_into(&mut self.report.format);
        self.report.note = error.to_string();
        let supported = named.is_some_and(|named| ebbline::Format::from_name(named).is_ok());
        self.holds(!supported, || format!("is of a supported format, but {error}"));
        let honest = ["unsupported_format", "no_messages"].contains(&error.code());
        self.holds(named.is_none() || honest, || format!("refused with {}", error.code()));
    }

    fn counts(&mut self, session: &SessionText, row: &Row) {
        let counts = session.counts();
        let mut figures = vec![
            ("messages", counts.messages as u64),
            ("tool_calls", counts.calls as u64),
            ("tool_results", counts.results as u64),
            ("already_pruned", counts.already_pruned as u64),
            ("calls_without_result", counts.calls_without_result as u64),
            ("results_without_call", counts.results_without_call as u64),
            ("images", counts.images as u64),
        ];
        self.markers(session, row);
        // The manifest measures results that are not text, and what was behind a mark, in its own way.
        let is_text = |part: &ebbline::transcript::Part| {
            part.native.is_none()
                && !matches!(
                    part.output,
                    ebbline::transcript::Output::Sealed | ebbline::transcript::Output::Pruned
                )
        };
        // The same holds for the objects that Cline's tools return.
        let is_cline = session.format() == ebbline::Format::Cline;
        // Of a value with one long text, a message of the AI SDK's interface counts the text alone.
        let is_value = session.format() == ebbline::Format::VercelUi
            && ["\"output\":{", "\"output\": {"].iter().any(|value| session.text().as_str().contains(value));
        if !is_cline && !is_value && session.transcript().parts().iter().all(is_text) {
            figures.push(("tool_result_chars", counts.result_chars));
        }
        // Its column of inactive messages excludes what precedes a compaction that OpenCode recorded.
        if session.format() == ebbline::Format::Opencode && counts.inactive > 0 {
            self.report.note = format!("{} messages lie before a recorded compaction", counts.inactive);
        } else {
            figures.push(("inactive_messages", counts.inactive as u64));
        }
        for (column, figure) in figures {
            let cell = row.get(column).map(String::as_str).unwrap_or_default();
            match cell.parse::<u64>() {
                Ok(expected) => self.equal(column, &figure, &expected),
                Err(_) => {
                    self.holds(false, || format!("{column}: the manifest says {cell:?}, which is no number"));
                }
            }
        }
    }

    /// Compares the agent's own compactions recorded in the file; the manifest counts them by the format's words.
    fn markers(&mut self, session: &SessionText, row: &Row) {
        let mut found = BTreeMap::<&str, u64>::new();
        for marker in session.markers() {
            *found.entry(marker.name).or_default() += 1;
        }
        let column =
            row.get("compaction_markers").map(|column| column.trim_matches('"').replace("\"\"", "\""));
        let column = column.unwrap_or_default();
        let Ok(expected) = serde_json::from_str::<BTreeMap<String, u64>>(&column) else {
            return self.holds(false, || format!("compaction_markers: {column:?} is no object of counts"));
        };
        let found: BTreeMap<String, u64> =
            found.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        // The manifest only names compactions; other markers are ebbline's.
        let named: BTreeMap<String, u64> =
            found.into_iter().filter(|(name, _)| NAMED_MARKERS.contains(&name.as_str())).collect();
        self.equal("compaction_markers", &named, &expected);
    }

    fn profile(&mut self, session: &SessionText, source: &str, name: &str) -> Result<(), ebbline::Error> {
        let mut idle = profiles::get(name)?;
        idle.prune.enabled = false;
        idle.retain.enabled = false;
        let plan = session.plan(&idle);
        let same = session.compact(&plan, &EditOptions::default())?;
        self.holds(same == source, || format!("{name}: an empty plan changes bytes"));

        let mut pruning = profiles::get(name)?;
        (pruning.prune.enabled, pruning.retain.enabled) = (true, false);
        (pruning.prune.protect, pruning.prune.minimum, pruning.prune.protected_turns) = (500, 1, 1);
        self.carried_out(session, source, &pruning, None)?;

        let mut summarizing = profiles::get(name)?;
        (summarizing.prune.enabled, summarizing.retain.enabled) = (false, true);
        (summarizing.retain.keep, summarizing.model.context, summarizing.trigger.reserve) =
            (1_000, NonZeroU64::new(1), 0);
        self.requested(session, &summarizing)?;
        if summarizing.retain.enabled {
            self.carried_out(session, source, &summarizing, Some("What happened so far."))?;
        }
        Ok(())
    }

    /// Requests a summary of nearly everything and checks that it fits.
    fn requested(&mut self, session: &SessionText, policy: &Policy) -> Result<(), ebbline::Error> {
        let plan = session.plan(policy);
        for budget in [30_000, 180_000] {
            let options = SummaryOptions::new().budget_tokens(budget);
            let Some(task) = session.summary_request(&plan, &options)? else { continue };
            let texts = task.request.messages.iter().map(|message| message.text.to_text());
            let tokens: u64 = texts
                .chain([task.request.system])
                .map(|text| policy.estimator.tokens_of_text(Length::of(&text)))
                .sum();
            self.holds(tokens <= budget, || {
                format!("{}: a request of {tokens} tokens, more than {budget}", policy.profile)
            });
        }
        Ok(())
    }

    /// Carries a plan out and checks that only planned ranges differ and that a second plan does nothing.
    fn carried_out(
        &mut self,
        session: &SessionText,
        source: &str,
        policy: &Policy,
        summary: Option<&str>,
    ) -> Result<(), ebbline::Error> {
        let name = &policy.profile;
        let plan = session.plan(policy);
        let mut options = EditOptions::new().now(1_795_300_000_000);
        options.summary = summary.map(str::to_owned);
        if summary.is_some() && !plan.decision.retain.applied {
            return Ok(());
        }
        let edits = match session.edits(&plan, &options) {
            Err(error) if error.code() == "no_place_for_summary" => return Ok(()),
            edits => edits?,
        };
        let written = ebbline::edit::apply(source, &edits)?;
        self.holds(only_edits_differ(source, &written, &edits), || {
            format!("{name}: bytes outside the edits differ")
        });
        self.equal(&format!("{name}: changes"), &(written != source), &plan.changes_something());
        let options = ReadOptions::new().format(session.format());
        let again = match SessionText::read_with(&written, &options) {
            Ok(again) => again,
            Err(error) => {
                self.holds(false, || format!("{name}: the result cannot be read: {error}"));
                return Ok(());
            }
        };
        let added = compare(session.transcript(), again.transcript(), &Rules::of(session.format()));
        self.holds(added.is_empty(), || format!("{name}: the result is less valid: {}", rules_of(&added)));
        let next = again.plan(policy);
        if summary.is_some() {
            let (before, after) = (session.counts(), again.counts());
            let orphans = |counts: ebbline::session_text::Counts| {
                (counts.results_without_call, counts.calls_without_result)
            };
            let (before, after) = (orphans(before), orphans(after));
            self.holds(after.0 <= before.0 && after.1 <= before.1, || {
                format!("{name}: an orphan: {after:?}, before {before:?}")
            });
            // A summary may be longer than the little that it replaces, because agents write sentences around it.
            let messages = again.transcript().messages().iter().zip(&next.messages);
            let summary: u64 = messages
                .filter(|(message, _)| message.active && message.summary)
                .map(|(_, planned)| planned.tokens_before)
                .sum();
            let fewer = next.decision.tokens_before < plan.decision.tokens_before
                || plan.decision.retain.summarized < summary;
            self.holds(fewer, || format!("{name}: nothing was summarized"));
        } else {
            let (measured, planned) = (next.decision.tokens_before, plan.decision.tokens_after);
            // What a placeholder describes may be shorter than a plan assumes.
            if policy.prune.placeholder.contains('{') {
                self.holds(measured <= planned, || format!("{name}: {measured} of {planned}"));
            } else {
                self.equal(&format!("{name}: totals"), &measured, &planned);
            }
            self.holds(!next.decision.prune.applied, || format!("{name}: prunes again: {}", outline(&next)));
            let twice = again.compact(&next, &EditOptions::default())?;
            self.holds(twice == written, || format!("{name}: planning again is no no-op"));
        }
        Ok(())
    }
}

/// The rules that are broken, each once.
fn rules_of(violations: &[Violation]) -> String {
    let mut rules: Vec<_> = violations.iter().map(|violation| violation.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn outline(plan: &Plan) -> String {
    format!("{:?} {:?}, {} outputs", plan.decision.verdict, plan.decision.reason, plan.decision.prune.outputs)
}

/// Whether `written` only differs from `source` by `edits`.
fn only_edits_differ(source: &str, written: &str, edits: &[Edit]) -> bool {
    let (mut from, mut at) = (0, 0);
    for edit in edits {
        let kept = source.get(from..edit.range.start).unwrap_or_default();
        let here = written.get(at..).unwrap_or_default();
        if !here.starts_with(kept)
            || !here.get(kept.len()..).unwrap_or_default().starts_with(&edit.replacement)
        {
            return false;
        }
        at += kept.len() + edit.replacement.len();
        from = edit.range.end;
    }
    source.get(from..) == written.get(at..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_with_a_misspelt_column_or_a_short_row_is_refused() {
        let names = COMPARED.join("\t");
        let row = ["a.json"; 12].join("\t");
        assert_eq!(rows_of(&format!("{names}\n{row}\n")).unwrap().len(), 1);
        let refused = |text: &str| rows_of(text).unwrap_err();
        let misspelt = names.replace("tool_calls", "tool_cals");
        assert_eq!(refused(&misspelt), r#"MANIFEST.tsv has an unknown column "tool_cals""#);
        assert_eq!(refused("file\tformat"), r#"MANIFEST.tsv has no column "messages""#);
        assert!(refused(&format!("{names}\na.json\tpi\n")).contains("2 cells for 12 columns"));
        assert_eq!(refused(&format!("{names}\n{row}\n{row}\n")), "MANIFEST.tsv names a.json twice");
    }
}
