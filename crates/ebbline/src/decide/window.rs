//! The retention window: where the messages begin that are kept word for word.
//!
//! The search goes from the newest message back and stops where the window is full. From there, the boundary
//! moves to a place where it may stand: TunaCode moves it to older messages, pi to newer ones, and OpenCode takes
//! what fits.

use std::collections::HashSet;

use super::AfterPruning;
use crate::policy::{Cut, Fill, RetainPolicy, Snap};
use crate::search::newest;
use crate::transcript::{Message, PartKind, Role};

/// Where the window begins, as message indices. All active messages before it would be summarized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Window {
    /// Where the policy's own rule puts the boundary; `None` when the rule finds no place.
    pub(crate) proposed: Option<usize>,
    /// Where the boundary stands after it has been moved so that no call is separated from its result and no
    /// unfinished run from its thinking.
    pub(crate) boundary: Option<usize>,
    /// `boundary` as a position among the active messages.
    pub(crate) position: Option<usize>,
    /// Where the turn begins that the boundary splits; `None` when it splits no turn.
    pub(crate) split_turn: Option<usize>,
    /// Whether the whole history holds fewer tokens than the window is to keep.
    pub(crate) all_fits: bool,
}

/// How much the window is to hold, and what a boundary must achieve; all in tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// The tokens that the window is to hold.
    pub(crate) keep: u64,
    /// The most tokens that the window may hold without filling the context again at once; `u64::MAX` when this
    /// is not known.
    pub(crate) most: u64,
    /// The most tokens that the window may hold if it is to fit at all; `u64::MAX` when this is not known.
    pub(crate) largest: u64,
    /// The tokens that a summary may take.
    pub(crate) summary: u64,
    /// The tokens that must be freed for a summary to be worth it.
    pub(crate) least: u64,
    /// Whether compaction was asked for: by hand, or after an overflow.
    pub(crate) forced: bool,
}

/// Finds the retention window for `aim`.
pub(crate) fn window(history: &AfterPruning<'_>, policy: &RetainPolicy, aim: Aim) -> Window {
    let mut cuts = Cuts { history, aim, policy, last: history.len() };
    if aim.forced && policy.snap == Snap::Nearest {
        cuts.aim.keep = cuts.keep_when_forced();
    }
    // An output that the model has not seen stays.
    let Some(unseen) = history.unseen() else { return cuts.window() };
    cuts.last = unseen;
    let found = cuts.window();
    // Where none is cut, one that does not fit has to be summarized, be it with what the boundary may not leave behind.
    let is_cut = history.policy().prune.enabled;
    if is_cut || found.all_fits || cuts.held_from(found.position.unwrap_or(0)) <= aim.largest {
        return found;
    }
    cuts.last = history.len();
    cuts.window()
}

struct Cuts<'h, 'b> {
    history: &'h AfterPruning<'b>,
    aim: Aim,
    policy: &'h RetainPolicy,
    /// No boundary is behind this position: the model has not seen the outputs from there on.
    last: usize,
}

impl Cuts<'_, '_> {
    /// The window for what is aimed at.
    fn window(&self) -> Window {
        let (policy, aim, end) = (self.policy, self.aim, self.history.len());
        let start = if (aim.forced && policy.forced_keeps_nothing) || policy.cut == Cut::AtEnd {
            Some(end)
        } else {
            match policy.fill {
                Fill::AtLeast => self.reach(),
                Fill::AtMost => self.fit(),
            }
            .or_else(|| policy.summarize_all_that_fits.then_some(end))
        };
        let Some(start) = start else {
            return Window { all_fits: true, ..Window::default() };
        };
        let proposed = self.snap(start, false);
        let boundary = self
            .snap(start, true)
            .or_else(|| self.inside_run(start))
            .or_else(|| proposed.and_then(|proposed| self.before_pending(proposed)));
        let place = |position: Option<usize>| position.map(|position| self.history.index(position));
        Window {
            proposed: place(proposed),
            boundary: place(boundary),
            position: boundary,
            split_turn: boundary.and_then(|position| self.divided_turn(position)),
            all_fits: false,
        }
    }

    /// The newest position from which the rest of the history holds at least `keep` tokens.
    fn reach(&self) -> Option<usize> {
        let spare = self.held_from(0).checked_sub(self.aim.keep)?;
        newest(0..self.history.len(), |position| self.history.tokens_until(position) <= spare)
    }

    /// The oldest position from which the rest of the history holds at most `keep` tokens and no more turns than
    /// allowed. `None` when the whole history does.
    fn fit(&self) -> Option<usize> {
        let oldest = self.turn_limit();
        let full = newest(oldest..self.history.len(), |position| self.held_from(position) > self.aim.keep);
        Some(full.map_or(oldest, |position| position + 1)).filter(|position| *position > 0)
    }

