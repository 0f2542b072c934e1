//! Whether pi compacts at one of the points where it asks itself (systems.md, section 1.3).

use serde::Serialize;

use super::Version;
use super::coerce::{self, raises};
use super::context::{Context, Leaf};
use super::entry::{Entry, EntryKind, Id};
use super::estimate::{Settings, Tokens, estimate_context, should_compact, usage_total};
use super::last_answer::LastAnswer;
use super::message::{Message, Role};
use super::moment::milliseconds;
use crate::compat::question::Question;
use crate::error::Error;
use crate::json::Value;

/// A point at which pi asks itself whether to compact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckPoint {
    /// A run of the agent has ended.
    #[default]
    AfterRun,
    /// The person has sent a prompt, and the model has not seen it yet. Aborted answers count here.
    BeforePrompt,
    /// Results of tools were added, and the next request of the same run follows (since 0.84.4).
    BetweenTurns,
}

/// The model that is asked next.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentModel<'d> {
    /// Whose it is.
    pub provider: Id<'d>,
    /// Its id.
    pub id: Id<'d>,
    /// Its context window in tokens; 0 when it is not known.
    pub context_window: f64,
    /// The longest answer in tokens, before any clamping; 0 when it is not known.
    pub max_tokens: f64,
}

/// What a check looks at, besides the entries.
#[derive(Clone, Debug, Default)]
pub struct Situation<'d> {
    /// The point.
    pub at: CheckPoint,
    /// The last answer; `None` for the last one of the live messages.
    pub answer: Option<Value<'d>>,
    /// The messages of the running agent; `None` for those that the entries come to.
    pub live: Option<Vec<Message<'d>>>,
    /// The model; without one nothing is compacted.
    pub model: Option<CurrentModel<'d>>,
    /// The knobs.
    pub settings: Settings,
    /// Whether a recovery was tried since the last message of the user or the last answer that succeeded. pi 0.58
    /// takes an answer that was cut off for one that succeeded.
    pub recovery_tried: bool,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Nothing.
    None,
    /// The session is compacted, if there is something to compact: [`super::prepare`].
    Compact,
    /// The person is told that the recovery failed.
    Fail,
}

/// What a compaction is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Trigger {
    /// The context is larger than the threshold.
    Threshold,
    /// The context did not fit, or left the answer too little room.
    Overflow,
}

/// What decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Compaction is switched off.
    Disabled,
    /// There is no answer to look at.
    NoAnswer,
    /// The answer was aborted.
    Aborted,
    /// The answer is no newer than the latest compaction.
    Stale,
    /// No model is chosen.
    NoModel,
    /// The model's window is not known (between turns only).
    NoWindow,
    /// The answer speaks of an overflow, but another model gave it, and the threshold is not exceeded.
    OtherModel,
    /// The provider refused the request as too large.
    OverflowError,
    /// What the answer used fills or exceeds the window, and the provider said nothing.
    SilentOverflow,
    /// The answer was cut off before the longest answer of the model.
    RecoverableLength,
    /// It happened again after one recovery.
    AlreadyTried,
    /// No answer says what it used, and this version does not estimate without.
    NoUsage,
    /// The newest usage that counts was reported before the latest compaction.
    KeptUsage,
    /// The threshold is not exceeded.
    BelowThreshold,
    /// The threshold is exceeded.
    OverThreshold,
}

/// What pi does at a check point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// What is done.
    pub action: Action,
    /// What for.
    pub reason: Option<Trigger>,
    /// Whether the request is repeated after the compaction.
    pub will_retry: bool,
    /// Whether the answer leaves the live messages first. The file keeps it; pi 1.5 writes an edit that hides it
    /// and the results of its calls.
    pub drop_last_answer: bool,
    /// The size that was compared with the threshold; `None` where it did not come to that.
    pub context_tokens: Option<Tokens>,
    /// What decided.
    pub why: Why,
}

impl Check {
    fn none(why: Why) -> Self {
        let (will_retry, drop_last_answer) = (false, false);
        Self { action: Action::None, reason: None, will_retry, drop_last_answer, context_tokens: None, why }
    }

    fn overflow(action: Action, why: Why) -> Self {
        Self { action, reason: Some(Trigger::Overflow), ..Self::none(why) }
    }
}

