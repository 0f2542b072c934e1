//! The retention window: where the messages that are kept word for word begin.

use std::collections::HashSet;

use super::history::History;
use ebbline::policy::{Cut, Fill, RetainPolicy, Snap};
use ebbline::transcript::{Message, PartKind, Role, Turn};

/// The start of the window as message indices; every active message before it would be summarised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Window {
    /// The boundary by the policy's own rule; `None` if it finds no place.
    pub(super) proposed: Option<usize>,
    /// The boundary at which no call is separated from its result, and no unfinished run from its thinking.
    pub(super) boundary: Option<usize>,
    /// The same as a position among the active messages.
    pub(super) position: Option<usize>,
    /// The start of the turn that the boundary divides; `None` if it divides none.
    pub(super) split_turn: Option<usize>,
    /// Whether the whole history has fewer tokens than the window should keep.
    pub(super) all_fits: bool,
}

/// The budget of the window, and when a boundary is worth it; all in tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// The budget of the window.
    pub(super) keep: u64,
    /// With more than this in the window, the context is full again at once; `u64::MAX` if unknown.
    pub(super) most: u64,
    /// The assumed size of a summary.
    pub(super) summary: u64,
    /// How much a summary must free to be worth it.
    pub(super) least: u64,
    /// Whether compaction is forced: by hand or after an overflow.
    pub(super) forced: bool,
}

/// Finds the retention window for `aim`.
///
/// The walk from the newest message stops where the window is full; from there the boundary moves to an allowed
/// place. TunaCode moves it to older messages, pi to newer ones; OpenCode takes what fits.
pub(super) fn window(history: &History<'_>, policy: &RetainPolicy, aim: Aim) -> Window {
    let mut cuts = Cuts { history, aim, policy };
    if aim.forced && policy.snap == Snap::Nearest {
        cuts.aim.keep = cuts.keep_when_forced();
    }
    let end = history.len();
    let start = if (aim.forced && policy.forced_keeps_nothing) || policy.cut == Cut::AtEnd {
        Some(end)
    } else {
        match policy.fill {
            Fill::AtLeast => cuts.reach(),
            Fill::AtMost => cuts.fit(),
        }
        .or_else(|| policy.summarise_all_that_fits.then_some(end))
    };
    let Some(start) = start else {
        return Window { all_fits: true, ..Window::default() };
    };
    let proposed = cuts.snap(start, false);
    let boundary = cuts
        .snap(start, true)
        .or_else(|| cuts.inside_run(start))
        .or_else(|| proposed.and_then(|proposed| cuts.before_pending(proposed)));
    let place = |position: Option<usize>| position.map(|position| history.index(position));
    Window {
        proposed: place(proposed),
        boundary: place(boundary),
        position: boundary,
        split_turn: boundary.and_then(|position| cuts.divided_turn(position)),
        all_fits: false,
    }
}

struct Cuts<'h, 't> {
    history: &'h History<'t>,
    aim: Aim,
    policy: &'h RetainPolicy,
}

impl Cuts<'_, '_> {
    /// The newest position from which the rest has at least `keep` tokens.
    fn reach(&self) -> Option<usize> {
        let spare = self.held_from(0).checked_sub(self.aim.keep)?;
        (0..self.history.len()).rev().find(|position| self.history.tokens_until(*position) <= spare)
    }

    /// The oldest position from which the rest has at most `keep` tokens and at most the allowed turns; `None` if
    /// that is everything.
    fn fit(&self) -> Option<usize> {
        let oldest = self.turn_limit();
        let full =
            (oldest..self.history.len()).rev().find(|position| self.held_from(*position) > self.aim.keep);
        Some(full.map_or(oldest, |position| position + 1)).filter(|position| *position > 0)
    }

    /// The start of the oldest turn that the window may contain.
    fn turn_limit(&self) -> usize {
        let Some(skipped) = usize::try_from(self.policy.turns).ok().and_then(|turns| turns.checked_sub(1))
        else {
            return 0;
        };
        self.history.newest_turn_but(skipped).unwrap_or(0)
    }

