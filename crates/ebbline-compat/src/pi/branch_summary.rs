//! The summary of a branch that is left.

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::branch::BranchMessages;
use super::coerce;
use super::entry::Entry;
use super::files::FileLists;
use super::reply::{Reply, SummaryUsage};
use super::serialize::serialize;
use super::summary::{Exchange, Summarizer, tagged};
use super::version::Version;
use super::wording::Subject;
use crate::question::Question;

/// The text before the summary of a branch.
const PREAMBLE: &str = "The user explored a different conversation branch before returning here.\nSummary of that exploration:\n\n";
/// The summary of a branch without messages.
const NOTHING: &str = "No content to summarize";
/// The context window, in tokens, of a model that does not state one.
const UNKNOWN_WINDOW: f64 = 128_000.0;
/// How many tokens of the window are kept free.
const RESERVE: f64 = 16_384.0;
/// The maximum number of tokens of an answer; pi 1.5 removed this limit.
const LONGEST: u64 = 2_048;

/// The outcome of the request for a branch's summary.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum BranchSummary {
    /// A summary.
    Written {
        /// The summary with its preamble and the lists of files.
        summary: Utf16,
        /// The usage of the request; pi 0.58 does not report it.
        usage: Option<SummaryUsage>,
        /// The lists of files.
        files: FileLists,
    },
    /// There was nothing to summarize.
    Nothing,
    /// The request was aborted; nothing changes.
    Aborted,
    /// The answer is not a summary, for this reason.
    Failed(Utf16),
}

impl Serialize for BranchSummary {
    /// As pi returns it: `summary` and its companions, `aborted`, or `error`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Written { summary, usage, files } => {
                map.serialize_entry("summary", summary)?;
                if let Some(usage) = usage {
                    map.serialize_entry("usage", usage)?;
                }
                map.serialize_entry("readFiles", &files.read_files)?;
                map.serialize_entry("modifiedFiles", &files.modified_files)?;
            }
            Self::Nothing => map.serialize_entry("summary", NOTHING)?,
            Self::Aborted => map.serialize_entry("aborted", &true)?,
            Self::Failed(error) => map.serialize_entry("error", error)?,
        }
        map.end()
    }
}