/// Whether the branch that ends with the last of `entries` is compacted now (pi's `_checkCompaction`; between
/// turns its `_compactBeforeNextAssistantResponse`).
///
/// Of a virtual model, give the one that a request was routed to.
///
/// # Errors
///
/// `invalid_settings` for a check between turns in a version that makes none, and where pi raises an exception.
///
/// # Example
///
/// ```
/// use ebbline::compat::pi::{CheckPoint, CurrentModel, Entry, Id, Situation, Version, Why, check_compaction};
/// use ebbline::json::Document;
/// let text = r#"[{"type": "message", "id": "a", "message": {"role": "assistant", "content": [],
///     "provider": "p", "model": "m", "stopReason": "stop", "usage": {"totalTokens": 90000}}}]"#;
/// let document = Document::parse(text)?;
/// let entries = Entry::list(document.root())?;
/// let name = |name: &'static str| Id::Text(name.into());
/// let model = CurrentModel { provider: name("p"), id: name("m"), context_window: 1e5, max_tokens: 8e3 };
/// let situation = Situation { model: Some(model), at: CheckPoint::BetweenTurns, ..Situation::default() };
/// let check = check_compaction(&entries, &situation, Version::V1_5)?;
/// assert_eq!(check.why, Why::OverThreshold);
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn check_compaction<'d>(
    entries: &[Entry<'d>],
    situation: &Situation<'d>,
    version: Version,
) -> Result<Check, Error> {
    let context = Context::build(entries, Leaf::Last, version)?;
    if situation.at == CheckPoint::BetweenTurns {
        return between_turns(&context, situation, version);
    }
    if !situation.settings.enabled {
        return Ok(Check::none(Why::Disabled));
    }
    let live = situation.live.clone().unwrap_or_else(|| context.messages());
    let Some(answer) = LastAnswer::find(entries, &context, situation, &live) else {
        return Ok(Check::none(Why::NoAnswer));
    };
    if situation.at == CheckPoint::AfterRun && answer.stopped_by("aborted") {
        return Ok(Check::none(Why::Aborted));
    }
    let compacted_at = context.path.iter().rfind(|entry| entry.is_compaction());
    let compacted_at = compacted_at.map(|compaction| milliseconds(compaction.value.get("timestamp")));
    if is_before(answer.value, compacted_at) {
        return Ok(Check::none(Why::Stale));
    }
    let failure = answer.failure(&context, situation, version)?;
    if let Some(failure) = failure.filter(|_| answer.is_of(situation.model.as_ref())) {
        return Ok(recovery(failure, &answer, &live, situation, version));
    }
    let check = threshold(&answer, &context, &live, compacted_at, situation, version)?;
    let was_passed_over = check.action == Action::None && failure == Some(Why::OverflowError);
    Ok(if was_passed_over { Check { why: Why::OtherModel, ..check } } else { check })
}

/// Whether a message is no newer than a compaction; never when it has no time.
fn is_before(message: Value<'_>, compacted_at: Option<f64>) -> bool {
    compacted_at.is_some_and(|compacted_at| coerce::number(message.get("timestamp")) <= compacted_at)
}

fn between_turns(
    context: &Context<'_, '_>,
    situation: &Situation<'_>,
    version: Version,
) -> Result<Check, Error> {
    if !version.checks_between_turns() {
        let version = version.as_str();
        return Err(Error::invalid_settings(format!("pi {version} does not check between turns")));
    }
    let Some(model) = &situation.model else { return Ok(Check::none(Why::NoModel)) };
    if model.context_window <= 0.0 {
        return Ok(Check::none(Why::NoWindow));
    }
    let tokens = context.estimate(&context.path, version)?.tokens;
    let check = compared(tokens, model.context_window, situation);
    Ok(if situation.settings.enabled { check } else { Check { why: Why::Disabled, ..check } })
}

/// The comparison with the threshold.
fn compared(tokens: Tokens, context_window: f64, situation: &Situation<'_>) -> Check {
    let is_over = should_compact(tokens.0, context_window, &situation.settings);
    let check = Check::none(if is_over { Why::OverThreshold } else { Why::BelowThreshold });
    let check = Check { context_tokens: Some(tokens), ..check };
    match situation.model {
        None if is_over => Check { why: Why::NoModel, ..check },
        Some(_) if is_over => {
            Check { action: Action::Compact, reason: Some(Trigger::Threshold), ..check }
        }
        _ => check,
    }
}