    /// The nearest allowed place at or beyond `start`. Position 0 is not allowed, because nothing would be
    /// summarised.
    fn snap(&self, start: usize, safe: bool) -> Option<usize> {
        let end = self.history.len();
        let allowed = |position: &usize| self.rule_allows(*position) && !(safe && self.is_parted(*position));
        let older = |from: usize| Self::older(1, from, allowed);
        // If the window needs every message, its place is before all of them, and nothing is summarised.
        let newer = || (start..=end).find(allowed);
        match self.policy.snap {
            Snap::Older => older(start),
            Snap::Newer => newer(),
            Snap::NewerOrLast => newer().or_else(|| older(end)),
            Snap::Nearest => self.nearest(start, allowed),
        }
        .filter(|position| *position > if safe { self.history.substance() } else { 0 })
    }

    /// The newest allowed place from `least` to `from`.
    fn older(least: usize, from: usize, allowed: impl Fn(&usize) -> bool) -> Option<usize> {
        (least..=from).rev().find(allowed)
    }

    /// The older place, unless the window would then have more than twice its budget and a newer place exists: a
    /// smaller window is better than one that is full again at once. Never a place that frees less than the summary
    /// takes.
    fn nearest(&self, start: usize, allowed: impl Fn(&usize) -> bool + Copy) -> Option<usize> {
        let (first, end) = (self.history.substance() + 1, self.history.len());
        let holds = |position: usize, most: u64| self.held_from(position) <= most;
        let older = Self::older(first, start, allowed);
        let newer = (start.max(first)..end).find(allowed);
        let is_near = |position: &usize| holds(*position, self.aim.keep.saturating_mul(2));
        let near = older.filter(is_near).or(newer).or(older).filter(|near| self.is_worth_it(*near));
        let fitting = || {
            let begin = start.max(first);
            let fits = (begin..end).rev().find(|position| !holds(*position, self.aim.most));
            let mut places = (fits.map_or(begin, |full| full + 1)..end).filter(allowed);
            places.find(|position| self.is_worth_it(*position))
        };
        near.filter(|near| holds(*near, self.aim.most))
            .or_else(fitting)
            .or_else(|| self.nothing_kept(near))
            .or(near)
    }

    /// The place after the newest message, if the context would be full again at once with `near` as the boundary: a
    /// tool's newest result is larger than all available room. The summary then describes it.
    fn nothing_kept(&self, near: Option<usize>) -> Option<usize> {
        let is_full = self.held_from(near.unwrap_or(0)) > self.aim.most;
        let end = self.history.len();
        (is_full && !self.is_waiting() && !self.is_parted(end)).then_some(end)
    }

    /// Whether the end of the session waits for an answer: to the user, or from a running call.
    fn is_waiting(&self) -> bool {
        let is_answer =
            |position: &usize| self.message(*position).is_some_and(|message| message.role == Role::Assistant);
        let end = self.history.len();
        let newest = (0..end).rev().find(is_answer).unwrap_or(0);
        let parts = || (newest..end).flat_map(|position| self.history.parts(position));
        let results: HashSet<Option<u32>> =
            parts().filter(|part| part.kind == PartKind::ToolResult).map(|part| part.call).collect();
        end.checked_sub(1).is_some_and(|last| self.begins_turn(last))
            || parts().any(|part| part.kind == PartKind::ToolCall && !results.contains(&part.call))
    }

    /// How much a forced compaction keeps of a history that fits the window: half of it, if the rest is worth a
    /// summary. An overflow has shown that the context does not fit, whatever the model's known limits.
    fn keep_when_forced(&self) -> u64 {
        let all = self.held_from(self.history.substance());
        let is_worth_it = all >= self.aim.summary.saturating_mul(2);
        if is_worth_it { self.aim.keep.min(all / 2) } else { self.aim.keep }
    }

    /// Whether a boundary at `position` frees more than the summary takes, and more than a summary that it replaces
    /// took. A forced compaction is always worth it. The measure must not depend on `keep`, or a larger window would
    /// summarise more.
    fn is_worth_it(&self, position: usize) -> bool {
        let freed = self.history.replaced_until(position);
        let summaries = 1 + u64::from(self.history.has_summary_before(position));
        self.aim.forced || freed >= self.aim.least.saturating_mul(summaries)
    }

    /// The next place after `start`, if `start` is in the middle of a run without an allowed place before it. The run
    /// alone exceeds `keep`, so keeping less of it, or nothing, is better than a full context.
    fn inside_run(&self, start: usize) -> Option<usize> {
        self.history.run().filter(|run| *run < start)?;
        (start.max(self.history.substance() + 1)..=self.history.len())
            .find(|position| self.rule_allows(*position) && !self.is_parted(*position))
            .filter(|position| *position < self.history.len() || !self.is_waiting())
    }

