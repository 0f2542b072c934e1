//! Turns a model's answer into a summary: checks whether it may replace the messages, and adds the lists of files.

use serde::Serialize;

use super::budget::Meter;
use super::files::without_lists;
use super::names::behind;
use super::prompt::SECTIONS;
use super::reasoning::{Reasoning, without_reasoning};
use super::task::SummaryContext;
use crate::blank::is_unseen;
use crate::error::{Error, ErrorCode};
use crate::words;

/// A summary without headings is very short if it has fewer tokens than this
const SHORT: u64 = 40;
/// and replaces this many times as many.
const SHORT_SHARE: u64 = 50;

/// What to tell a model whose answer was refused with this code, so that it answers again; `None` if that would not help.
///
/// # Example
///
/// ```
/// use ebbline::ErrorCode;
/// use ebbline::summary::reminder;
///
/// assert!(reminder(ErrorCode::TruncatedSummary).unwrap_or_default().contains("half as long"));
/// assert_eq!(reminder(ErrorCode::Mismatch), None);
/// ```
#[must_use]
pub fn reminder(code: ErrorCode) -> Option<&'static str> {
    match code {
        ErrorCode::EmptySummary => Some(
            "Your answer contains no summary. Write the summary that was asked for, as plain text, and call no tool.",
        ),
        ErrorCode::TruncatedSummary => {
            Some("Your answer was cut off. Write the whole summary again, at most half as long.")
        }
        ErrorCode::LargerSummary => Some(
            "Your summary is longer than the messages that it replaces. Write it again, at most a quarter as long.",
        ),
        _ => None,
    }
}

/// What a model answered to a request for a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer<'a> {
    /// The text of the answer.
    pub text: &'a str,
    /// Whether the answer was cut off: its stop reason is `length`, `max_tokens` or the provider's word for it.
    pub truncated: bool,
}

impl<'a> Answer<'a> {
    /// An answer with this text, which may be cut off.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(!ebbline::summary::Answer::new("## Goal", false).truncated);
    /// ```
    #[must_use]
    pub const fn new(text: &'a str, truncated: bool) -> Self {
        Self { text, truncated }
    }
}

words! {
    /// Something unusual about a summary that is accepted nevertheless.
    pub enum Warning [non_exhaustive] {
        /// It contains none of the outline's headings: it is prose, or its headings are in another language.
        NoHeadings "no_headings",
        /// It has no headings and is very short for the messages that it replaces: the model may have refused.
        VeryShort "very_short",
        /// The model's reasoning in front of it was removed.
        ReasoningRemoved "reasoning_removed",
    }
}

impl Warning {
    /// The warning in a sentence.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::summary::Warning;
    /// assert!(Warning::ALL.iter().all(|warning| !warning.text().is_empty()));
    /// ```
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::NoHeadings => "the summary has none of the headings that were asked for",
            Self::VeryShort => {
                "the summary is very short for the messages that it replaces: the model may have refused to write it"
            }
            Self::ReasoningRemoved => "the model's reasoning in front of the summary was removed",
        }
    }
}

/// A summary and its warnings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finished {
    /// The summary.
    pub summary: String,
    /// What is unusual about it; usually empty.
    pub warnings: Vec<Warning>,
}

/// Makes a summary of `answer`: checks it, and appends the lists of files that were read and modified. Prose is
/// accepted, and so are headings in any language; reasoning in front of the summary (`<think>`) is removed.
///
/// # Errors
///
/// A faulty summary must never replace history: `truncated_summary` if the answer was cut off or ends inside its
/// reasoning; `empty_summary` if it is empty or contains only "(none)"; `larger_summary` if it has more tokens than
/// the messages that it would replace.
///
/// # Example
///
/// ```
/// use ebbline::summary::{Answer, FileLists, SummaryContext, finish};
/// let mut files = FileLists::default();
/// files.read.push("src/cart.ts".to_owned());
/// let context = SummaryContext::new(files, 9_000, ebbline::policy::Estimator::default());
/// let answer = Answer::new("## Goal\nRound the sums.", false);
/// assert_eq!(finish(&context, answer)?, "## Goal\nRound the sums.\n\n<read-files>\nsrc/cart.ts\n</read-files>");
/// let cut = Answer::new(answer.text, true);
/// assert_eq!(finish(&context, cut).unwrap_err().code(), "truncated_summary");
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn finish(context: &SummaryContext, answer: Answer<'_>) -> Result<String, Error> {
    review(context, answer).map(|finished| finished.summary)
}