fn recovery(
    failure: Why,
    answer: &LastAnswer<'_, '_>,
    live: &[Message<'_>],
    situation: &Situation<'_>,
    version: Version,
) -> Check {
    let will_retry = version.repeats_whole_answers() || !answer.stopped_by("stop");
    if !will_retry {
        return Check::overflow(Action::Compact, failure);
    }
    if situation.recovery_tried {
        return Check::overflow(Action::Fail, Why::AlreadyTried);
    }
    let drop_last_answer = if version.applies_edits() {
        answer.entry.is_some()
    } else {
        live.last().is_some_and(|message| message.role == Role::Assistant)
    };
    Check { will_retry, drop_last_answer, ..Check::overflow(Action::Compact, failure) }
}

fn threshold(
    answer: &LastAnswer<'_, '_>,
    context: &Context<'_, '_>,
    live: &[Message<'_>],
    compacted_at: Option<f64>,
    situation: &Situation<'_>,
    version: Version,
) -> Result<Check, Error> {
    let usage = answer.value.get("usage").filter(|usage| usage.is_truthy());
    let reported = match usage {
        Some(usage) => usage_total(usage),
        None if version.anchor_needs_tokens() || answer.stopped_by("error") => 0.0,
        // Of a value that is no object but there, every member is missing.
        None if answer.value.present("usage").is_some() => f64::NAN,
        None => return Err(raises("the message has no usage")),
    };
    let window = situation.model.as_ref().map_or(0.0, |model| model.context_window);
    let is_edited = context.entries.iter().any(|entry| entry.entry.kind == EntryKind::ContextEdit);
    if version.applies_edits() && is_edited {
        return Ok(compared(context.estimate(&context.path, version)?.tokens, window, situation));
    }
    let is_reported = reported != 0.0 || !version.anchor_needs_tokens();
    if is_reported && !answer.stopped_by("error") {
        return Ok(compared(Tokens(reported), window, situation));
    }
    let estimate = estimate_context(live, version)?;
    match estimate.last_usage_index.and_then(|index| live.get(index)) {
        Some(anchor) if is_before(anchor.value, compacted_at) => Ok(Check::none(Why::KeptUsage)),
        None if !version.compacts_without_usage() => Ok(Check::none(Why::NoUsage)),
        _ => Ok(compared(estimate.tokens, window, situation)),
    }
}

pub(super) fn ask_check(question: Question<'_>, version: Version) -> Result<String, Error> {
    let entries = Entry::list(question.data)?;
    Question::answer(&check_compaction(&entries, &Situation::read(question.options)?, version)?)
}

impl<'d> Situation<'d> {
    /// The situation in `at`, `message`, `messages`, `model`, `settings` and `recoveryTried`.
    ///
    /// # Errors
    ///
    /// `invalid_settings` for a check point that does not exist, and messages that are no list or hold null.
    pub fn read(options: Value<'d>) -> Result<Self, Error> {
        Ok(Self {
            at: options.present("at").map_or(Ok(CheckPoint::default()), CheckPoint::read)?,
            answer: options.present("message"),
            live: options.present("messages").map(Message::list).transpose()?,
            model: options.present("model").map(CurrentModel::read),
            settings: options.get("settings").map_or_else(Settings::default, Settings::read),
            recovery_tried: options.get("recoveryTried").is_some_and(Value::is_truthy),
        })
    }
}

impl CheckPoint {
    fn read(name: Value<'_>) -> Result<Self, Error> {
        let known = [
            ("afterRun", Self::AfterRun),
            ("beforePrompt", Self::BeforePrompt),
            ("betweenTurns", Self::BetweenTurns),
        ];
        let named = |known: &&(&str, Self)| name.text().is_some_and(|name| name.is(known.0));
        known.iter().find(named).map(|(_, point)| *point).ok_or_else(|| {
            let name = name.source();
            Error::invalid_settings(format!("{name} is none of afterRun, beforePrompt, betweenTurns"))
        })
    }
}

impl<'d> CurrentModel<'d> {
    /// The model in `{provider, id, contextWindow, maxTokens}`.
    #[must_use]
    pub fn read(model: Value<'d>) -> Self {
        let tokens = |key| model.present(key).map_or(0.0, |tokens| coerce::number(Some(tokens)));
        Self {
            provider: Id::of(model.get("provider")),
            id: Id::of(model.get("id")),
            context_window: tokens("contextWindow"),
            max_tokens: tokens("maxTokens"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::compat::ask;

    const VERSIONS: [&str; 3] = ["0.58", "0.84", "1.5"];
    const USER: &str = r#"{"type":"message","id":"u","timestamp":"1970-01-01T00:00:00.001Z","message":{"role":"user","content":"q"}}"#;

    /// What the versions do about a user's message and `answer`, an assistant's message of the current model whose
    /// window is 1,000 tokens, of which 100 are reserved, and which answers with up to 50.
    fn checks(answer: &str, entries: &str, options: &str) -> [String; 3] {
        let answer = format!(
            r#"{{"type":"message","id":"a","parentId":"u","message":{{"role":"assistant","content":[],"timestamp":2,"provider":"p","model":"m",{answer}}}}}"#
        );
        let data = format!("[{USER},{answer}{entries}]");
        VERSIONS.map(|version| check(&data, version, options))
    }

    fn check(data: &str, version: &str, options: &str) -> String {
        let options = format!(
            r#"{{"version":"{version}","model":{{"provider":"p","id":"m","contextWindow":1000,"maxTokens":50}},"settings":{{"enabled":true,"reserveTokens":100}}{options}}}"#
        );
        ask("pi", "check", data, &options).map_or_else(|error| error.code().to_owned(), |answer| short(&answer))
    }

    /// `compact overflow retry drop 950 over_threshold`: what is not so is left out.
    fn short(answer: &str) -> String {
        let document = crate::json::Document::parse(answer).unwrap();
        let member = |key| document.root().present(key);
        let flag = |key, word| member(key).filter(|flag| flag.is_truthy()).map(|_| word);
        let text = |key| member(key).map(|value| value.source().trim_matches('"'));
        let words = [
            text("action"),
            text("reason"),
            flag("willRetry", "retry"),
            flag("dropLastAnswer", "drop"),
            text("contextTokens"),
            text("why"),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    fn usage(input: u32, output: u32) -> String {
        format!(r#""usage":{{"input":{input},"output":{output},"cacheRead":0,"cacheWrite":0}}"#)
    }

    #[test]
    fn answers_are_judged_by_what_they_used_and_how_they_ended() {
        let below = "none 900 below_threshold";
        let over = "compact threshold 901 over_threshold";
        let refused = r#""stopReason":"error","errorMessage":"prompt is too long""#.to_owned();
        let retry = "compact overflow retry drop";
        let cases = [
            (format!(r#""stopReason":"stop",{}"#, usage(899, 1)), "", [below; 3].map(str::to_owned)),
            (format!(r#""stopReason":"toolUse",{}"#, usage(900, 1)), "", [over; 3].map(str::to_owned)),
            (refused.clone(), "", [(); 3].map(|()| format!("{retry} overflow_error"))),
            (
                refused.clone(),
                r#","recoveryTried":true"#,
                [(); 3].map(|()| "fail overflow already_tried".to_owned()),
            ),
            (
                format!(r#""stopReason":"stop",{}"#, usage(1001, 1)),
                "",
                [
                    format!("{retry} silent_overflow"),
                    "compact overflow silent_overflow".to_owned(),
                    "compact overflow silent_overflow".to_owned(),
                ],
            ),
            (
                format!(r#""stopReason":"length",{}"#, usage(990, 0)),
                "",
                [
                    "compact threshold 990 over_threshold".to_owned(),
                    format!("{retry} silent_overflow"),
                    format!("{retry} silent_overflow"),
                ],
            ),
            (
                format!(r#""stopReason":"length",{}"#, usage(10, 49)),
                "",
                [
                    "none 59 below_threshold".to_owned(),
                    format!("{retry} recoverable_length"),
                    format!("{retry} recoverable_length"),
                ],
            ),
            (
                format!(r#""stopReason":"length",{}"#, usage(10, 50)),
                "",
                [(); 3].map(|()| "none 60 below_threshold".to_owned()),
            ),
            (
                r#""stopReason":"error","errorMessage":"no connection""#.to_owned(),
                "",
                ["none no_usage", "none no_usage", "none 1 below_threshold"].map(str::to_owned),
            ),
            (
                format!(r#""stopReason":"stop",{}"#, usage(0, 0)),
                "",
                ["none 0 below_threshold", "none no_usage", "none 1 below_threshold"].map(str::to_owned),
            ),
            (r#""stopReason":"toolUse""#.to_owned(), "", [
                "invalid_settings".to_owned(),
                "none no_usage".to_owned(),
                "none 1 below_threshold".to_owned(),
            ]),
        ];
        for (answer, options, expected) in cases {
            assert_eq!(checks(&answer, "", options), expected, "{answer} {options}");
        }
    }

    #[test]
    fn the_point_the_settings_and_the_model_decide_before_the_answer() {
        let full = usage(950, 1);
        let refused = r#""stopReason":"error","errorMessage":"prompt is too long""#;
        let other = r#","model":{"provider":"p","id":"other","contextWindow":1000,"maxTokens":50}"#;
        let aborted = format!(r#""stopReason":"aborted",{full}"#);
        let cases = [
            (aborted.as_str(), "", ["none aborted"; 3]),
            (
                aborted.as_str(),
                r#","at":"beforePrompt""#,
                ["compact threshold 951 over_threshold"; 3],
            ),
            (refused, r#","settings":{"reserveTokens":1}"#, ["none disabled"; 3]),
            (refused, r#","model":null"#, ["none no_usage", "none no_usage", "none 1 no_model"]),
            (refused, other, ["none other_model", "none other_model", "none 1 other_model"]),
            (refused, r#","messages":[]"#, ["none no_answer"; 3]),
            (refused, r#","at":"later""#, ["invalid_settings"; 3]),
            (refused, r#","at":"betweenTurns""#, ["invalid_settings", "invalid_settings", "none 1 below_threshold"]),
        ];
        for (answer, options, expected) in cases {
            assert_eq!(checks(answer, "", options), expected, "{answer} {options}");
        }
    }

    #[test]
    fn between_turns_only_the_size_counts() {
        let full = format!(r#""stopReason":"toolUse",{}"#, usage(900, 1));
        let cases = [
            ("", "compact threshold 901 over_threshold"),
            (r#","settings":{"enabled":false}"#, "none 901 disabled"),
            (r#","model":null"#, "none no_model"),
            (r#","model":{"contextWindow":0}"#, "none no_window"),
        ];
        for (options, expected) in cases {
            let options = format!(r#","at":"betweenTurns"{options}"#);
            assert_eq!(checks(&full, "", &options)[2], expected, "{options}");
        }
    }

    #[test]
    fn what_was_said_before_the_latest_compaction_is_stale() {
        let compaction = |time: &str| {
            format!(
                r#",{{"type":"compaction","id":"c","parentId":"a","timestamp":"{time}","summary":"s","firstKeptEntryId":"u"}}"#
            )
        };
        let full = format!(r#""stopReason":"toolUse",{}"#, usage(950, 1));
        let later = r#",{"type":"message","id":"b","parentId":"c","message":{"role":"assistant","content":[],"timestamp":9,"provider":"p","model":"m","stopReason":"error"}}"#;
        let (same, before) = ("1970-01-01T00:00:00.002Z", "1970-01-01T00:00:00.001Z");
        assert_eq!(checks(&full, &compaction(same), ""), ["none stale"; 3], "the same moment");
        let over = "compact threshold 951 over_threshold";
        assert_eq!(checks(&full, &compaction(before), ""), [over; 3]);
        assert_eq!(checks(&full, &compaction("soon"), ""), [over; 3], "no time is before nothing");
        let kept = format!("{}{later}", compaction(same));
        assert_eq!(checks(&full, &kept, ""), ["none kept_usage"; 3]);
    }

    #[test]
    fn edits_since_the_answer_take_its_usage_away() {
        let edit = |target: &str, replacement: &str| {
            format!(
                r#",{{"type":"context_edit","id":"e","parentId":"a","targetId":"{target}","replacement":{replacement}}}"#
            )
        };
        let message = r#""role":"assistant","content":[],"timestamp":2,"provider":"p","model":"m""#;
        let silent = format!(r#""stopReason":"stop",{}"#, usage(1001, 1));
        let refused = r#""stopReason":"error","errorMessage":"prompt is too long""#;
        let said = |answer: &str| format!(r#","message":{{{message},{answer}}}"#);
        let cases = [
            (silent.as_str(), edit("u", r#"{"content":"x"}"#), "none 1 below_threshold"),
            (silent.as_str(), edit("a", "null"), "none 1 below_threshold"),
            (refused, edit("u", r#"{"content":"x"}"#), "compact overflow retry drop overflow_error"),
            (refused, edit("a", "null"), "none 1 below_threshold"),
        ];
        for (answer, edit, expected) in cases {
            assert_eq!(checks(answer, &edit, &said(answer))[2], expected, "{answer} {edit}");
        }
    }

    #[test]
    fn live_messages_may_differ_from_the_entries() {
        let refused = r#""stopReason":"error","errorMessage":"prompt is too long""#;
        let message = format!(r#"{{"role":"assistant","content":[],"provider":"p","model":"m",{refused}}}"#);
        let options = format!(r#","message":{message},"messages":[{{"role":"user","content":"q"}}]"#);
        assert_eq!(check("[]", "0.84", &options), "compact overflow retry overflow_error", "nothing to drop");
        let options = format!(r#","messages":[{message}]"#);
        assert_eq!(check("[]", "0.84", &options), "compact overflow retry drop overflow_error");
        assert_eq!(check("[]", "1.5", &options), "compact overflow retry overflow_error", "no entry to hide");
    }
}
