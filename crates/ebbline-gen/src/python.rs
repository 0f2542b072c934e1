//! The sentences about the engine's words, for the command line in Python.

use ebbline::plan::VerdictReason;
use ebbline::sentences::{is_of_pruning, of_fate, of_reason, of_verdict_reason};
use ebbline::summary::{Warning, reminder};
use ebbline::{ErrorCode, Fate, Reason};

use crate::prose::NOTE;

/// The file.
pub(crate) fn sentences() -> String {
    let reasons = Reason::ALL.iter().map(|word| (word.as_str(), quoted(of_reason(*word).phrase)));
    let fates = Fate::ALL.iter().map(|word| {
        let (mark, said) = of_fate(*word);
        (word.as_str(), format!("({}, {})", quoted(mark), quoted(said)))
    });
    let why = VerdictReason::ALL.iter().map(|word| (word.as_str(), quoted(of_verdict_reason(*word))));
    let warnings = Warning::ALL.iter().map(|word| (word.as_str(), quoted(word.text())));
    let reminders = ErrorCode::ALL.iter().filter_map(|code| Some((code.as_str(), quoted(reminder(*code)?))));
    let of_pruning: String = Reason::ALL
        .iter()
        .filter(|reason| is_of_pruning(**reason))
        .map(|reason| format!("    {},\n", quoted(reason.as_str())))
        .collect();
    let mut text = format!("\"\"\"{NOTE}\"\"\"\n\nfrom __future__ import annotations\n");
    let tables = [
        ("Why a message or part has its fate.", "REASONS", "str", rows(reasons)),
        ("A fate's mark and word.", "FATES", "tuple[str, str]", rows(fates)),
        ("Why nothing is done; figures stand in braces.", "VERDICT_REASONS", "str", rows(why)),
        ("What is unusual about a summary that is accepted all the same.", "WARNINGS", "str", rows(warnings)),
        ("What to tell a model whose answer is refused.", "REMINDERS", "str", rows(reminders)),
    ];
    for (about, name, kind, rows) in tables {
        text.push_str(&format!("\n# {about}\n{name}: dict[str, {kind}] = {{\n{rows}}}\n"));
    }
    let about = "What pruning has to say of an output; a policy that does not prune has no boundary and protects nothing.";
    text.push_str(&format!(
        "\n# {about}\nOF_PRUNING = frozenset(\n    [\n{}    ]\n)\n",
        of_pruning.replace("    ", "        ")
    ));
    text
}

fn rows<'w>(rows: impl Iterator<Item = (&'w str, String)>) -> String {
    rows.map(|(word, said)| format!("    {}: {said},\n", quoted(word))).collect()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
