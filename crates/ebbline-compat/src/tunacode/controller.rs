//! TunaCode 0.2.3's compaction controller: when it compacts, and what it requests, stores and reports.

use ebbline::format::tinyagent::{self, unmeasurable};
use ebbline::json::Value;
use ebbline::notation::javascript::Utf16;
use ebbline::notation::python::{CodePoints, strip};
use ebbline::{Error, ErrorCode, PlanOptions, Policy, ReadOptions, Transcript, plan, profiles};

use super::call::{Call, Compaction, Outcome, Reply, notice};
use super::load::loaded;
use super::prompt::summary_prompt;
use super::record::CompactionRecord;
use super::serialize::serialize;

/// The controller's settings.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ControllerSettings {
    /// How many of the newest tokens are kept word for word.
    pub keep_recent_tokens: f64,
    /// Tokens of the window that are kept free.
    pub reserve_tokens: f64,
    /// Whether the controller compacts automatically.
    pub auto_compact: bool,
}

impl Default for ControllerSettings {
    fn default() -> Self {
        Self { keep_recent_tokens: 20_000.0, reserve_tokens: 16_384.0, auto_compact: true }
    }
}

/// A session's controller between calls.
///
/// It calls no model: [`Controller::run`] takes the replies and returns the prompts.
///
/// # Example
///
/// ```
/// use ebbline_compat::tunacode::{Call, Controller, ControllerSettings, Reply};
/// let json = r#"[{"role": "user", "content": [{"type": "text", "text": "hello"}]}]"#;
/// let messages = ebbline::json::Document::parse(json)?;
/// let settings = ControllerSettings::default();
/// let call =
///     Call { reset: false, max_tokens: Some(200_000.0), force: true, allow_threshold: true, apply: true };
/// let run = |replies: &[Reply]| Controller::new(messages.root(), None, settings, true)?.run(&[call], replies);
/// let waiting = run(&[])?;
/// assert!(waiting.waiting && waiting.prompts[0].to_text().ends_with("[User]: hello\n"));
/// let done = run(&[Reply::Text("## Goal".into())])?;
/// assert_eq!((done.outcomes[0].status, done.outcomes[0].kept_messages), ("compacted", 0));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Debug)]
pub struct Controller<'d> {
    messages: Vec<Value<'d>>,
    transcript: Transcript,
    policy: Policy,
    settings: ControllerSettings,
    record: Option<CompactionRecord>,
    /// The start of the current conversation; the messages before were summarized.
    start: usize,
    /// Whether the list is the live conversation, whose total is stored.
    live: bool,
    stored_total: u64,
    compacted_this_request: bool,
}

impl<'d> Controller<'d> {
    /// A controller over a saved session's messages.
    ///
    /// `live` says whether they are the conversation, whose total TunaCode stores, or a copy.
    ///
    /// # Errors
    ///
    /// `invalid_message` for a message that TunaCode's loader refuses; `invalid_settings` for negative settings.
    pub fn new(
        messages: Value<'d>,
        record: Option<CompactionRecord>,
        settings: ControllerSettings,
        live: bool,
    ) -> Result<Self, Error> {
        for (name, value) in
            [("keepRecentTokens", settings.keep_recent_tokens), ("reserveTokens", settings.reserve_tokens)]
        {
            if value < 0.0 {
                return Err(Error::invalid_settings(format!("{name} must be at least 0")));
            }
        }
        let messages = loaded(messages)?;
        let transcript = tinyagent::transcript(&messages, &ReadOptions::default())?;
        let mut policy = profiles::get("tunacode@0.2")?;
        // An integer number of tokens reaches a fraction when it reaches the next integer.
        policy.retain.keep = settings.keep_recent_tokens.ceil() as u64;
        Ok(Self {
            messages,
            transcript,
            policy,
            settings,
            record,
            start: 0,
            live,
            stored_total: 0,
            compacted_this_request: false,
        })
    }

