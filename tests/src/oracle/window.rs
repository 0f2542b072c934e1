//! The retention window: where the messages that are kept word for word begin.
//!
//! Every position of the history is written down with all that the rules ask about it. Each rule then names one of
//! these places.

use super::decision::Summary;
use super::history::{Entry, History, tokens};
use ebbline::policy::{Cut, Fill, RetainPolicy, Snap};
use ebbline::transcript::Role;

/// Where the window begins: positions of the history, before which every message would be summarized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Boundaries {
    /// By the policy's own rule; `None` if it finds no place.
    pub(super) proposed: Option<usize>,
    /// At a place that separates no call from its result, and no unfinished run from its thinking.
    pub(super) whole: Option<usize>,
}

/// What the window is to achieve; all in tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// Whether compaction is forced: by hand or after an overflow.
    pub(super) forced: bool,
    /// The budget of the window.
    pub(super) keep: u64,
    /// With more than this in the window, the context is full again at once; `None` if no window is known to be too
    /// large, or if even an empty one is.
    pub(super) room: Option<u64>,
    /// How much must be freed for each summary, the new one and an earlier one.
    pub(super) price: u64,
    /// The assumed size of a summary.
    pub(super) summary: u64,
}

/// The retention window for `aim`; `None` if the whole history is within its budget.
pub(super) fn window(history: &History<'_>, policy: &RetainPolicy, aim: Aim) -> Option<Boundaries> {
    let aim = if aim.forced && policy.snap == Snap::Nearest { at_most_half(history, aim) } else { aim };
    let places: Vec<Place> =
        (0..=history.len()).map(|position| Place::new(history, policy, aim, position)).collect();
    let search = Search { history, policy, aim, places: &places };
    let full = search.full()?;
    let proposed = search.proposed(full);
    let whole = search.whole(full, proposed);
    Some(Boundaries {
        proposed: proposed.map(|place| place.position),
        whole: whole.map(|place| place.position),
    })
}

/// A forced compaction keeps at most half of the history, if the other half is at least as large as a summary. An
/// overflow has shown that the context does not fit, whatever the model's known limits.
fn at_most_half(history: &History<'_>, aim: Aim) -> Aim {
    let half = tokens(history.since(history.substance())) / 2;
    if half < aim.summary { aim } else { Aim { keep: aim.keep.min(half), ..aim } }
}

/// A position, and what would be true of a window that begins there.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent: each is one condition of the rules")]
struct Place {
    position: usize,
    /// The window's tokens.
    tokens: u64,
    /// How many turns it contains, at least in part. What comes before the first turn counts as one.
    turns: u64,
    /// Whether the policy's cut rule allows it.
    is_cut: bool,
    /// Whether it separates what belongs together.
    parts: bool,
    /// Whether anything that is worth a summary comes before it.
    summarizes: bool,
    /// Whether what comes before it is worth a summary of the assumed size.
    pays: bool,
    /// Whether the context would not be full again at once.
    fits: bool,
    is_end: bool,
}

impl Place {
    fn new(history: &History<'_>, policy: &RetainPolicy, aim: Aim, position: usize) -> Self {
        let inside = history.since(position);
        let begun = inside.iter().filter(|entry| entry.begins_turn()).count() as u64;
        let is_inside_turn = inside.first().is_some_and(|first| !first.begins_turn());
        let held = tokens(inside);
        Self {
            position,
            tokens: held,
            turns: begun + u64::from(is_inside_turn),
            is_cut: is_cut(policy.cut, history.before(position).last(), inside.first()),
            parts: history.is_parted(position),
            summarizes: position > history.substance(),
            pays: pays(history, policy, aim, position),
            fits: aim.room.is_none_or(|room| held <= room),
            is_end: position == history.len(),
        }
    }
}

/// Whether what comes before `position` is worth a summary. A forced compaction asks only that the context becomes smaller.
fn pays(history: &History<'_>, policy: &RetainPolicy, aim: Aim, position: usize) -> bool {
    if aim.forced {
        let summary = Summary::new(history, policy, position);
        return summary.replaces > summary.size;
    }
    tokens(history.replaced(position)) >= price(history, aim, position)
}

