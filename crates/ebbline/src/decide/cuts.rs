//! Cuts: outputs that the model has not answered yet and that are larger than the room for them keep only their head and
//! tail.
//!
//! Such an output may neither be pruned nor summarized, because nobody has seen it. It is cut only after everything else
//! that may be pruned is, and only if a summary of everything older would not make enough room. The largest outputs are
//! cut first, down to a common size, the level: at most the level at which they have `prune.preview` tokens together. It
//! is lowered until the context is no longer full; if that would take more than half of it, a summary has to make the
//! rest of the room.

use super::after_pruning::AfterPruning;
use super::changed_by;
use super::costs::Change;
use super::media::followed_results;
use super::usages::Usages;
use crate::estimate::Weight;
use crate::length::Length;
use crate::plan::{PlanOptions, Preview};
use crate::policy::{Estimator, Measure};
use crate::preview;
use crate::transcript::{Output, Part, PartKind};

/// No output is cut to fewer tokens: it would show nothing.
const LEAST: u64 = 200;

/// An output that is cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    position: usize,
    part: usize,
    pub(crate) preview: Preview,
    /// The length of what stays, with its note.
    pub(crate) length: Length,
}

/// The outputs that are cut, oldest first, and how this changes their messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Cuts {
    list: Vec<Cut>,
    changed: Vec<Changed>,
}

/// A message with outputs that are cut.
#[derive(Clone, Copy, Debug)]
struct Changed {
    position: usize,
    change: Change,
    /// By how many tokens it shrinks together with all such messages before it, and how many of these tokens are in
    /// messages that a summary may replace.
    saved: i64,
    replaceable: i64,
}

impl Cuts {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The cut of part `part` of the message at `position`.
    pub(super) fn of(&self, position: usize, part: usize) -> Option<&Cut> {
        let at = self.list.binary_search_by(|cut| (cut.position, cut.part).cmp(&(position, part))).ok()?;
        self.list.get(at)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize, &Cut)> {
        self.list.iter().map(|cut| (cut.position, cut.part, cut))
    }

    /// The oldest message with an output that is cut.
    pub(super) fn first(&self) -> Option<usize> {
        self.list.first().map(|cut| cut.position)
    }

    /// Whether an output of the messages from `first` up to, but not including, `end` is cut.
    pub(super) fn any(&self, first: usize, end: usize) -> bool {
        self.before(end).is_some_and(|newest| newest.position >= first)
    }

    /// By how many tokens the messages before `position` shrink, and how many of these a summary may replace.
    pub(super) fn saved_until(&self, position: usize) -> (i64, i64) {
        self.before(position).map_or((0, 0), |newest| (newest.saved, newest.replaceable))
    }

    /// How the message at `position` changes.
    pub(super) fn change(&self, position: usize) -> Change {
        let newest = self.before(position + 1).filter(|changed| changed.position == position);
        newest.map_or_else(Change::default, |changed| changed.change)
    }

    /// The tokens that the cuts free.
    pub(super) fn reclaimed(&self) -> u64 {
        self.changed.iter().map(|changed| changed.change.reclaimed).sum()
    }

    /// The newest message with a cut before `position`.
    fn before(&self, position: usize) -> Option<&Changed> {
        let count = self.changed.partition_point(|changed| changed.position < position);
        count.checked_sub(1).and_then(|newest| self.changed.get(newest))
    }
}

/// An output that may be cut.
struct Candidate {
    position: usize,
    part: usize,
    length: Length,
    tokens: u64,
    note: Length,
    media: u32,
}

impl Candidate {
    /// The output cut to at most `level` tokens; `None` if it is no larger, or so short that the note would gain nothing.
    fn cut(&self, level: u64, estimator: &Estimator) -> Option<Cut> {
        let note = estimator.alone(estimator.weigh_text(self.note));
        if self.tokens <= level || self.tokens < note.saturating_mul(2) {
            return None;
        }
        let unit = estimator.unit;
        let whole = u64::from(self.length.in_unit(unit).max(1));
        let room = level.saturating_mul(estimator.per_token.max(1).into());
        let room = room.saturating_sub(self.note.in_unit(unit).into()).min(u32::MAX.into());
        let utf16 = u64::from(self.length.utf16);
        let kept = (utf16 * room / whole).min(utf16) as u32;
        let length = shown(self.length, kept, self.note);
        let most = length.in_unit(unit);
        let preview = Preview { head: kept.div_ceil(2), tail: kept / 2, most, media: self.media };
        Some(Cut { position: self.position, part: self.part, preview, length })
    }
}