    /// Runs calls with the given replies; a compaction without a reply ends the run.
    ///
    /// # Errors
    ///
    /// `invalid_message` if a message must be estimated that TunaCode cannot estimate.
    pub fn run(&mut self, calls: &[Call], replies: &[Reply]) -> Result<Compaction, Error> {
        let mut compaction = Compaction::default();
        let mut replies = replies.iter();
        for call in calls {
            if call.reset {
                self.compacted_this_request = false;
            }
            let Some(max_tokens) = call.max_tokens else { continue };
            let Some(outcome) = self.call(*call, max_tokens, &mut replies, &mut compaction)? else {
                compaction.waiting = true;
                break;
            };
            compaction.outcomes.push(outcome);
        }
        Ok(compaction)
    }

    /// Runs one call; `None` if it needs a missing reply.
    fn call<'r>(
        &mut self,
        call: Call,
        max_tokens: f64,
        replies: &mut impl Iterator<Item = &'r Reply>,
        log: &mut Compaction,
    ) -> Result<Option<Outcome>, Error> {
        if !call.force {
            let reason = if self.compacted_this_request {
                Some("already_compacted_this_request")
            } else if !call.allow_threshold {
                Some("threshold_compaction_not_allowed")
            } else if !self.settings.auto_compact {
                Some("auto_compaction_disabled")
            } else if !self.is_over_threshold(max_tokens)? {
                Some("below_threshold")
            } else {
                None
            };
            if let Some(reason) = reason {
                return Ok(Some(self.outcome("skipped", reason, None)));
            }
        }
        self.compacted_this_request = true;
        let boundary = self.boundary(call.force);
        if boundary <= self.start {
            return Ok(Some(self.outcome("skipped", "no_valid_boundary", None)));
        }
        log.status_calls.push(true);
        let summary = match self.summarize(boundary, replies, log) {
            Summarized::Waiting => return Ok(None),
            Summarized::Text(summary) => summary,
            Summarized::Not(status, reason, detail) => {
                log.status_calls.push(false);
                return Ok(Some(self.outcome(status, reason, Some(detail))));
            }
        };
        log.status_calls.push(false);
        self.finish(boundary, summary, call.apply).map(Some)
    }

    /// `estimate > max(0, maxTokens - reserve - keep)`; a window of 0 or less is never full.
    fn is_over_threshold(&mut self, max_tokens: f64) -> Result<bool, Error> {
        if max_tokens.is_nan() || max_tokens <= 0.0 {
            return Ok(false);
        }
        let threshold = max_tokens - self.settings.reserve_tokens - self.settings.keep_recent_tokens;
        Ok(self.total()? as f64 > threshold.max(0.0))
    }

    /// The estimate of the conversation. The live conversation's is made once and stored.
    fn total(&mut self) -> Result<u64, Error> {
        if !self.live {
            return self.estimate(self.start);
        }
        if self.stored_total == 0 {
            self.stored_total = self.estimate(self.start)?;
        }
        Ok(self.stored_total)
    }

    /// The tokens of the messages from `start` on.
    fn estimate(&self, start: usize) -> Result<u64, Error> {
        if let Some(why) = self.messages.iter().skip(start).copied().find_map(unmeasurable) {
            return Err(Error::new(ErrorCode::InvalidMessage, why));
        }
        let messages = start..self.messages.len();
        Ok(messages.map(|message| self.policy.estimator.message(&self.transcript, message)).sum())
    }

    /// The start of the kept messages; the start of the conversation if there is no boundary.
    fn boundary(&self, force: bool) -> usize {
        let plan = plan(&self.transcript, &self.policy, PlanOptions::new().force(force));
        plan.decision.retain.proposed.unwrap_or(self.start)
    }

    fn summarize<'r>(
        &self,
        boundary: usize,
        replies: &mut impl Iterator<Item = &'r Reply>,
        log: &mut Compaction,
    ) -> Summarized {
        let failed = |detail| Summarized::Not("failed", "summarization_failed", detail);
        let messages = self.messages.get(self.start..boundary).unwrap_or_default();
        let transcript = match serialize(messages) {
            Ok(transcript) => transcript,
            Err(error) => return failed(Utf16::from(error.message())),
        };
        if strip(&transcript).is_empty() {
            return failed(Utf16::from("Cannot summarize an empty message transcript"));
        }
        log.prompts.push(summary_prompt(&transcript, self.record.as_ref().map(|record| &record.summary)));
        match replies.next() {
            None => Summarized::Waiting,
            Some(Reply::Text(text)) => {
                let summary = strip(text);
                if summary.is_empty() {
                    failed(Utf16::from("Summary model returned an empty summary"))
                } else {
                    Summarized::Text(summary)
                }
            }
            Some(Reply::Failed(detail)) => failed(detail.clone()),
            Some(Reply::UnsupportedProvider(provider)) => {
                Summarized::Not("skipped", "unsupported_provider", provider.clone())
            }
            Some(Reply::MissingApiKey(variable)) => {
                Summarized::Not("skipped", "missing_api_key", variable.clone())
            }
        }
    }

    /// Stores the record and, if requested, makes the kept messages the conversation.
    fn finish(&mut self, boundary: usize, summary: Utf16, apply: bool) -> Result<Outcome, Error> {
        let tokens_before = self.total()?;
        let kept = self.estimate(boundary)?;
        let previous = self.record.take();
        self.record = Some(CompactionRecord {
            tokens_after: u128::from(kept) + (summary.code_points() / 4) as u128,
            compacted_message_count: (boundary - self.start) as u128,
            tokens_before: u128::from(tokens_before),
            compaction_count: previous.as_ref().map_or(0, |record| record.compaction_count).saturating_add(1),
            previous_summary: previous.map(|record| record.summary),
            // The engine reads no clock, so the caller that stores the record sets the time.
            last_compacted_at: Utf16::default(),
            summary,
        });
        let mut outcome = self.outcome("compacted", "compacted", None);
        outcome.kept_messages = self.messages.len() - boundary;
        if apply {
            for message in self.start..boundary {
                self.transcript.set_active(message, false);
            }
            self.start = boundary;
            self.live = true;
            self.stored_total = kept;
            outcome.session_total_tokens = Some(kept);
        }
        Ok(outcome)
    }

    fn outcome(&self, status: &'static str, reason: &'static str, detail: Option<Utf16>) -> Outcome {
        Outcome {
            status,
            reason,
            notice: notice(reason, detail.as_ref()),
            detail,
            kept_messages: self.messages.len() - self.start,
            record: self.record.clone(),
            session_total_tokens: None,
        }
    }
}

