//! The requests of a compaction to a model, and the results of the answers.

use ebbline::Error;
use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;
use ebbline::summary::{RequestMessage, SummaryRequest};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::coerce;
use super::estimate::{Settings, Tokens};
use super::files::FileLists;
use super::prepare::{Preparation, prepare};
use super::reply::{Reply, SummaryUsage};
use super::version::Version;
use super::wording::{SYSTEM, Subject};
use crate::question::Question;

/// The history's summary in a split turn without a history.
const NO_HISTORY: &str = "No prior history.";
/// Separates the summary of the history from that of the first part of a turn.
const TURN_CONTEXT: &str = "\n\n---\n\n**Turn Context (split turn):**\n\n";

/// The summarizing model and its settings.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Summarizer {
    /// The version whose requests are written.
    pub version: Version,
    /// The model's output limit in tokens; 0 if unknown.
    pub max_tokens: f64,
    /// The model's context window in tokens; 0 if unknown.
    pub context_window: f64,
    /// Whether the model can reason.
    pub can_reason: bool,
    /// The thinking level of the session's model, in pi's words; `off` for none.
    pub thinking_level: Option<String>,
    /// What the summary should emphasize, in the user's words.
    pub custom_instructions: Option<Utf16>,
}

impl Summarizer {
    /// Reads `model`, `thinkingLevel` and `customInstructions`.
    pub(super) fn read(options: Value<'_>, version: Version) -> Self {
        let model = options.get("model");
        let number = |key: &str| {
            model.and_then(|model| model.present(key)).map_or(0.0, |number| coerce::number(Some(number)))
        };
        Self {
            version,
            max_tokens: number("maxTokens"),
            context_window: number("contextWindow"),
            can_reason: model.and_then(|model| model.get("reasoning")).is_some_and(Value::is_truthy),
            thinking_level: options.text_of("thinkingLevel").map(|level| level.decode().into_owned()),
            custom_instructions: options
                .get("customInstructions")
                .filter(|instructions| instructions.is_truthy())
                .map(|instructions| coerce::string(Some(instructions))),
        }
    }

    /// The thinking level of a request.
    pub(super) fn reasoning(&self) -> Option<String> {
        if !self.can_reason {
            return None;
        }
        self.thinking_level.clone().filter(|level| !level.is_empty() && level != "off")
    }

    /// The instructions for a subject, with what the summary should emphasize.
    pub(super) fn instructions(&self, subject: Subject) -> Utf16 {
        let mut instructions = Utf16::from(subject.instructions(self.version).as_str());
        let takes_focus = subject != Subject::TurnPrefix || self.version.focuses_the_prefix();
        if let Some(focus) = self.custom_instructions.as_ref().filter(|_| takes_focus) {
            instructions.push_str("\n\nAdditional focus: ");
            instructions.push(focus);
        }
        instructions
    }

    /// A request with one message.
    pub(super) fn request(
        &self,
        text: Utf16,
        max_tokens: Option<u64>,
        reasoning: Option<String>,
    ) -> SummaryRequest {
        let mut request = SummaryRequest::new(vec![RequestMessage::new("user", text)]);
        SYSTEM.clone_into(&mut request.system);
        (request.max_tokens, request.reasoning) = (max_tokens, reasoning);
        request.cache_retention = self.version.keeps_summaries_out_of_the_cache().then_some("none");
        request
    }

    /// The maximum number of tokens of an answer: a share of the reserve, since 0.84 limited by the model; pi 1.5
    /// sets no limit.
    fn cap(&self, reserve: f64, share: f64) -> Option<u64> {
        let cap = (share * reserve).floor();
        let cap = match self.version {
            Version::V1_5 => return None,
            Version::V0_84 if self.max_tokens > 0.0 => cap.min(self.max_tokens),
            Version::V0_58 | Version::V0_84 => cap,
        };
        (!cap.is_nan()).then_some(cap as u64)
    }

