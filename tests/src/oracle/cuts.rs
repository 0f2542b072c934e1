//! Which outputs are cut to head and tail: those that the model has not answered and that are larger than the room.
//!
//! Every level is a row of its own: the outputs cut to it, and the size of the context with them.

use std::collections::BTreeMap;

use super::decision::largest_summary;
use super::history::{History, tokens};
use super::prune::{Outcome, followed_results, is_answered};
use super::room::Setting;
use super::{carry_out, said};
use ebbline::length::Length;
use ebbline::plan::Preview;
use ebbline::policy::{Comparison, Measure};
use ebbline::transcript::{Output, Part, PartKind};
use ebbline::{Fate, Reason};

/// An output that may be cut, by its index in the transcript.
struct Large {
    index: usize,
    part: Part,
    tokens: u64,
    media: u32,
}

/// What stays of an output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub(super) preview: Preview,
    pub(super) length: Length,
}

/// Cuts what has to be cut after `outcome`. Says whether that makes the room that a forced compaction asks for.
pub(super) fn cut(setting: Setting<'_>, outcome: &mut Outcome) -> bool {
    let Setting { policy, options, .. } = setting;
    if !policy.prune.enabled || policy.prune.preview == 0 || setting.is_hopeless() {
        return false;
    }
    let (before, now) = (setting.size(&untouched(outcome)), setting.size(outcome));
    let half = options.force.then_some(before.tokens / 2);
    let limits: Vec<u64> = fullest(setting).into_iter().chain(half).collect();
    let Some(most) = limits.into_iter().min() else { return false };
    if !(now.is_full || options.force && now.tokens > most) {
        return false;
    }
    let spared = spared(setting, outcome);
    let large = large(setting);
    let can_summarize = spared > 0;
    if large.is_empty() || can_summarize && summarized(setting, outcome, spared) <= most {
        return false;
    }
    let together = |level: u64| large.iter().map(|output| output.tokens.min(level)).sum::<u64>();
    let levels: Vec<u64> = (0..=policy.prune.preview).collect();
    let cap =
        levels.partition_point(|level| together(*level) <= policy.prune.preview).saturating_sub(1) as u64;
    let highest = |spared: u64| {
        halved(200.min(cap), cap, |level| {
            let cut = at_level(setting, outcome, &large, level);
            if spared == 0 {
                setting.size(&cut).tokens <= most
            } else {
                summarized(setting, &cut, spared) <= most
            }
        })
    };
    let without_summary = highest(0).filter(|level| !can_summarize || level * 2 >= cap);
    let level = without_summary.or_else(|| highest(spared)).unwrap_or(200.min(cap));
    *outcome = at_level(setting, outcome, &large, level);
    options.force && !outcome.shown.is_empty() && setting.size(outcome).tokens <= most
}

/// The highest level that fits, found by halving between the lowest one, which has to fit, and the highest. The rule
/// says how the levels are tried, because two levels can fit with one between them that does not: each cut changes
/// which usages still count, and usages may contradict each other.
fn halved(least: u64, cap: u64, fits: impl Fn(u64) -> bool) -> Option<u64> {
    if fits(cap) {
        return Some(cap);
    }
    if !fits(least) {
        return None;
    }
    let (mut low, mut high) = (least, cap);
    while low + 1 < high {
        let level = low + (high - low) / 2;
        *(if fits(level) { &mut low } else { &mut high }) = level;
    }
    Some(low)
}

/// The size of the context with a summary that saves so many tokens. What was reported before does not count after it, so
/// the estimate must be as small.
fn summarized(setting: Setting<'_>, outcome: &Outcome, spared: u64) -> u64 {
    let messages = carry_out(setting.estimate, &setting.policy.prune, outcome);
    let estimated = messages.iter().map(|message| message.tokens_after).sum();
    let measured = setting.size(outcome).tokens;
    let is_estimated_next = setting.policy.trigger.measure == Measure::Anchored;
    let size = if is_estimated_next { measured.max(estimated) } else { measured };
    size.saturating_sub(spared)
}