enum Summarized {
    Text(Utf16),
    /// Status, reason and detail.
    Not(&'static str, &'static str, Utf16),
    Waiting,
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    const CALL: Call =
        Call { reset: false, max_tokens: Some(100.0), force: false, allow_threshold: true, apply: true };
    const FORCED: Call = Call { force: true, ..CALL };
    const SETTINGS: ControllerSettings =
        ControllerSettings { keep_recent_tokens: 10.0, reserve_tokens: 0.0, auto_compact: true };

    /// Turns of a question and an answer of 10 tokens each.
    fn turns(count: usize) -> String {
        let turn = |_| {
            let text = "x".repeat(40);
            format!(
                r#"{{"role":"user","content":[{{"text":"{text}"}}]}},
                   {{"role":"assistant","stop_reason":"stop","content":[{{"text":"{text}"}}]}}"#
            )
        };
        format!("[{}]", (0..count).map(turn).collect::<Vec<_>>().join(","))
    }

    fn run(messages: &str, settings: ControllerSettings, calls: &[Call], replies: &[&str]) -> Compaction {
        let document = Document::parse(messages).unwrap();
        let replies: Vec<_> = replies.iter().map(|text| Reply::Text(Utf16::from(*text))).collect();
        Controller::new(document.root(), None, settings, true).unwrap().run(calls, &replies).unwrap()
    }

    fn reasons(compaction: &Compaction) -> Vec<&str> {
        compaction.outcomes.iter().map(|outcome| outcome.reason).collect()
    }