    /// The newest place that keeps a running call in the window, if the rule wants to summarise it.
    fn before_pending(&self, proposed: usize) -> Option<usize> {
        let pending = self.history.pending().filter(|pending| *pending < proposed)?;
        (self.history.substance() + 1..=pending).rev().find(|position| !self.is_parted(*position))
    }

    fn is_parted(&self, position: usize) -> bool {
        self.history.is_parted(position)
    }

    fn rule_allows(&self, position: usize) -> bool {
        let next = self.message(position);
        match self.policy.cut {
            Cut::Anywhere => true,
            Cut::BeforeMessage => next.is_some_and(|next| next.role != Role::Tool),
            Cut::BeforeTurn => next.is_none_or(|next| next.turn != Turn::No),
            Cut::AtEnd => next.is_none(),
            Cut::AfterEndedMessage => {
                let previous = position.checked_sub(1).and_then(|position| self.message(position));
                let ended = previous.is_some_and(|previous| match previous.role {
                    Role::User => true,
                    Role::Assistant => previous.ended,
                    _ => false,
                });
                ended && next.is_none_or(|next| next.role != Role::Tool)
            }
        }
    }

    /// The start of the turn that a boundary at `position` divides.
    fn divided_turn(&self, position: usize) -> Option<usize> {
        if position >= self.history.len() || self.begins_turn(position) {
            return None;
        }
        self.history.turn_before(position).map(|turn| self.history.index(turn))
    }

    fn begins_turn(&self, position: usize) -> bool {
        self.message(position).is_some_and(|message| message.turn != Turn::No)
    }

    fn message(&self, position: usize) -> Option<&Message> {
        self.history.message(position)
    }