/// Where the newest outputs that the model has not seen begin to be kept: the first message that no answer has followed.
/// `None` if it has seen all. In a message with its call, an output is seen if words of the model follow it.
pub(super) fn unseen(setting: Setting<'_>) -> Option<usize> {
    let Setting { transcript, policy, .. } = setting;
    if policy.prune.preview == 0 {
        return None;
    }
    let messages = transcript.messages();
    let unanswered: Vec<usize> = (0..messages.len())
        .filter(|index| messages.get(*index).is_some_and(|message| message.active))
        .filter(|index| !is_answered(transcript, *index))
        .collect();
    let (first, rest) = unanswered.split_first()?;
    let is_output = |part: &Part| part.kind == PartKind::ToolResult;
    let is_words = |part: &Part| matches!(part.kind, PartKind::Text | PartKind::Thinking);
    let in_first = transcript.parts_of(*first).iter().rev().take_while(|part| !is_words(part)).any(is_output);
    let in_rest = rest.iter().any(|index| transcript.parts_of(*index).iter().any(is_output));
    (in_first || in_rest).then_some(*first)
}

/// The outcome with nothing pruned.
fn untouched(outcome: &Outcome) -> Outcome {
    let mut kept = outcome.clone();
    for (fate, reason) in &mut kept.fates {
        if *fate == Fate::Pruned {
            (*fate, *reason) = (Fate::Kept, Reason::NotFull);
        }
    }
    kept
}

/// The largest size of a context that is not full.
fn fullest(setting: Setting<'_>) -> Option<u64> {
    let policy = setting.policy;
    if policy.model.context.is_none() || !policy.trigger.enabled {
        return None;
    }
    let threshold = policy.trigger.threshold(policy.model, policy.retain.keep);
    if policy.trigger.fires == Comparison::AtLeast { threshold.checked_sub(1) } else { Some(threshold) }
}

/// The outputs of the messages that no answer has followed and that may be cut.
fn large(setting: Setting<'_>) -> Vec<Large> {
    let Setting { transcript, policy, estimate, .. } = setting;
    let mut large = Vec::new();
    for (message, of) in transcript.messages().iter().enumerate() {
        if !of.active || is_answered(transcript, message) {
            continue;
        }
        let parts = transcript.parts_of(message);
        for (at, part) in parts.iter().enumerate() {
            let name = part.tool.and_then(|tool| transcript.tool_name(tool));
            let is_protected =
                name.is_some_and(|name| policy.prune.protected_tools.iter().any(|tool| tool == name));
            let is_free = [Output::Ordinary, Output::Error].contains(&part.output) && !is_protected;
            if part.kind == PartKind::ToolResult && is_free {
                let index = transcript.part_range(message).start + at;
                let media = followed_results(parts).iter().filter(|(_, result)| *result == at).count() as u32;
                large.push(Large { index, part: *part, tokens: estimate.alone(part), media });
            }
        }
    }
    large
}

/// How many tokens a summary of everything that the model has seen would save.
fn spared(setting: Setting<'_>, outcome: &Outcome) -> u64 {
    let Setting { transcript, policy, estimate, .. } = setting;
    if !policy.retain.enabled {
        return 0;
    }
    let messages = carry_out(estimate, &policy.prune, outcome);
    let each = messages.iter().zip(transcript.messages());
    let after: Vec<_> = each.map(|(plan, message)| (plan.tokens_after, said(plan, message))).collect();
    let history = History::new(transcript, &after);
    let is_seen = |position: &usize| {
        *position == 0 || history.at(*position - 1).is_some_and(|entry| is_answered(transcript, entry.index))
    };
    let places = (0..=history.len()).filter(|position| *position > history.substance() && is_seen(position));
    let place = places.filter(|position| !history.is_parted(*position)).max();
    let summary = |place: usize| largest_summary(&policy.retain, history.before(place));
    place.map_or(0, |place| tokens(history.replaced(place)).saturating_sub(summary(place)))
}