/// What a summary of the messages before `position` must free. It takes the place of an earlier one, which was a
/// summary's size already. As in the engine, an earlier one counts even if it stays.
fn price(history: &History<'_>, aim: Aim, position: usize) -> u64 {
    let replaces_summary = history.before(position).iter().any(|entry| entry.message.summary);
    if replaces_summary { aim.price.saturating_mul(2) } else { aim.price }
}

/// Whether the cut rule allows a boundary between two messages. There is no `next` after the newest message.
fn is_cut(cut: Cut, previous: Option<&Entry<'_>>, next: Option<&Entry<'_>>) -> bool {
    let role = |entry: &Entry<'_>| entry.message.role;
    let is_before_results = next.map(role) == Some(Role::Tool);
    match (cut, next) {
        (Cut::Anywhere, _) | (Cut::BeforeTurn | Cut::AtEnd, None) => true,
        (Cut::AtEnd, Some(_)) | (Cut::BeforeMessage, None) => false,
        (Cut::BeforeTurn, Some(next)) => next.begins_turn(),
        (Cut::BeforeMessage, Some(_)) => !is_before_results,
        (Cut::AfterEndedMessage, _) => {
            let ends = |entry: &Entry<'_>| {
                role(entry) == Role::User || role(entry) == Role::Assistant && entry.message.ended
            };
            !is_before_results && previous.is_some_and(ends)
        }
        (cut, _) => unreachable!("the oracle does not know where to cut {cut}"),
    }
}

/// The rules, each over all places, oldest first.
struct Search<'s> {
    history: &'s History<'s>,
    policy: &'s RetainPolicy,
    aim: Aim,
    places: &'s [Place],
}