    fn held_from(&self, position: usize) -> u64 {
        self.history.tokens_until(self.history.len()).saturating_sub(self.history.tokens_until(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::parted::parted;
    use ebbline::length::Length;
    use ebbline::transcript::Part;
    use ebbline::{Transcript, profiles};

    /// A transcript from a word: `u`ser, `a`nswer, `c`all, `C`all that continues the answer, `t`hought with a call,
    /// `r`esult, `s`ystem, `p`rompt of the system with a result; each message costs 100 tokens.
    /// Results answer the open calls, oldest first.
    fn transcript(shape: &str) -> (Transcript, Vec<u64>) {
        let mut transcript = Transcript::default();
        let (mut calls, mut results) = (0, 0);
        for letter in shape.chars() {
            let (message, kind, call) = match letter {
                'u' => (Message::person(), PartKind::Text, None),
                'a' => (Message { ended: true, ..Message::new(Role::Assistant) }, PartKind::Text, None),
                'c' => {
                    calls += 1;
                    (
                        Message { ended: true, ..Message::new(Role::Assistant) },
                        PartKind::ToolCall,
                        Some(calls),
                    )
                }
                'C' => {
                    calls += 1;
                    (
                        Message { continues: true, ..Message::new(Role::Assistant) },
                        PartKind::ToolCall,
                        Some(calls),
                    )
                }
                't' => {
                    calls += 1;
                    (Message::new(Role::Assistant), PartKind::ToolCall, Some(calls))
                }
                's' => (Message::new(Role::System), PartKind::Text, None),
                _ => {
                    results += 1;
                    let role = if letter == 'p' { Role::System } else { Role::Tool };
                    (Message::new(role), PartKind::ToolResult, Some(results))
                }
            };
            transcript.begin(message);
            if letter == 't' {
                transcript.push(Part { signed: true, ..Part::new(PartKind::Thinking, Length::ascii(4)) });
            }
            transcript.push(Part { call, ..Part::new(kind, Length::ascii(400)) });
        }
        let costs = vec![100; shape.len()];
        (transcript, costs)
    }

    fn find(shape: &str, profile: &str, keep: u64, forced: bool) -> Window {
        let (transcript, costs) = transcript(shape);
        let policy = profiles::get(profile).unwrap();
        let aim = Aim { keep, most: u64::MAX, summary: 0, least: 0, forced };
        window(&History::new(&transcript, &costs), &policy.retain, aim)
    }

    #[test]
    fn a_message_too_large_for_the_window_is_summarised_and_what_follows_it_kept() {
        let (transcript, mut costs) = transcript("uaucraua");
        costs[2] = 90_000;
        let policy = profiles::get("ebbline@1").unwrap();
        let aim = Aim { keep: 500, most: 10_000, summary: 2_000, least: 500, forced: false };
        assert_eq!(window(&History::new(&transcript, &costs), &policy.retain, aim).boundary, Some(3));
    }

    #[test]
    fn a_window_that_needs_every_message_leaves_nothing_to_summarise() {
        for profile in ["pi@0.58", "pi@0.84", "pi@1.5"] {
            assert_eq!(find("uaua", profile, 400, false).proposed, None, "{profile}");
            assert_eq!(find("uaua", profile, 300, false).proposed, Some(1), "{profile}");
        }
    }

    #[test]
    fn a_boundary_never_parts_a_call_from_its_result() {
        for (shape, keep, boundary) in [
            ("ucra", 100, Some(3)),
            ("ucra", 200, Some(1)),
            ("uccrra", 300, Some(1)),
            ("ucrcra", 300, Some(3)),
            ("cr", 100, None),
            ("uaCra", 300, Some(1)),
        ] {
            assert_eq!(find(shape, "ebbline@1", keep, false).boundary, boundary, "{shape} keep {keep}");
        }
    }

    #[test]
    fn tunacode_snaps_to_older_messages_and_would_part_parallel_calls() {
        let window = find("uccrra", "tunacode@0.2", 200, false);
        assert_eq!(window.proposed, Some(2), "TunaCode 0.2.3 cuts between two parallel calls");
        assert_eq!(window.boundary, Some(1), "the plan does not");
        assert_eq!(find("uaua", "tunacode@0.2", 150, false).boundary, Some(2));
        assert!(find("ua", "tunacode@0.2", 500, false).all_fits);
    }

    #[test]
    fn a_forced_compaction_may_keep_nothing() {
        assert_eq!(find("uaua", "tunacode@0.2", 20_000, true).boundary, Some(4));
        assert_eq!(find("uacr", "tunacode@0.2", 20_000, true).boundary, Some(2));
        assert_eq!(find("uaua", "ebbline@1", 200, true).boundary, Some(2));
    }

    #[test]
    fn an_unfinished_run_is_never_parted_from_its_thinking() {
        for (shape, keep, boundary) in [
            ("uautrcrcr", 200, Some(3)),
            ("uautrcrtr", 200, Some(7)),
            ("uautrcrtr", 400, Some(3)),
            ("uautrcra", 300, Some(5)),
            ("uautrucr", 200, Some(6)),
            ("uaucrcr", 200, Some(5)),
            // A run that began the session and has no other thinking is kept as a whole or not at all.
            ("strcrcr", 200, Some(7)),
            ("strcrtr", 400, Some(5)),
            ("uautCrrtCrr", 200, Some(7)),
        ] {
            assert_eq!(find(shape, "ebbline@1", keep, false).boundary, boundary, "{shape} keep {keep}");
        }
    }

    #[test]
    fn calls_without_ids_keep_their_results_too() {
        let mut transcript = Transcript::default();
        for (role, kind) in [
            (Role::User, PartKind::Text),
            (Role::Assistant, PartKind::Text),
            (Role::User, PartKind::Text),
            (Role::Assistant, PartKind::ToolCall),
            (Role::Tool, PartKind::ToolResult),
        ] {
            transcript.begin(Message::new(role));
            transcript.push(Part::new(kind, Length::ascii(400)));
        }
        let active: Vec<usize> = (0..5).collect();
        assert_eq!(parted(&transcript, &active), [false, false, false, false, true, false]);
    }

    #[test]
    fn a_result_in_a_system_message_keeps_its_call() {
        assert_eq!(find("uacpa", "ebbline@1", 100, false).boundary, Some(2));
        assert_eq!(find("uacpa", "ebbline@1", 400, false).boundary, Some(1));
    }

    #[test]
    fn system_messages_alone_are_nothing_to_summarise() {
        assert_eq!(find("su", "ebbline@1", 100, false).boundary, None);
        assert_eq!(find("sua", "ebbline@1", 100, false).boundary, Some(2));
    }
}
