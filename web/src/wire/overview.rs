//! Encodes what the page knows of a session once it is open.

use super::bytes::{Reader, Writer, numbers};
use crate::error_text::UserError;
use crate::overview::{About, Overview, Rows};

/// Encodes what the page knows of an open session, or why it could not be opened.
#[must_use]
pub fn encode_overview(opened: &Result<Overview, UserError>) -> Vec<u8> {
    let mut out = Writer::default();
    match opened {
        Err(problem) => {
            out.number(0);
            out.problem(problem);
        }
        Ok(Overview { about, rows }) => {
            out.number(1);
            out.text(&about.name);
            out.text(&about.format);
            out.text(&about.evidence);
            let counts = about.counts;
            out.numbers(&[about.bytes, about.problem_count as u64, counts.result_chars]);
            out.numbers(&[
                counts.messages as u64,
                counts.inactive as u64,
                counts.calls as u64,
                counts.results as u64,
                counts.already_pruned as u64,
                counts.calls_without_result as u64,
                counts.paired_by_place as u64,
                counts.results_without_call as u64,
                counts.images as u64,
            ]);
            out.number(about.problems.len() as u64);
            for problem in &about.problems {
                out.problem(problem);
            }
            out.number(about.tools.len() as u64);
            for tool in &about.tools {
                out.text(tool);
            }
            out.number(about.facts.len() as u64);
            for (name, fact) in &about.facts {
                out.text(name);
                out.text(fact);
            }
            out.bytes(&rows.kind);
            out.words(&rows.tool);
        }
    }
    out.0
}

/// Decodes [`encode_overview`]; `None` if the bytes are invalid.
#[must_use]
pub fn decode_overview(bytes: &[u8]) -> Option<Result<Overview, UserError>> {
    let from = &mut Reader(bytes);
    if from.number()? == 0 {
        return Some(Err(from.problem()?));
    }
    let (name, format, evidence) = (from.text()?, from.text()?, from.text()?);
    let [bytes, problem_count, result_chars] = numbers(from)?;
    let mut counts = ebbline::session_text::Counts::default();
    counts.messages = from.size()?;
    counts.inactive = from.size()?;
    counts.calls = from.size()?;
    counts.results = from.size()?;
    counts.result_chars = result_chars;
    counts.already_pruned = from.size()?;
    counts.calls_without_result = from.size()?;
    counts.paired_by_place = from.size()?;
    counts.results_without_call = from.size()?;
    counts.images = from.size()?;
    let problems = from.list(Reader::problem)?;
    let tools = from.list(Reader::text)?;
    let facts = from.list(|from| Some((from.text()?, from.text()?)))?;
    let problem_count = usize::try_from(problem_count).ok()?;
    let about = About { name, bytes, format, evidence, counts, problems, problem_count, tools, facts };
    Some(Ok(Overview { about, rows: Rows { kind: from.column()?, tool: from.words()? } }))
}
