//! From a model's answer to a summary: whether it may stand for what it summarises, and what is added to it.

use super::budget::Meter;
use super::files::without_lists;
use super::prompt::SECTIONS;
use super::task::SummaryContext;
use crate::error::{Error, ErrorCode};

/// What a model answered to a request for a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<'a> {
    /// The text of the answer, without reasoning.
    pub text: &'a str,
    /// Whether the answer was cut off: its stop reason is `length`, `max_tokens` or whatever the provider calls
    /// it.
    pub truncated: bool,
}

/// The summary that `answer` makes: checked, and with the lists of files that were read and modified at its
/// end.
///
/// # Errors
///
/// A faulty summary must never take the place of history: `truncated_summary`; `empty_summary` when it says
/// nothing, or nothing but "(none)"; `summary_without_headings` when none of the outline's headings is in it;
/// `larger_summary` when it has more tokens than the messages that it would stand for.
///
/// # Example
///
/// ```
/// use ebbline::summary::{Answer, FileLists, SummaryContext, finish};
/// let files = FileLists { read: vec!["src/cart.ts".to_owned()], ..FileLists::default() };
/// let context = SummaryContext { files, replaced_tokens: 9_000, estimator: ebbline::Estimator::default() };
/// let answer = Answer { text: "## Goal\nRound the sums.", truncated: false };
/// assert_eq!(finish(&context, answer)?, "## Goal\nRound the sums.\n\n<read-files>\nsrc/cart.ts\n</read-files>");
/// let cut = Answer { truncated: true, ..answer };
/// assert_eq!(finish(&context, cut).unwrap_err().code(), "truncated_summary");
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn finish(context: &SummaryContext, answer: Answer<'_>) -> Result<String, Error> {
    let fail = |code, message: String| Err(Error::new(code, message));
    if answer.truncated {
        return fail(
            ErrorCode::TruncatedSummary,
            "the summary was cut off by the model's output limit".to_owned(),
        );
    }
    let mut summary = without_lists(without_fence(answer.text.trim()));
    if summary.lines().all(says_nothing) {
        return fail(ErrorCode::EmptySummary, "the summary says nothing".to_owned());
    }
    if !summary.lines().any(is_heading) {
        let expected = SECTIONS.first().map_or("", |section| section.heading);
        let message =
            format!("the summary has none of the headings that were asked for, such as {expected:?}");
        return fail(ErrorCode::SummaryWithoutHeadings, message);
    }
    if !context.files.is_empty() {
        summary.push_str("\n\n");
        summary.push_str(&context.files.to_text());
    }
    let tokens = Meter(&context.estimator).whole(&summary);
    if tokens > context.replaced_tokens {
        let replaced = context.replaced_tokens;
        let message =
            format!("the summary has {tokens} tokens, more than the {replaced} that it would stand for");
        return fail(ErrorCode::LargerSummary, message);
    }
    Ok(summary)
}

/// An answer without the code fence around the whole of it, which some models write.
fn without_fence(answer: &str) -> &str {
    let inside = answer.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let inside = inside.and_then(|inside| inside.split_once('\n'));
    match inside {
        Some((language, text))
            if language.trim().chars().all(char::is_alphanumeric) && !text.contains("```") =>
        {
            text.trim()
        }
        _ => answer,
    }
}

/// Whether a line is empty, a heading, or "(none)".
fn says_nothing(line: &str) -> bool {
    let line = line.trim();
    let bare = line
        .trim_start_matches(|character: char| "-*[]x. ".contains(character) || character.is_ascii_digit());
    let bare = bare.trim_matches(['(', ')', '*', '_', '.', ' ']);
    line.starts_with('#') || bare.is_empty() || bare.eq_ignore_ascii_case("none")
}

/// Whether a line is one of the outline's headings, at whatever level.
fn is_heading(line: &str) -> bool {
    let bare = |line: &str| line.trim().trim_matches(['#', '*', ':', ' ']).to_lowercase();
    let is_marked = line.trim_start().starts_with(['#', '*']);
    is_marked && SECTIONS.iter().any(|section| bare(section.heading) == bare(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Estimator;
    use crate::summary::FileLists;

    fn finished(text: &str, replaced_tokens: u64) -> Result<String, &'static str> {
        let files = FileLists { modified: vec!["a.rs".to_owned()], ..FileLists::default() };
        let context = SummaryContext { files, replaced_tokens, estimator: Estimator::default() };
        finish(&context, Answer { text, truncated: false }).map_err(|error| error.code())
    }

    #[test]
    fn a_faulty_summary_is_refused_with_the_reason() {
        let large = "## Goal\n".to_owned() + &"word ".repeat(500);
        let cases = [
            ("", "empty_summary"),
            (" \n\t", "empty_summary"),
            ("(none)", "empty_summary"),
            ("## Goal\n(none)\n\n## Next Steps\n1. (none)\n- None.\n- [ ] *none*", "empty_summary"),
            ("<read-files>\na\n</read-files>", "empty_summary"),
            ("I am sorry, I cannot do that.", "summary_without_headings"),
            ("# Summary\nIt went well.\nGoal", "summary_without_headings"),
            (&large, "larger_summary"),
        ];
        for (answer, code) in cases {
            assert_eq!(finished(answer, 300), Err(code), "{answer}");
        }
    }

    #[test]
    fn a_good_one_gets_the_lists_of_files_once() {
        let lists = "\n\n<modified-files>\na.rs\n</modified-files>";
        let cases = [
            ("## Goal\nX", "## Goal\nX"),
            ("\n# goal:\nX\n", "# goal:\nX"),
            ("**Next Steps**\n1. X", "**Next Steps**\n1. X"),
            ("```markdown\n## Goal\nX\n```", "## Goal\nX"),
            ("## Goal\nX\n\n<modified-files>\nmade-up\n</modified-files>", "## Goal\nX"),
            ("## Goal\n```\nX\n```", "## Goal\n```\nX\n```"),
        ];
        for (answer, summary) in cases {
            assert_eq!(finished(answer, 300).as_deref(), Ok(&*format!("{summary}{lists}")), "{answer}");
        }
    }
}