    #[test]
    fn a_full_context_is_compacted_once_a_request() {
        let messages = turns(6);
        let reset = Call { reset: true, max_tokens: None, ..CALL };
        let compaction = run(&messages, SETTINGS, &[CALL, CALL, reset, CALL], &[" summary "]);
        assert_eq!(reasons(&compaction), ["compacted", "already_compacted_this_request", "below_threshold"]);
        let first = &compaction.outcomes[0];
        let record = first.record.as_ref().unwrap();
        assert_eq!((first.kept_messages, first.session_total_tokens), (1, Some(10)));
        assert_eq!(
            (record.tokens_before, record.tokens_after, record.compacted_message_count),
            (120, 11, 11)
        );
        assert_eq!(record.summary, Utf16::from("summary"));
        assert_eq!(compaction.status_calls, [true, false]);
    }

    #[test]
    fn skips_say_why() {
        let messages = turns(6);
        let at_limit = Call { max_tokens: Some(130.0), ..CALL };
        for (settings, call, reason) in [
            (SETTINGS, at_limit, "below_threshold"),
            (SETTINGS, Call { max_tokens: Some(129.0), ..CALL }, "compacted"),
            (SETTINGS, Call { max_tokens: Some(0.0), ..CALL }, "below_threshold"),
            (SETTINGS, Call { allow_threshold: false, ..CALL }, "threshold_compaction_not_allowed"),
            (ControllerSettings { auto_compact: false, ..SETTINGS }, CALL, "auto_compaction_disabled"),
            (ControllerSettings { keep_recent_tokens: 99.5, ..SETTINGS }, CALL, "compacted"),
            (ControllerSettings { keep_recent_tokens: 121.0, ..SETTINGS }, CALL, "no_valid_boundary"),
        ] {
            assert_eq!(reasons(&run(&messages, settings, &[call], &["s"])), [reason], "{call:?}");
        }
    }

    #[test]
    fn negative_settings_are_refused_as_the_controllers_constructor_refuses_them() {
        let messages = turns(1);
        let document = Document::parse(&messages).unwrap();
        for settings in [
            ControllerSettings { reserve_tokens: -1.0, ..SETTINGS },
            ControllerSettings { reserve_tokens: -0.5, ..SETTINGS },
            ControllerSettings { keep_recent_tokens: -1.0, ..SETTINGS },
        ] {
            let refused = Controller::new(document.root(), None, settings, true).unwrap_err();
            assert_eq!(refused.code(), "invalid_settings", "{settings:?}");
        }
        assert!(
            Controller::new(
                document.root(),
                None,
                ControllerSettings { reserve_tokens: 0.0, ..SETTINGS },
                true
            )
            .is_ok()
        );
    }

    #[test]
    fn a_missing_reply_ends_the_run_with_the_prompt_to_send() {
        let compaction = run(&turns(2), SETTINGS, &[FORCED, FORCED], &[]);
        assert_eq!((compaction.outcomes.len(), compaction.prompts.len(), compaction.waiting), (0, 1, true));
    }

    #[test]
    fn a_failure_leaves_everything_as_it_was() {
        let nothing = r#"[{"role":"user","content":[{"text":" "}]}]"#;
        let alien = r#"[{"role":"system"},{"role":"user"}]"#;
        for (messages, reply, detail) in [
            (nothing, "s", "Cannot summarize an empty message transcript"),
            (alien, "s", "Unsupported message role for compaction serialization: 'system'"),
            (turns(1).as_str(), "\n", "Summary model returned an empty summary"),
        ] {
            let compaction = run(messages, SETTINGS, &[FORCED], &[reply]);
            let outcome = &compaction.outcomes[0];
            assert_eq!((outcome.status, outcome.record.is_none()), ("failed", true), "{messages}");
            assert_eq!(outcome.detail, Some(Utf16::from(detail)));
            assert_eq!(outcome.kept_messages, Document::parse(messages).unwrap().root().elements().count());
            assert!(outcome.notice.is_some());
        }
    }
}