    fn history_request(&self, preparation: &Preparation<'_>, reserve: f64) -> Result<SummaryRequest, Error> {
        let previous = preparation.previous_summary.filter(|summary| summary.is_truthy());
        let mut prompt = tagged("conversation", &preparation.history_text()?);
        if let Some(previous) = previous {
            prompt.push(&tagged("previous-summary", &coerce::string(Some(previous))));
        }
        let subject = if previous.is_some() { Subject::Update } else { Subject::History };
        prompt.push(&self.instructions(subject));
        let reasoning = match self.version {
            Version::V0_58 => self.can_reason.then(|| "high".to_owned()),
            Version::V0_84 | Version::V1_5 => self.reasoning(),
        };
        Ok(self.request(prompt, self.cap(reserve, 0.8), reasoning))
    }

    fn prefix_request(&self, preparation: &Preparation<'_>, reserve: f64) -> Result<SummaryRequest, Error> {
        let transcript = preparation.turn_prefix_text()?;
        let mut prompt = if self.version.names_the_prefix_a_conversation() {
            let mut prompt = Utf16::from("# Conversation\n");
            prompt.push(&transcript);
            prompt.push_str("\n\n# Instructions\n");
            prompt
        } else {
            tagged("conversation", &transcript)
        };
        prompt.push(&self.instructions(Subject::TurnPrefix));
        let reasoning = self.reasoning().filter(|_| self.version > Version::V0_58);
        Ok(self.request(prompt, self.cap(reserve, 0.5), reasoning))
    }
}

/// A text between tags, followed by a blank line.
pub(super) fn tagged(name: &str, text: &Utf16) -> Utf16 {
    let mut tagged = Utf16::from(format!("<{name}>\n").as_str());
    tagged.push(text);
    tagged.push_str(&format!("\n</{name}>\n\n"));
    tagged
}

/// The requests so far, and their outcome.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Exchange<T> {
    /// The requests in order; without an outcome, the last one is to be sent.
    pub requests: Vec<SummaryRequest>,
    /// The outcome; `None` while an answer is missing.
    pub outcome: Option<Result<T, Utf16>>,
}

impl<T: Serialize> Serialize for Exchange<T> {
    /// `requests` with `result` or `failure`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("requests", &self.requests)?;
        match &self.outcome {
            Some(Ok(result)) => map.serialize_entry("result", result)?,
            Some(Err(failure)) => map.serialize_entry("failure", failure)?,
            None => {}
        }
        map.end()
    }
}

/// A compaction as pi stores it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Compaction {
    /// The summary with the lists of files.
    pub summary: Utf16,
    /// The first kept entry.
    pub first_kept_entry_id: String,
    /// The estimated tokens of the context before.
    pub tokens_before: Tokens,
    /// The usage of the requests; pi 0.58 does not report it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<SummaryUsage>,
    /// The lists of files, which the next compaction reads.
    pub details: FileLists,
}