/// A tool output of which only `preview` stays, as a reader would find it.
pub(crate) fn cut_part(part: &Part, preview: &Preview) -> Part {
    let note = preview::longest_note(part.length.utf16, preview.media);
    let length = shown(part.length, preview.head.saturating_add(preview.tail), note);
    Part { pieces: 1, length, native: None, ..*part }
}

/// The length of `kept` UTF-16 units of an output, which are taken to be as dense as all of it, and of the note.
fn shown(length: Length, kept: u32, note: Length) -> Length {
    let of = |all: u32, note: u32| {
        let kept = (u64::from(all) * u64::from(kept)).div_ceil(u64::from(length.utf16).max(1));
        u32::try_from(kept + u64::from(note)).unwrap_or(u32::MAX)
    };
    Length {
        utf16: of(length.utf16, note.utf16),
        code_points: of(length.code_points, note.code_points),
        bytes: of(length.bytes, note.bytes),
        classed: of(length.classed, note.classed),
        classed_json: of(length.classed_json, note.classed_json),
    }
}

impl AfterPruning<'_> {
    /// Cuts outputs without an answer, where they are larger than the room for them. `size` is that of the context before
    /// anything was pruned. Returns whether the context then has the size that a forced compaction asks for.
    pub(super) fn cut(&mut self, usages: &mut Usages, options: PlanOptions, size: u64) -> bool {
        let prune = &self.policy().prune;
        let known = options.known_tokens;
        if !prune.enabled || prune.preview == 0 || self.is_hopeless() {
            return false;
        }
        let full = self.is_full(self.measure(usages, known));
        // An overflow has shown that the context is too large, whatever the model's known limits are.
        let limited = self.policy().trigger.enabled && self.policy().model.context.is_some();
        let fullest = self.fullest().filter(|_| limited);
        let most = match (fullest, options.force.then_some(size / 2)) {
            (Some(fullest), Some(half)) => fullest.min(half),
            (Some(fullest), None) => fullest,
            (None, Some(half)) => half,
            (None, None) => return false,
        };
        if !(full || options.force && self.size(usages, known) > most) {
            return false;
        }
        let from = self.unanswered();
        let spared = self.spared(from);
        if spared > 0 && self.size_without(spared, usages, known) <= most {
            return false;
        }
        let candidates = self.candidates(from);
        if candidates.is_empty() {
            return false;
        }
        let together = |level: u64| -> u64 { candidates.iter().map(|one| one.tokens.min(level)).sum() };
        let cap = newest_level(0, prune.preview, &mut |level| together(level) <= prune.preview).unwrap_or(0);
        let least = LEAST.min(cap);
        let mut fitting = |spared: u64| {
            newest_level(least, cap, &mut |level| {
                self.set_cuts(&candidates, level, usages);
                self.size_without(spared, usages, known) <= most
            })
        };
        let alone = fitting(0).filter(|level| spared == 0 || level.saturating_mul(2) >= cap);
        let level = alone.or_else(|| fitting(spared)).unwrap_or(least);
        self.set_cuts(&candidates, level, usages);
        options.force && !self.cuts().is_empty() && self.size(usages, known) <= most
    }

    /// The size of the context once a summary has made it smaller by `spared` tokens. A usage reported before a summary says
    /// nothing about the context after it, so the estimate counts as well.
    fn size_without(&self, spared: u64, usages: &mut Usages, known: Option<u64>) -> u64 {
        let left = self.size(usages, known).saturating_sub(spared);
        if spared == 0 || self.policy().trigger.measure != Measure::Anchored {
            return left;
        }
        left.max(self.tokens_until(self.len()).saturating_sub(spared))
    }

    /// The position from which on no answer has followed.
    fn unanswered(&self) -> usize {
        self.books().newest_answer().unwrap_or(0)
    }

    /// The newest place where a boundary may be without summarizing an output that the model has not seen; `None` if there
    /// is no such output.
    pub(super) fn unseen(&self) -> Option<usize> {
        if self.policy().prune.preview == 0 {
            return None;
        }
        let from = self.unanswered();
        let is_words = |part: &Part| matches!(part.kind, PartKind::Text | PartKind::Thinking);
        let is_unseen = |position: usize| {
            // In the message of its call, as OpenCode stores it, an output is seen if the model goes on behind it.
            let parts = self.parts(position);
            let behind =
                if position == from { parts.iter().rposition(is_words).map_or(0, |at| at + 1) } else { 0 };
            parts.iter().skip(behind).any(|part| part.kind == PartKind::ToolResult)
        };
        (from..self.len()).any(is_unseen).then_some(from)
    }

    /// The outputs from `from` on that may be cut, oldest first.
    fn candidates(&self, from: usize) -> Vec<Candidate> {
        let (policy, books) = (self.policy(), self.books());
        let estimator = &policy.estimator;
        let mut candidates = Vec::new();
        for position in from..self.len() {
            let parts = self.parts(position);
            let followed = followed_results(parts);
            for (part, output) in parts.iter().enumerate() {
                let is_plain = matches!(output.output, Output::Ordinary | Output::Error);
                let is_protected = output.tool.is_some_and(|tool| books.protects(tool));
                if output.kind != PartKind::ToolResult || !is_plain || is_protected {
                    continue;
                }
                let media = followed.iter().filter(|(_, result)| *result == part).count() as u32;
                candidates.push(Candidate {
                    position,
                    part,
                    length: output.length,
                    tokens: estimator.alone(estimator.weigh(self.transcript(), output)),
                    note: preview::longest_note(output.length.utf16, media),
                    media,
                });
            }
        }
        candidates
    }

    /// How much smaller the context becomes if everything before `from`, or what may be parted from it, is summarized.
    fn spared(&self, from: usize) -> u64 {
        if !self.policy().retain.enabled {
            return 0;
        }
        let place = (self.substance() + 1..=from).rev().find(|position| !self.is_parted(*position));
        place.map_or(0, |place| self.replaced_until(place).1.saturating_sub(self.largest_summary(place)))
    }

    /// Cuts the candidates that are larger than `level` tokens.
    fn set_cuts(&mut self, candidates: &[Candidate], level: u64, usages: &mut Usages) {
        let estimator = &self.policy().estimator;
        let list: Vec<Cut> =
            candidates.iter().filter_map(|candidate| candidate.cut(level, estimator)).collect();
        let mut changed: Vec<Changed> = Vec::new();
        for of_message in list.chunk_by(|one, other| one.position == other.position) {
            let Some(Cut { position, .. }) = of_message.first() else { continue };
            let change = self.change_of(*position, of_message);
            let stays = self.message(*position).is_some_and(|message| message.stays());
            let (saved, replaceable) = changed.last().map_or((0, 0), |last| (last.saved, last.replaceable));
            changed.push(Changed {
                position: *position,
                change,
                saved: saved + change.saved,
                replaceable: replaceable + if stays { 0 } else { change.saved },
            });
        }
        self.replace_cuts(Cuts { list, changed }, usages);
    }

    /// How the message at `position` changes with its outputs cut.
    fn change_of(&self, position: usize, cuts: &[Cut]) -> Change {
        let (transcript, estimator) = (self.transcript(), &self.policy().estimator);
        let parts = self.parts(position);
        let cut_of = |part: usize| cuts.iter().find(|cut| cut.part == part);
        let mut weights: Vec<(Weight, bool)> = parts
            .iter()
            .enumerate()
            .map(|(at, part)| match cut_of(at) {
                Some(cut) => (estimator.weigh_text(cut.length), true),
                None => (estimator.weigh(transcript, part), false),
            })
            .collect();
        for (image, result) in followed_results(parts) {
            if let Some(weight) = weights.get_mut(image).filter(|_| cut_of(result).is_some()) {
                *weight = (Weight::default(), true);
            }
        }
        changed_by(transcript, estimator, parts, &weights)
    }
}