/// The outcome with the outputs that are larger than `level` cut to it.
fn at_level(setting: Setting<'_>, outcome: &Outcome, large: &[Large], level: u64) -> Outcome {
    let Setting { transcript, estimate, .. } = setting;
    let mut cut = outcome.clone();
    let mut shown = BTreeMap::new();
    for output in large.iter().filter(|output| output.tokens > level) {
        // In place of an output that is hardly larger than the note, the note would gain nothing.
        if output.tokens >= 2 * estimate.text(note(&output.part, output.media)) {
            shown.insert(output.index, output.cut_to(setting, level));
        }
    }
    for message in 0..transcript.messages().len() {
        let start = transcript.part_range(message).start;
        let images = followed_results(transcript.parts_of(message)).into_iter();
        let images = images.filter(|(_, result)| shown.contains_key(&(start + result)));
        for part in images.map(|(image, _)| start + image) {
            if let Some(fate) = cut.fates.get_mut(part) {
                *fate = (Fate::Pruned, Reason::TooLarge);
            }
        }
    }
    for part in shown.keys() {
        if let Some(fate) = cut.fates.get_mut(*part) {
            *fate = (Fate::Pruned, Reason::TooLarge);
        }
    }
    cut.shown = shown;
    cut
}

impl Large {
    /// As many UTF-16 units as have room in `level` tokens beside the note, if all are as dense as the whole.
    fn cut_to(&self, setting: Setting<'_>, level: u64) -> Shown {
        let estimator = &setting.policy.estimator;
        let utf16 = u128::from(self.part.length.utf16);
        let room = u128::from(level) * u128::from(estimator.per_token.max(1));
        let room = room.saturating_sub(note(&self.part, self.media).in_unit(estimator.unit).into());
        let whole = u128::from(self.part.length.in_unit(estimator.unit).max(1));
        let kept = (utf16 * room / whole).min(utf16) as u32;
        let (head, tail) = (kept - kept / 2, kept / 2);
        let mut preview = Preview::default();
        (preview.head, preview.tail, preview.media) = (head, tail, self.media);
        let length = cut_part(&self.part, preview).length;
        preview.most = length.in_unit(estimator.unit);
        Shown { preview, length }
    }
}

/// A part of which only `preview` stays: its share of the whole in every unit, and the note.
pub fn cut_part(part: &Part, preview: Preview) -> Part {
    let Length { utf16, code_points, bytes, classed, classed_json } = part.length;
    let note = note(part, preview.media);
    let share = |of: u32, note: u32| {
        let exact = u128::from(of) * (u128::from(preview.head) + u128::from(preview.tail));
        let whole = u128::from(utf16.max(1));
        let rounded = exact / whole + u128::from(exact % whole > 0) + u128::from(note);
        u32::try_from(rounded).unwrap_or(u32::MAX)
    };
    let length = Length {
        utf16: share(utf16, note.utf16),
        code_points: share(code_points, note.code_points),
        bytes: share(bytes, note.bytes),
        classed: share(classed, note.classed),
        classed_json: share(classed_json, note.classed_json),
    };
    let mut cut = *part;
    (cut.length, cut.pieces, cut.native) = (length, 1, None);
    cut
}

/// The length of the longest note that may stand in an output.
fn note(part: &Part, media: u32) -> Length {
    let digits = part.length.utf16.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    let total = groups.join(",");
    let media = match media {
        0 => String::new(),
        1 => " and 1 image or file".to_owned(),
        more => format!(" and {more} images or files"),
    };
    Length::of(&format!(
        "\n[{total} of {total} characters{media} are left out here. To see them, call the tool again with a narrower request.]\n"
    ))
}