/// Like [`finish`], but also returns what is unusual about the summary.
///
/// # Errors
///
/// As [`finish`].
///
/// # Example
///
/// ```
/// use ebbline::summary::{Answer, FileLists, SummaryContext, Warning, review};
/// let context = SummaryContext::new(FileLists::default(), 90, ebbline::policy::Estimator::default());
/// let answer = Answer::new("<think>Short.</think>\nThe sums are rounded now, and the tests pass.", false);
/// let finished = review(&context, answer)?;
/// assert_eq!(finished.summary, "The sums are rounded now, and the tests pass.");
/// assert_eq!(finished.warnings, [Warning::ReasoningRemoved, Warning::NoHeadings]);
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn review(context: &SummaryContext, answer: Answer<'_>) -> Result<Finished, Error> {
    let fail = |code, message: String| Err(Error::new(code, message));
    if answer.truncated {
        return fail(
            ErrorCode::TruncatedSummary,
            "the summary was cut off by the model's output limit".to_owned(),
        );
    }
    let mut warnings = Vec::new();
    let text = match without_reasoning(answer.text.trim_matches(is_unseen)) {
        Reasoning::None(text) => text,
        Reasoning::Before(text) => {
            warnings.push(Warning::ReasoningRemoved);
            text
        }
        Reasoning::Torn => {
            let message = "the answer ends inside the model's reasoning".to_owned();
            return fail(ErrorCode::TruncatedSummary, message);
        }
    };
    let mut summary = without_lists(without_fence(text.trim_matches(is_unseen)));
    if summary.lines().all(says_nothing) {
        return fail(ErrorCode::EmptySummary, "the summary has no content".to_owned());
    }
    let meter = Meter(&context.estimator);
    if !summary.lines().any(is_heading) {
        warnings.push(Warning::NoHeadings);
        let tokens = meter.whole(&summary);
        if tokens < SHORT && tokens.saturating_mul(SHORT_SHARE) < context.replaced_tokens {
            warnings.push(Warning::VeryShort);
        }
    }
    if !context.files.is_empty() {
        summary.push_str("\n\n");
        summary.push_str(&context.files.to_text());
    }
    let tokens = meter.whole(&summary);
    // Names must not make a summary too large that is not.
    let names = behind(&summary, &context.names);
    if tokens.saturating_add(meter.piece(&names)) <= context.replaced_tokens {
        summary.push_str(&names);
    }
    if tokens > context.replaced_tokens {
        let replaced = context.replaced_tokens;
        let message =
            format!("the summary has {tokens} tokens, more than the {replaced} that it would replace");
        return fail(ErrorCode::LargerSummary, message);
    }
    Ok(Finished { summary, warnings })
}

/// Removes a code fence around the whole answer, which some models write.
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
    let line = line.trim_matches(is_unseen);
    let bare = line.trim_start_matches(|character: char| {
        "-*[]x.".contains(character) || character.is_ascii_digit() || is_unseen(character)
    });
    let bare = bare.trim_matches(|character| "()*_.".contains(character) || is_unseen(character));
    line.starts_with('#') || bare.is_empty() || bare.eq_ignore_ascii_case("none")
}