/// The largest level from `least` to `most` at which `holds` is true, found by halving. It is true at all smaller levels,
/// unless reported usages contradict each other: a cut changes which of them still count. `least` has to hold then, too.
fn newest_level(least: u64, most: u64, holds: &mut dyn FnMut(u64) -> bool) -> Option<u64> {
    if holds(most) {
        return Some(most);
    }
    if most <= least || !holds(least) {
        return None;
    }
    let (mut fits, mut full) = (least, most);
    while full - fits > 1 {
        let middle = fits.midpoint(full);
        if holds(middle) { fits = middle } else { full = middle }
    }
    Some(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Fate, Plan, Reason, Verdict, VerdictReason};
    use crate::policy::Policy;
    use crate::transcript::{Message, Role, Transcript};
    use crate::{Session, plan, profiles};

    /// A request of the user, so many tokens of talk, and calls with outputs of so many tokens that nothing has answered.
    fn session(talk: usize, outputs: &[usize]) -> Transcript {
        let length = |tokens: usize| Length::ascii(4 * tokens);
        let mut session = Transcript::default();
        session.begin(Message::person());
        session.push(Part::new(PartKind::Text, length(10)));
        session.begin(Message { ended: true, ..Message::new(Role::Assistant) });
        session.push(Part::new(PartKind::Text, length(talk)));
        session.begin(Message::person());
        session.push(Part::new(PartKind::Text, length(10)));
        session.begin(Message::new(Role::Assistant));
        for call in 0..outputs.len() as u32 {
            session.push(Part { call: Some(call), ..Part::new(PartKind::ToolCall, length(0)) });
        }
        for (call, tokens) in (0..).zip(outputs) {
            session.begin(Message::new(Role::Tool));
            session.push(Part { call: Some(call), ..Part::new(PartKind::ToolResult, length(*tokens)) });
        }
        session
    }

    /// A quarter of a token for each character, in a window of 32,000 tokens that is full above 27,200.
    fn policy() -> Policy {
        let mut policy = profiles::get("ebbline@2").unwrap();
        policy.estimator = Estimator { calibrate: false, ..Estimator::default() };
        policy.model = crate::policy::Model::new(32_000);
        policy
    }

    /// The tokens after of every output, and what the plan decides.
    fn outputs(transcript: &Transcript, policy: &Policy, options: PlanOptions) -> (Vec<u64>, Plan) {
        let plan = plan(transcript, policy, options);
        let parts = plan.messages.iter().flat_map(|message| &message.parts);
        let outputs = parts.filter(|part| part.kind == PartKind::ToolResult);
        (outputs.map(|part| part.tokens_after).collect(), plan)
    }

    #[test]
    fn the_largest_outputs_are_cut_first_to_a_common_size() {
        let usual = PlanOptions::new();
        let (of, policy) =
            (|sizes: &[usize], talk| outputs(&session(talk, sizes), &policy(), usual), policy());
        assert_eq!(policy.resolved().prune.preview, 8_000);
        for (sizes, expected) in [
            // There is room for all.
            (&[20_000, 5_000][..], &[20_000, 5_000][..]),
            (&[50_000], &[8_000]),
            (&[50_000, 1_000], &[7_000, 1_000]),
            (&[20_000, 20_000, 20_000], &[2_666, 2_666, 2_666]),
            (&[300, 20_000, 100, 20_000], &[300, 3_800, 100, 3_800]),
        ] {
            let (after, plan) = of(sizes, 100);
            assert_eq!(after, expected);
            assert!(plan.decision.fits && !plan.decision.retain.applied);
        }
        let (_, plan) = of(&[50_000], 100);
        assert_eq!((plan.decision.verdict, plan.decision.reason), (Verdict::Prune, VerdictReason::TooLarge));
        let part = plan.messages[4].parts[0];
        assert_eq!((part.fate, part.reason), (Fate::Pruned, Reason::TooLarge));
        let preview = part.preview.unwrap();
        assert_eq!((preview.head, preview.tail, preview.most), (15_945, 15_945, 32_000));
        let report = plan.decision.prune;
        assert_eq!((report.applied, report.outputs, report.reclaimed), (true, 1, 42_000));
    }

    #[test]
    fn a_summary_makes_the_room_if_nothing_else_can() {
        let usual = PlanOptions::new();
        // Less than half of the preview would be left beside the talk: the talk is summarized.
        for (talk, size, shown, summarizes) in [
            (15_000, 50_000, 8_000, false),
            (22_000, 50_000, 5_180, false),
            (23_180, 50_000, 4_000, false),
            (23_181, 50_000, 8_000, true),
            (24_000, 50_000, 8_000, true),
            (90_000, 50_000, 8_000, true),
            // It is not larger than the room that a summary makes.
            (24_000, 20_000, 20_000, true),
        ] {
            let (after, plan) = outputs(&session(talk, &[size]), &policy(), usual);
            assert_eq!((after, plan.decision.retain.applied), (vec![shown], summarizes), "{talk} {size}");
            assert!(plan.decision.fits, "{talk} {size}");
        }
    }

    #[test]
    fn nothing_is_cut_that_may_not_be() {
        let usual = PlanOptions::new();
        let mut protected = session(100, &[50_000]);
        let tool = Some(protected.tool("skill"));
        let last = protected.parts().len() - 1;
        protected.replace(last, Part { tool, ..protected.parts()[last] });
        let mut off = policy();
        let _ = off.set("prune.preview", "0");
        let mut answered = session(100, &[50_000]);
        answered.begin(Message::new(Role::Assistant));
        for (transcript, policy) in
            [(protected, policy()), (session(100, &[50_000]), off), (answered, policy())]
        {
            let (_, plan) = outputs(&transcript, &policy, usual);
            let mut parts = plan.messages.iter().flat_map(|message| &message.parts);
            assert!(parts.all(|part| part.preview.is_none()));
        }
    }

    #[test]
    fn a_forced_compaction_halves_the_context_whatever_the_window_is() {
        let forced = PlanOptions::new().force(true);
        let mut unknown = policy();
        unknown.model.context = None;
        for (talk, size, shown, summarizes) in
            [(100, 10_000, 4_940, false), (100, 120_000, 50_000, false), (30_000, 10_000, 10_000, true)]
        {
            let (after, plan) = outputs(&session(talk, &[size]), &unknown, forced);
            assert_eq!((after, plan.decision.retain.applied), (vec![shown], summarizes), "{talk} {size}");
            assert!(summarizes || plan.decision.tokens_after * 2 <= plan.decision.tokens_before);
        }
    }

    #[test]
    fn in_no_room_at_all_the_least_stays_and_the_plan_says_that_it_does_not_fit() {
        let mut policy = policy();
        policy.model = crate::policy::Model::new(1_000);
        let (after, plan) = outputs(&session(100, &[50_000, 50_000, 50_000]), &policy, PlanOptions::new());
        assert_eq!(after, [83, 83, 83]);
        assert!(plan.decision.fits);
        let mut talk = session(100, &[50_000]);
        talk.begin(Message::person());
        talk.push(Part::new(PartKind::Text, Length::ascii(40_000)));
        let (after, plan) = outputs(&talk, &policy, PlanOptions::new());
        assert_eq!((after, plan.decision.fits), (vec![200], false));
    }

    #[test]
    fn a_ledger_says_what_it_cuts_and_an_output_that_is_cut_is_cut_no_further() {
        let mut session = Session::of(session(100, &[50_000, 10, 50_000]), &policy());
        assert_eq!(session.decide(PlanOptions::new()).reason, VerdictReason::TooLarge);
        assert_eq!(session.pruned(), [(4, 0), (6, 0)]);
        let cut = session.cut();
        assert_eq!(
            cut.iter().map(|(message, part, _)| (*message, *part)).collect::<Vec<_>>(),
            session.pruned()
        );
        let parts: Vec<(usize, Part)> = cut
            .iter()
            .map(|(message, part, preview)| {
                let at = session.transcript().part_range(*message).start + part;
                (at, cut_part(&session.transcript().parts()[at], preview))
            })
            .collect();
        let planned = session.decide(PlanOptions::new()).tokens_after;
        session.replace_outputs(4, parts.into_iter());
        let settled = session.decide(PlanOptions::new());
        assert_eq!((settled.verdict, settled.tokens_before), (Verdict::Noop, planned));
    }

    #[test]
    fn a_boundary_keeps_what_the_model_has_not_seen() {
        // Without cuts, such an output is summarized away.
        for (preview, boundary) in [("25%", 3), ("0", 5)] {
            let mut policy = policy();
            policy.set("prune.preview", preview).unwrap();
            policy.prune.protected_tools = vec!["read".to_owned()];
            let mut transcript = session(20_000, &[50_000]);
            let tool = Some(transcript.tool("read"));
            let last = transcript.parts().len() - 1;
            transcript.replace(last, Part { tool, ..transcript.parts()[last] });
            let (_, plan) = outputs(&transcript, &policy, PlanOptions::new());
            assert_eq!(plan.decision.retain.boundary, Some(boundary), "{preview}");
        }
    }
}