/// Requests the summaries of a prepared compaction and joins the answers: pi's `compact`.
///
/// `replies` are the model's answers so far: assistant messages in the order of the requests. Without enough of them
/// there is no outcome yet. pi 0.58 requests both parts of a split turn at once, so both requests exist from the
/// start.
///
/// # Errors
///
/// `invalid_settings` if pi raises an exception about unreadable data; an answer that is not a summary is a failure
/// of the exchange.
///
/// # Example
///
/// ```
/// use ebbline_compat::pi::{Entry, Settings, Summarizer, Version, compact, prepare};
/// use ebbline::json::Document;
///
/// let session = Document::parse(r#"[
///   {"type": "message", "id": "a", "message": {"role": "user", "content": "a question"}},
///   {"type": "message", "id": "b", "parentId": "a", "message": {"role": "user", "content": "another"}}
/// ]"#)?;
/// let prepared = prepare(&Entry::list(session.root())?, 1.0, Version::V1_5)?.unwrap();
/// let (summarizer, settings) = (Summarizer::default(), Settings::default());
/// let exchange = compact(&prepared, &summarizer, &settings, &[])?;
/// assert!(exchange.outcome.is_none() && exchange.requests.len() == 1);
///
/// let reply = Document::parse(r###"{"stopReason": "stop", "content": [{"type": "text", "text": "## Goal"}]}"###)?;
/// let exchange = compact(&prepared, &summarizer, &settings, &[reply.root()])?;
/// assert_eq!(exchange.outcome.unwrap().unwrap().summary.to_text(), "## Goal");
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn compact(
    preparation: &Preparation<'_>,
    summarizer: &Summarizer,
    settings: &Settings,
    replies: &[Value<'_>],
) -> Result<Exchange<Compaction>, Error> {
    let version = summarizer.version;
    let reserve = settings.reserve_tokens;
    let is_split = preparation.is_split_turn && !preparation.turn_prefix_messages.is_empty();
    let asks_for_history = !is_split || !preparation.messages_to_summarize.is_empty();
    let mut requests = Vec::new();
    let mut replies = replies.iter().map(|reply| Reply::new(*reply));
    if asks_for_history {
        requests.push(summarizer.history_request(preparation, reserve)?);
    }
    if is_split && version.asks_for_both_parts_at_once() {
        requests.push(summarizer.prefix_request(preparation, reserve)?);
    }
    let waiting = |requests| Ok(Exchange { requests, outcome: None });
    let failed = |requests, failure| Ok(Exchange { requests, outcome: Some(Err(failure)) });

    let mut usage = None;
    let mut summary = if asks_for_history {
        let Some(reply) = replies.next().transpose()? else { return waiting(requests) };
        if let Some(failure) = reply.failure("Summarization", version)? {
            return failed(requests, failure);
        }
        usage = Some(reply.usage());
        reply.text(version)?
    } else {
        let previous = preparation.previous_summary.filter(|summary| !summary.is_null());
        let previous = previous.filter(|_| version.keeps_the_summary_of_a_split_turn());
        previous.map_or_else(|| Utf16::from(NO_HISTORY), |previous| coerce::string(Some(previous)))
    };
    let mut spent = usage.flatten().and_then(SummaryUsage::reported);
    if is_split {
        if !version.asks_for_both_parts_at_once() {
            requests.push(summarizer.prefix_request(preparation, reserve)?);
        }
        let Some(reply) = replies.next().transpose()? else { return waiting(requests) };
        if let Some(failure) = reply.failure("Turn prefix summarization", version)? {
            return failed(requests, failure);
        }
        summary.push_str(TURN_CONTEXT);
        summary.push(&reply.text(version)?);
        spent = match usage.flatten().filter(|usage| usage.is_truthy()) {
            Some(_) if version == Version::V0_58 => None,
            Some(history) => Some(SummaryUsage::sum(Some(history), reply.usage(), version)?),
            None => reply.usage().and_then(SummaryUsage::reported),
        };
    }
    let details = preparation.files.lists();
    summary.push(&details.to_tags());
    let compaction = Compaction {
        summary,
        first_kept_entry_id: preparation.first_kept_entry_id.clone().into_owned(),
        tokens_before: preparation.tokens_before,
        usage: spent.filter(|_| version > Version::V0_58),
        details,
    };
    Ok(Exchange { requests, outcome: Some(Ok(compaction)) })
}

pub(super) fn ask_compact(question: Question<'_>, version: Version) -> Result<String, Error> {
    let entries = super::Entry::list(question.data)?;
    let settings = question.options.get("settings").map_or_else(Settings::default, Settings::read);
    let Some(preparation) = prepare(&entries, settings.keep_recent_tokens, version)? else {
        let nothing: Exchange<Option<()>> = Exchange { requests: Vec::new(), outcome: Some(Ok(None)) };
        return Question::answer(&nothing);
    };
    let replies: Vec<Value<'_>> = question.options.elements_of("replies").collect();
    let summarizer = Summarizer::read(question.options, version);
    Question::answer(&compact(&preparation, &summarizer, &settings, &replies)?)
}

#[cfg(test)]
mod tests {
    use crate::ask;

    /// Two turns, the second split by a small budget.
    const ENTRIES: &str = r#"[
      {"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"first wish"}},
      {"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}},
      {"type":"message","id":"c","parentId":"b","message":{"role":"user","content":"second wish"}},
      {"type":"message","id":"d","parentId":"c","message":{"role":"assistant","content":[{"type":"text","text":"half of the work"}]}},
      {"type":"message","id":"e","parentId":"d","message":{"role":"assistant","content":[{"type":"text","text":"the other half"}]}}]"#;

    fn reply(text: &str) -> String {
        format!(r#"{{"role":"assistant","stopReason":"stop","content":[{{"type":"text","text":"{text}"}}]}}"#)
    }

    fn asked(version: &str, replies: &[String], options: &str) -> serde_json::Value {
        let options = format!(
            r#"{{"version":"{version}","settings":{{"reserveTokens":1000,"keepRecentTokens":3}},"replies":[{}]{options}}}"#,
            replies.join(",")
        );
        serde_json::from_str(&ask("pi", "compact", ENTRIES, &options).unwrap()).unwrap()
    }

    #[test]
    fn requests_come_one_by_one_since_0_84() {
        for (version, counts) in [("0.58", [2, 2, 2]), ("0.84", [1, 2, 2]), ("1.5", [1, 2, 2])] {
            let replies = [reply("H"), reply("P")];
            for (given, count) in counts.into_iter().enumerate() {
                let exchange = asked(version, &replies[..given], "");
                assert_eq!(exchange["requests"].as_array().unwrap().len(), count, "{version} {given}");
                assert_eq!(exchange.get("result").is_some(), given == 2, "{version} {given}");
            }
        }
    }

    #[test]
    fn a_split_turn_is_summarized_in_two_parts() {
        let exchange = asked("1.5", &[reply("H"), reply("P")], r#","customInstructions":"the tests""#);
        assert_eq!(exchange["result"]["summary"], "H\n\n---\n\n**Turn Context (split turn):**\n\nP");
        assert_eq!(exchange["result"]["firstKeptEntryId"], "e");
        let text = |at: usize| exchange["requests"][at]["messages"][0]["text"].as_str().unwrap();
        assert!(
            text(0)
                .starts_with("<conversation>\n[User]: first wish\n\n[Assistant]: done\n</conversation>\n\n")
        );
        assert!(
            text(1).starts_with(
                "# Conversation\n[User]: second wish\n\n[Assistant]: half of the work\n\n# Inst"
            )
        );
        assert!(text(0).ends_with("\n\nAdditional focus: the tests"));
        assert!(text(1).ends_with("\n\nAdditional focus: the tests"));
    }

    #[test]
    fn limits_and_thinking_differ_by_version() {
        let model = r#","model":{"maxTokens":600,"reasoning":true},"thinkingLevel":"low""#;
        let cases = [
            ("0.58", [(Some(800), Some("high")), (Some(500), None)], None),
            ("0.84", [(Some(600), Some("low")), (Some(500), Some("low"))], Some("none")),
            ("1.5", [(None, Some("low")), (None, Some("low"))], Some("none")),
        ];
        for (version, expected, cache) in cases {
            let exchange = asked(version, &[reply("H")], model);
            for (at, (max_tokens, reasoning)) in expected.into_iter().enumerate() {
                let request = &exchange["requests"][at];
                assert_eq!(request["maxTokens"].as_u64(), max_tokens, "{version}");
                assert_eq!(request["reasoning"].as_str(), reasoning, "{version}");
                assert_eq!(request["cacheRetention"].as_str(), cache, "{version}");
            }
        }
    }

    #[test]
    fn an_answer_that_is_no_summary_fails_the_exchange() {
        let error = r#"{"stopReason":"error","errorMessage":"nope","content":[]}"#.to_owned();
        let exchange = asked("1.5", std::slice::from_ref(&error), "");
        assert_eq!(exchange["failure"], "Summarization failed: nope");
        let exchange = asked("0.58", &[reply("H"), error], "");
        assert_eq!(exchange["failure"], "Turn prefix summarization failed: nope");
        assert!(exchange.get("result").is_none());
    }
}