/// Whether a line is one of the outline's headings, at any level.
fn is_heading(line: &str) -> bool {
    fn bare(line: &str) -> &str {
        line.trim().trim_matches(['#', '*', ':', ' '])
    }
    let is_marked = line.trim_start().starts_with(['#', '*']);
    is_marked && SECTIONS.iter().any(|section| bare(section.heading).eq_ignore_ascii_case(bare(line)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Estimator;
    use crate::summary::FileLists;

    fn finished(text: &str, replaced_tokens: u64) -> Result<String, &'static str> {
        let files = FileLists { modified: vec!["a.rs".to_owned()], ..FileLists::default() };
        let context = SummaryContext::new(files, replaced_tokens, Estimator::default());
        finish(&context, Answer { text, truncated: false }).map_err(|error| error.code())
    }

    #[test]
    fn a_faulty_summary_is_refused_with_the_reason() {
        let large = "## Goal\n".to_owned() + &"word ".repeat(500);
        let cases = [
            ("", "empty_summary"),
            (" \n\t", "empty_summary"),
            ("\u{85}", "empty_summary"),
            ("\u{feff}\u{200b} \u{2060}\n\u{3000}", "empty_summary"),
            ("## Goal\n- \u{200b}(none)\u{85}", "empty_summary"),
            ("(none)", "empty_summary"),
            ("## Goal\n(none)\n\n## Next Steps\n1. (none)\n- None.\n- [ ] *none*", "empty_summary"),
            ("<read-files>\na\n</read-files>", "empty_summary"),
            ("<think>The goal is", "truncated_summary"),
            ("<think>\nThe goal is clear.\n</think>\n", "empty_summary"),
            (&large, "larger_summary"),
        ];
        for (answer, code) in cases {
            assert_eq!(finished(answer, 300), Err(code), "{answer}");
        }
    }

    #[test]
    fn prose_and_headings_of_any_language_are_a_summary_with_a_warning() {
        let context = |replaced_tokens| {
            SummaryContext::new(FileLists::default(), replaced_tokens, Estimator::default())
        };
        let reviewed = |text: &str, replaced: u64| {
            let finished = review(&context(replaced), Answer { text, truncated: false }).unwrap();
            (finished.summary, finished.warnings)
        };
        let prose = "The checkout was one cent off, because sums were floored; now they are rounded.";
        let german = "## Ziel\nDie Kasse rundet richtig.\n\n## Fortschritt\nDie Tests laufen.";
        let ours = "## Goal\nRound the sums.";
        for (text, summary, warnings) in [
            (ours.to_owned(), ours, vec![]),
            (prose.to_owned(), prose, vec![Warning::NoHeadings]),
            (german.to_owned(), german, vec![Warning::NoHeadings]),
            (format!("<think>\nFirst the goal.\n</think>\n\n{ours}"), ours, vec![Warning::ReasoningRemoved]),
            (format!("<Thinking>a</Thinking><think>b</think>{ours}"), ours, vec![Warning::ReasoningRemoved]),
            (format!("```\n{ours}\n```"), ours, vec![]),
            (format!("{ours}\n<think> is a tag"), "## Goal\nRound the sums.\n<think> is a tag", vec![]),
        ] {
            assert_eq!(reviewed(&text, 300), (summary.to_owned(), warnings), "{text}");
        }
        let refusal = reviewed("I am sorry, I cannot do that.", 9_000);
        assert_eq!(refusal.1, [Warning::NoHeadings, Warning::VeryShort]);
        for warning in [Warning::NoHeadings, Warning::VeryShort, Warning::ReasoningRemoved] {
            assert!(warning.text().len() > 20);
        }
    }

    #[test]
    fn a_good_one_gets_the_lists_of_files_once() {
        let lists = "\n\n<modified-files>\na.rs\n</modified-files>";
        let cases = [
            ("## Goal\nX", "## Goal\nX"),
            ("\u{feff}## Goal\nX\u{200b}\u{85}", "## Goal\nX"),
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