    /// Where the oldest turn begins that the window may contain.
    fn turn_limit(&self) -> usize {
        let Some(skipped) = usize::try_from(self.policy.turns).ok().and_then(|turns| turns.checked_sub(1))
        else {
            return 0;
        };
        self.history.newest_turn_but(skipped).unwrap_or(0)
    }

    /// The nearest place at or beyond `start` where the boundary may stand. Position 0 does not count, because
    /// nothing would be summarized.
    fn snap(&self, start: usize, safe: bool) -> Option<usize> {
        let end = self.history.len();
        let allowed = |position: &usize| self.rule_allows(*position) && !(safe && self.is_parted(*position));
        let older = |from: usize| self.older(1, from, allowed);
        // A window that needs every message begins before all of them, and nothing is summarized.
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
    fn older(&self, least: usize, from: usize, allowed: impl Fn(&usize) -> bool) -> Option<usize> {
        let end = self.history.len();
        if self.policy.cut == Cut::AtEnd {
            return Some(end).filter(|end| (least..=from).contains(end) && allowed(end));
        }
        if self.policy.cut != Cut::BeforeTurn || from >= end {
            return (least..=from).rev().find(allowed);
        }
        // A turn may be as long as the session, so not every place in it is tried.
        let turn = |position: &usize| self.history.turn_before(*position);
        let turns = std::iter::successors(turn(&(from + 1)), turn);
        turns.take_while(|turn| *turn >= least).find(allowed)
    }

    /// The nearest older place, unless the window would then hold more than twice the aim and there is a newer
    /// place: a window that holds too little is better than one that is full again at once. A place that is not worth
    /// a summary does not count, except in a forced compaction that finds no other.
    fn nearest(&self, start: usize, allowed: impl Fn(&usize) -> bool + Copy) -> Option<usize> {
        let (first, end) = (self.history.substance() + 1, self.history.len());
        let holds = |position: usize, most: u64| self.held_from(position) <= most;
        let older = self.older(first, start, allowed);
        let newer = (start.max(first)..end).find(allowed);
        let is_near = |position: &usize| holds(*position, self.aim.keep.saturating_mul(2));
        let found = older.filter(is_near).or(newer).or(older);
        let near = found.filter(|near| self.is_worth_it(*near));
        let last = near.or(found.filter(|_| self.aim.forced));
        let fitting = || {
            let begin = start.max(first);
            let fits = newest(begin..end, |position| !holds(position, self.aim.most));
            let mut places = (fits.map_or(begin, |full| full + 1)..end).filter(allowed);
            places.find(|position| self.is_worth_it(*position))
        };
        near.filter(|near| holds(*near, self.aim.most))
            .or_else(fitting)
            .or_else(|| self.nothing_kept(last))
            .or(last)
    }

    /// The place behind the newest message, if a boundary at `near` would leave the context full. This happens
    /// when a tool has just returned more than all the available room; the summary then describes that output.
    fn nothing_kept(&self, near: Option<usize>) -> Option<usize> {
        let is_full = self.held_from(near.unwrap_or(0)) > self.aim.most;
        let end = self.history.len();
        (is_full && !self.is_waiting() && !self.is_parted(end)).then_some(end)
    }

    /// Whether the newest messages wait for an answer: to the user, or to a call that is still running.
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

    /// What a forced compaction keeps although the whole history fits the window: half, if that is worth a
    /// summary. After an overflow it is known that the whole history does not fit, whatever the model's limits
    /// say.
    fn keep_when_forced(&self) -> u64 {
        let all = self.held_from(self.history.substance());
        let is_worth_it = all >= self.aim.summary.saturating_mul(2);
        if is_worth_it { self.aim.keep.min(all / 2) } else { self.aim.keep }
    }

    /// Whether a boundary at `position` frees more tokens than the new summary takes and an earlier summary that
    /// it replaces took; in a forced compaction, more than the new summary is expected to take. This measure must not
    /// depend on `keep`, because a larger window would then summarize more.
    fn is_worth_it(&self, position: usize) -> bool {
        let (_, freed) = self.history.replaced_until(position);
        if self.aim.forced {
            return freed > self.history.expected_summary(position);
        }
        let summaries = 1 + u64::from(self.history.has_summary_before(position));
        freed >= self.aim.least.saturating_mul(summaries)
    }

    /// The next place after `start`, where `start` is inside a run that leaves no place before it. Such a run
    /// alone exceeds `keep`: it is better to keep less of it, or nothing, than to let it fill the context.
    fn inside_run(&self, start: usize) -> Option<usize> {
        self.history.run().filter(|run| *run < start)?;
        (start.max(self.history.substance() + 1)..=self.history.len())
            .find(|position| self.rule_allows(*position) && !self.is_parted(*position))
            .filter(|position| *position < self.history.len() || !self.is_waiting())
    }

    /// The newest place that keeps a running call in the window, where the rule would summarize it.
    fn before_pending(&self, proposed: usize) -> Option<usize> {
        let pending = self.history.pending().filter(|pending| *pending < proposed)?;
        (self.history.substance() + 1..=pending).rev().find(|position| !self.is_parted(*position))
    }

    fn is_parted(&self, position: usize) -> bool {
        position > self.last || self.history.is_parted(position)
    }

    fn rule_allows(&self, position: usize) -> bool {
        let next = self.message(position);
        match self.policy.cut {
            Cut::Anywhere => true,
            Cut::BeforeMessage => next.is_some_and(|next| next.role != Role::Tool),
            Cut::BeforeTurn => next.is_none_or(Message::begins_turn),
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

    /// The beginning of the turn that a boundary at `position` splits.
    fn divided_turn(&self, position: usize) -> Option<usize> {
        if position >= self.history.len() || self.begins_turn(position) {
            return None;
        }
        self.history.turn_before(position).map(|turn| self.history.index(turn))
    }

    fn begins_turn(&self, position: usize) -> bool {
        self.message(position).is_some_and(Message::begins_turn)
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
    use super::super::Books;
    use super::super::usages::Usages;
    use super::*;
    use crate::length::Length;
    use crate::plan::PlanOptions;
    use crate::policy::Estimator;
    use crate::policy::{Policy, PrunePolicy};
    use crate::profiles;
    use crate::transcript::{Part, Transcript};

    /// A transcript from a word: `u`ser, `a`nswer, `c`all, `C`all that continues the answer, `t`hought with a call,
    /// `r`esult, `s`ystem, `p`rompt of the system with a result; each message costs 100 tokens but message 2,
    /// which costs `third`. Results answer the open calls, oldest first.
    fn transcript(shape: &str, third: usize) -> Transcript {
        let mut transcript = Transcript::default();
        let (mut calls, mut results) = (0, 0);
        for (at, letter) in shape.chars().enumerate() {
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
                transcript.push(Part { signed: true, ..Part::new(PartKind::Thinking, Length::ascii(0)) });
            }
            let tokens = if at == 2 { third } else { 100 };
            transcript.push(Part { call, ..Part::new(kind, Length::ascii(4 * tokens)) });
        }
        transcript
    }

    fn find(shape: &str, profile: &str, keep: u64, forced: bool) -> Window {
        let aim = Aim { keep, most: u64::MAX, largest: u64::MAX, summary: 0, least: 0, forced };
        found(&transcript(shape, 100), profile, aim)
    }

    /// The window of a profile, where four characters are a token and nothing is pruned.
    fn found(transcript: &Transcript, profile: &str, aim: Aim) -> Window {
        let policy = Policy {
            estimator: Estimator::default(),
            prune: PrunePolicy::none(),
            ..profiles::get(profile).unwrap()
        };
        let mut books = Books::new(&policy);
        books.enter(transcript, &policy, transcript.messages().len());
        window(
            &AfterPruning::new(&books, transcript, &policy, &mut Usages::default(), PlanOptions::default()),
            &policy.retain,
            aim,
        )
    }

    #[test]
    fn a_message_too_large_for_the_window_is_summarized_and_what_follows_it_kept() {
        let transcript = transcript("uaucraua", 90_000);
        let aim = Aim { keep: 500, most: 10_000, largest: 10_000, summary: 2_000, least: 500, forced: false };
        assert_eq!(found(&transcript, "ebbline@1", aim).boundary, Some(3));
    }

    #[test]
    fn a_window_that_needs_every_message_leaves_nothing_to_summarize() {
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
            // A run that began the session and has no other thinking is kept whole or not at all.
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
        let policy = Policy::default();
        let mut books = Books::new(&policy);
        books.enter(&transcript, &policy, 5);
        let history =
            AfterPruning::new(&books, &transcript, &policy, &mut Usages::default(), PlanOptions::default());
        let parted: Vec<bool> = (0..6).map(|position| history.is_parted(position)).collect();
        assert_eq!(parted, [false, false, false, false, true, false]);
    }

    #[test]
    fn a_result_in_a_system_message_keeps_its_call() {
        assert_eq!(find("uacpa", "ebbline@1", 100, false).boundary, Some(2));
        assert_eq!(find("uacpa", "ebbline@1", 400, false).boundary, Some(1));
    }

    #[test]
    fn system_messages_alone_are_nothing_to_summarize() {
        assert_eq!(find("su", "ebbline@1", 100, false).boundary, None);
        assert_eq!(find("sua", "ebbline@1", 100, false).boundary, Some(2));
    }
}
