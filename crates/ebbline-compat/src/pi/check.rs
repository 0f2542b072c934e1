//! Whether pi compacts at one of its check points (pi's `_checkCompaction`).

use ebbline::Error;
use ebbline::json::Value;

use super::Version;
use super::coerce::{self, raises};
use super::context::{Context, Leaf};
use super::entry::{Entry, EntryKind};
use super::estimate::{Tokens, estimate_context, should_compact, usage_total};
use super::last_answer::LastAnswer;
use super::message::{Message, Role};
use super::moment::milliseconds;
use super::outcome::{Action, Check, Trigger, Why};
use super::situation::{CheckPoint, Situation};
use crate::question::Question;

/// Whether the branch that ends with the last of `entries` is compacted now (pi's `_checkCompaction`; between turns
/// its `_compactBeforeNextAssistantResponse`).
///
/// For a virtual model, pass the model that the request was routed to.
///
/// # Errors
///
/// `invalid_settings` for a check between turns in a version without one, and if pi raises an exception.
///
/// # Example
///
/// ```
/// use ebbline_compat::pi::{CheckPoint, CurrentModel, Entry, Id, Situation, Version, Why, check_compaction};
/// use ebbline::json::Document;
/// let text = r#"[{"type": "message", "id": "a", "message": {"role": "assistant", "content": [],
///     "provider": "p", "model": "m", "stopReason": "stop", "usage": {"totalTokens": 90000}}}]"#;
/// let document = Document::parse(text)?;
/// let entries = Entry::list(document.root())?;
/// let name = |name: &'static str| Id::Text(name.into());
/// let model = CurrentModel { provider: name("p"), id: name("m"), context_window: 1e5, max_tokens: 8e3 };
/// let mut situation = Situation::default();
/// (situation.model, situation.at) = (Some(model), CheckPoint::BetweenTurns);
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

/// Whether a message is no newer than a compaction; false if it has no time.
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
        Some(_) if is_over => Check { action: Action::Compact, reason: Some(Trigger::Threshold), ..check },
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
        // All members of a value that exists but is not an object are missing.
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

#[cfg(test)]
mod tests;