/// Requests the summary of a branch: pi's `generateBranchSummary`.
///
/// `entries` are the entries that are left, oldest first; `reserve` is kept free in the model's window. The user's
/// instructions are appended to pi's or, with `replace`, replace them.
///
/// # Errors
///
/// `invalid_settings` if pi raises an exception about unreadable data.
///
/// # Example
///
/// ```
/// use ebbline_compat::pi::{BranchSummary, Entry, Summarizer, summarize_branch};
/// use ebbline::json::Document;
///
/// let left = Document::parse(r#"[{"type": "message", "id": "a", "message": {"role": "user", "content": "try"}}]"#)?;
/// let entries = Entry::list(left.root())?;
/// let entries: Vec<_> = entries.iter().collect();
/// let exchange = summarize_branch(&entries, &Summarizer::default(), 16_384.0, false, None)?;
/// assert!(exchange.requests[0].messages[0].text.to_text().starts_with("<conversation>\n[User]: try\n"));
/// assert!(exchange.outcome.is_none());
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn summarize_branch(
    entries: &[&Entry<'_>],
    summarizer: &Summarizer,
    reserve: f64,
    replace: bool,
    reply: Option<Value<'_>>,
) -> Result<Exchange<BranchSummary>, Error> {
    let version = summarizer.version;
    let window = Some(summarizer.context_window).filter(|window| *window != 0.0 && !window.is_nan());
    let budget = window.unwrap_or(UNKNOWN_WINDOW) - reserve;
    let selected = BranchMessages::select(entries, budget, version)?;
    if selected.messages.is_empty() {
        return Ok(Exchange { requests: Vec::new(), outcome: Some(Ok(BranchSummary::Nothing)) });
    }
    let mut prompt = tagged("conversation", &serialize(&selected.messages, version)?);
    let replacement = summarizer.custom_instructions.as_ref().filter(|_| replace);
    prompt.push(&replacement.cloned().unwrap_or_else(|| summarizer.instructions(Subject::Branch)));
    let is_newest = version == Version::V1_5;
    let reasoning = summarizer.reasoning().filter(|_| is_newest);
    let requests = vec![summarizer.request(prompt, (!is_newest).then_some(LONGEST), reasoning)];
    let outcome = match reply {
        Some(reply) => Some(Ok(written(Reply::new(reply)?, &selected, version)?)),
        None => None,
    };
    Ok(Exchange { requests, outcome })
}

fn written(
    reply: Reply<'_>,
    selected: &BranchMessages<'_>,
    version: Version,
) -> Result<BranchSummary, Error> {
    if reply.stopped_by("aborted") {
        return Ok(BranchSummary::Aborted);
    }
    if version < Version::V1_5 && reply.stopped_by("error") {
        let error = reply.error_message().unwrap_or_else(|| Utf16::from("Summarization failed"));
        return Ok(BranchSummary::Failed(error));
    }
    if let Some(failure) = reply.failure("Branch summarization", version)? {
        return Ok(BranchSummary::Failed(failure));
    }
    let files = selected.files.lists();
    let mut summary = Utf16::from(PREAMBLE);
    summary.push(&reply.text(version)?);
    summary.push(&files.to_tags());
    let usage = reply.usage().filter(|_| version > Version::V0_58).and_then(SummaryUsage::reported);
    Ok(BranchSummary::Written { summary, usage, files })
}

pub(super) fn ask_branch_summary(question: Question<'_>, version: Version) -> Result<String, Error> {
    let options = question.options;
    let entries = Entry::list(question.data)?;
    let entries: Vec<_> = entries.iter().collect();
    let reserve = options.get("reserveTokens").map_or(RESERVE, |reserve| coerce::number(Some(reserve)));
    let replace = options.get("replaceInstructions").is_some_and(Value::is_truthy);
    let summarizer = Summarizer::read(options, version);
    let reply = options.elements_of("replies").next();
    Question::answer(&summarize_branch(&entries, &summarizer, reserve, replace, reply)?)
}

#[cfg(test)]
mod tests {
    use crate::ask;

    const ENTRIES: &str = r#"[{"type":"message","id":"a","message":{"role":"user","content":"12345678"}},
      {"type":"message","id":"b","message":{"role":"assistant","content":
        [{"type":"toolCall","name":"edit","arguments":{"path":"f"}}]}}]"#;

    fn asked(options: &str) -> serde_json::Value {
        serde_json::from_str(&ask("pi", "branchSummary", ENTRIES, options).unwrap()).unwrap()
    }

    fn prompt(options: &str) -> String {
        asked(options)["requests"][0]["messages"][0]["text"].as_str().unwrap().to_owned()
    }

    #[test]
    fn the_users_instructions_are_added_or_take_the_place_of_ours() {
        assert!(prompt(r#"{"customInstructions":"names"}"#).ends_with("\n\nAdditional focus: names"));
        let replaced = prompt(r#"{"customInstructions":"names","replaceInstructions":true}"#);
        assert!(replaced.ends_with("</conversation>\n\nnames"));
        assert!(!prompt(r#"{"replaceInstructions":true}"#).contains("Additional focus"));
        assert_eq!(asked(r#"{"version":"0.84"}"#)["requests"][0]["maxTokens"], 2048);
        assert!(asked("{}")["requests"][0]["maxTokens"].is_null());
    }

    #[test]
    fn the_budget_is_what_the_reserve_leaves_of_the_window() {
        let small = r#"{"model":{"contextWindow":10},"reserveTokens":6}"#;
        assert!(!prompt(small).contains("12345678"));
        assert!(prompt(r#"{"model":{"contextWindow":10},"reserveTokens":10}"#).contains("12345678"));
    }

    #[test]
    fn answers_become_summaries_or_say_why_not() {
        let reply = |stop: &str| {
            format!(
                r#"{{"stopReason":"{stop}","content":[{{"type":"text","text":"S"}}],"usage":{{"input":1}}}}"#
            )
        };
        let result = |version: &str, stop: &str| {
            asked(&format!(r#"{{"version":"{version}","replies":[{}]}}"#, reply(stop)))["result"].clone()
        };
        let summary = format!("{}S\n\n<modified-files>\nf\n</modified-files>", super::PREAMBLE);
        assert_eq!(result("1.5", "stop")["summary"], summary);
        assert_eq!(result("1.5", "stop")["usage"]["input"], 1);
        assert!(result("0.58", "stop").get("usage").is_none());
        assert_eq!(result("0.84", "length")["summary"], summary);
        assert_eq!(result("0.84", "aborted")["aborted"], true);
        assert_eq!(result("0.84", "error")["error"], "Summarization failed");
        assert_eq!(result("1.5", "error")["error"], "Branch summarization failed: Unknown error");
        assert!(asked("{}").get("result").is_none());
    }
}