impl<'s> Search<'s> {
    fn those(&self, is_meant: impl Fn(&Place) -> bool) -> Vec<&'s Place> {
        self.places.iter().filter(|place| is_meant(place)).collect()
    }

    /// Where the budget puts the boundary; `None` if the whole history is within the budget.
    fn full(&self) -> Option<&'s Place> {
        let nothing = self.places.last();
        if self.policy.cut == Cut::AtEnd || self.aim.forced && self.policy.forced_keeps_nothing {
            return nothing;
        }
        let found = match self.policy.fill {
            // The search looks at the newest message before it asks whether the window is full.
            Fill::AtLeast => {
                self.those(|place| !place.is_end && place.tokens >= self.aim.keep).last().copied()
            }
            Fill::AtMost => {
                let turns = if self.policy.turns == 0 { u64::MAX } else { self.policy.turns };
                let within = self.those(|place| place.tokens <= self.aim.keep && place.turns <= turns);
                within.first().copied().filter(|place| place.position > 0)
            }
            fill => unreachable!("the oracle does not know how to fill {fill}"),
        };
        found.or(nothing.filter(|_| self.policy.summarize_all_that_fits))
    }

    /// The boundary of the policy's own rule, whatever it separates.
    fn proposed(&self, full: &Place) -> Option<&'s Place> {
        let found = match self.policy.snap {
            Snap::Nearest => self.nearest(full, &self.those(|place| place.is_cut && place.summarizes)),
            _ => self.moved(full, &self.those(|place| place.is_cut)),
        };
        found.filter(|place| place.position > 0)
    }

    /// The boundary that separates nothing. Where the rule finds none, one that keeps less of an unfinished run, or
    /// one that keeps a running call.
    fn whole(&self, full: &Place, proposed: Option<&Place>) -> Option<&'s Place> {
        let allowed = self.those(|place| place.is_cut && !place.parts);
        let useful: Vec<&Place> = allowed.iter().filter(|place| place.summarizes).copied().collect();
        let found = match self.policy.snap {
            Snap::Nearest => self.nearest(full, &useful),
            _ => self.moved(full, &allowed),
        };
        let found = found.filter(|place| place.summarizes);
        found.or_else(|| self.inside_run(full, &useful)).or_else(|| self.before_pending(proposed?))
    }

    /// The place among `allowed` to which the boundary moves from `full`. The oldest place may be before all
    /// messages: then the window needs them all, and it is not moved further.
    fn moved(&self, full: &Place, allowed: &[&'s Place]) -> Option<&'s Place> {
        let older = allowed.iter().rfind(|place| place.position <= full.position);
        let newer = allowed.iter().find(|place| place.position >= full.position);
        match self.policy.snap {
            Snap::Older | Snap::Nearest => older,
            Snap::Newer => newer,
            Snap::NewerOrLast => newer.or(allowed.last()),
            snap => unreachable!("the oracle does not know how to move {snap}"),
        }
        .copied()
    }

    /// The older place, or the newer one if the older window has more than twice its budget: a smaller window is
    /// better than one that is full again at once. If the context would be full with it, the oldest newer place at
    /// which it is not; if there is none, the end; if something waits there, the place found first. What is freed must
    /// pay for the summary, but at the end it need not.
    fn nearest(&self, full: &Place, allowed: &[&'s Place]) -> Option<&'s Place> {
        let older = allowed.iter().rfind(|place| place.position <= full.position).copied();
        let is_newer = |place: &&&Place| place.position >= full.position && !place.is_end;
        let newer: Vec<&Place> = allowed.iter().filter(is_newer).copied().collect();
        let is_too_large = older.is_none_or(|older| older.tokens > self.aim.keep.saturating_mul(2));
        let found = newer.first().copied().filter(|_| is_too_large).or(older);
        let near = found.filter(|place| place.pays);
        let last = near.or(found.filter(|_| self.aim.forced));
        let end = self.places.last().filter(|end| !end.parts && !self.history.is_waiting());
        let is_over = last.or(self.places.first()).is_some_and(|place| !place.fits);
        let choices = [
            near.filter(|place| place.fits),
            newer.into_iter().find(|place| place.fits && place.pays),
            end.filter(|_| is_over),
            last,
        ];
        choices.into_iter().flatten().next()
    }

    /// The oldest useful place after `full`, if `full` is inside an unfinished run that allows none before it. Such a
    /// run alone exceeds the budget, so it is better to keep less of it, or nothing if nothing waits.
    fn inside_run(&self, full: &Place, useful: &[&'s Place]) -> Option<&'s Place> {
        self.history.run().filter(|run| *run < full.position)?;
        let is_possible =
            |place: &&&Place| place.position >= full.position && !(place.is_end && self.history.is_waiting());
        useful.iter().find(is_possible).copied()
    }

    /// The newest place that keeps a running call which the rule would summarize. The cut rule does not matter then.
    fn before_pending(&self, proposed: &Place) -> Option<&'s Place> {
        let pending = self.history.pending().filter(|pending| *pending < proposed.position)?;
        self.those(|place| place.summarizes && !place.parts && place.position <= pending).last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::parted::parted;
    use crate::with;
    use ebbline::length::Length;
    use ebbline::transcript::{Message, Part, PartKind};
    use ebbline::{Transcript, profiles};

    /// The message that a letter stands for, and what it does with a call: `u`ser, `a`nswer, `c`all, `C`all that
    /// continues the answer, `t`hought with a call, `r`esult, `s`ystem, `p`rompt of the system with a result.
    fn spelt(letter: char) -> (Message, PartKind) {
        let (role, kind) = match letter {
            'u' => return (Message::person(), PartKind::Text),
            'a' => (Role::Assistant, PartKind::Text),
            'c' | 'C' | 't' => (Role::Assistant, PartKind::ToolCall),
            'r' => (Role::Tool, PartKind::ToolResult),
            's' => (Role::System, PartKind::Text),
            'p' => (Role::System, PartKind::ToolResult),
            other => panic!("{other} stands for nothing"),
        };
        let (ended, continues) = ("ac".contains(letter), letter == 'C');
        (
            with(Message::new(role), |message| {
                message.ended = ended;
                message.continues = continues;
            }),
            kind,
        )
    }

    /// A transcript from a word. Results answer the calls in their order.
    fn transcript(word: &str) -> Transcript {
        let mut transcript = Transcript::default();
        let (mut calls, mut results) = (0.., 0..);
        for letter in word.chars() {
            let (message, kind) = spelt(letter);
            transcript.begin(message);
            if letter == 't' {
                transcript
                    .push(with(Part::new(PartKind::Thinking, Length::ascii(4)), |part| part.signed = true));
            }
            let call = match kind {
                PartKind::ToolCall => calls.next(),
                PartKind::ToolResult => results.next(),
                _ => None,
            };
            transcript.push(with(Part::new(kind, Length::ascii(400)), |part| part.call = call));
        }
        transcript
    }

    /// The window of a word whose messages have these tokens.
    fn found(word: &str, costs: &[u64], profile: &str, aim: Aim) -> Option<Boundaries> {
        let policy = profiles::get(profile).unwrap();
        let costs: Vec<_> = costs.iter().map(|tokens| (*tokens, 0)).collect();
        window(&History::new(&transcript(word), &costs), &policy.retain, aim)
    }

    /// The window of a word whose messages have 100 tokens each.
    fn find(word: &str, profile: &str, keep: u64, forced: bool) -> Option<Boundaries> {
        let aim = Aim { forced, keep, room: None, price: 0, summary: 0 };
        found(word, &vec![100; word.len()], profile, aim)
    }

    /// The boundaries of `ebbline@1` with so many tokens to keep: each is a bar in its word, or not there.
    fn check(keep: u64, marked: &[&str]) {
        for marked in marked {
            let found = find(&marked.replace('|', ""), "ebbline@1", keep, false).unwrap();
            assert_eq!(found.whole, marked.find('|'), "{marked}, keep {keep}");
        }
    }

    #[test]
    fn a_message_larger_than_all_the_room_is_summarized() {
        let aim = Aim { forced: false, keep: 500, room: Some(10_000), price: 500, summary: 2_000 };
        let costs = [100, 100, 90_000, 100, 100, 100, 100, 100];
        assert_eq!(found("uaucraua", &costs, "ebbline@1", aim).unwrap().whole, Some(3));
    }

    #[test]
    fn a_window_that_needs_every_message_leaves_nothing_to_summarize() {
        let of_pi = |keep| {
            ["pi@0.58", "pi@0.84", "pi@1.5"].map(|name| find("uaua", name, keep, false).unwrap().proposed)
        };
        assert_eq!((of_pi(400), of_pi(300)), ([None; 3], [Some(1); 3]));
    }

    #[test]
    fn a_call_stays_with_its_result() {
        check(100, &["ucr|a", "cr"]);
        check(200, &["u|cra"]);
        check(300, &["u|ccrra", "ucr|cra", "u|aCra"]);
    }

    #[test]
    fn a_call_stays_with_a_result_that_is_never_summarized() {
        check(100, &["ua|cpa"]);
        check(400, &["u|acpa"]);
    }

    #[test]
    fn an_unfinished_run_stays_with_its_thinking() {
        check(200, &["uau|trcrcr", "uautrcr|tr", "uautru|cr", "uaucr|cr", "uautCrr|tCrr"]);
        check(300, &["uautr|cra"]);
        check(400, &["uau|trcrtr"]);
    }

    #[test]
    fn a_run_that_began_the_session_is_kept_from_a_thinking_on_or_not_at_all() {
        check(200, &["strcrcr|"]);
        check(400, &["strcr|tr"]);
    }

    #[test]
    fn system_messages_alone_are_nothing_to_summarize() {
        check(100, &["su", "su|a"]);
    }

    #[test]
    fn tunacode_would_cut_between_parallel_calls() {
        let found = find("uccrra", "tunacode@0.2", 200, false);
        assert_eq!(found, Some(Boundaries { proposed: Some(2), whole: Some(1) }));
        let older = find("uaua", "tunacode@0.2", 150, false).unwrap();
        assert_eq!(older.whole, Some(2), "it moves to older messages");
        assert_eq!(find("ua", "tunacode@0.2", 500, false), None);
    }

    #[test]
    fn a_forced_compaction_may_keep_nothing() {
        let forced = |word, name, keep| find(word, name, keep, true).unwrap().whole;
        assert_eq!(forced("uaua", "tunacode@0.2", 20_000), Some(4));
        assert_eq!(forced("uacr", "tunacode@0.2", 20_000), Some(2));
        assert_eq!(forced("uaua", "ebbline@1", 200), Some(2));
    }

    #[test]
    fn a_result_without_an_id_stays_with_the_call_before_it() {
        let mut transcript = transcript("uau");
        for (role, kind) in [(Role::Assistant, PartKind::ToolCall), (Role::Tool, PartKind::ToolResult)] {
            transcript.begin(Message::new(role));
            transcript.push(Part::new(kind, Length::ascii(400)));
        }
        let separates = parted(&transcript, &[0, 1, 2, 3, 4]);
        let places: Vec<usize> = (0..6).filter(|position| separates[*position]).collect();
        assert_eq!(places, [4]);
    }
}
