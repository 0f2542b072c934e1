//! What the search for the retention window asks of the context.

use super::AfterPruning;
use crate::run::begins_with_signed_thinking;
use crate::transcript::{Message, Part, Role};

impl AfterPruning<'_> {
    /// How many active messages there are.
    pub(in crate::decide) fn len(&self) -> usize {
        self.books.active.len()
    }

    /// The message at `position`; `None` beyond the newest.
    pub(in crate::decide) fn message(&self, position: usize) -> Option<&Message> {
        let index = self.books.active.get(position)?;
        self.transcript.messages().get(*index as usize)
    }

    /// The parts of the message at `position`.
    pub(in crate::decide) fn parts(&self, position: usize) -> &[Part] {
        let index = self.books.active.get(position);
        index.map_or(&[], |index| self.transcript.parts_of(*index as usize))
    }

    /// The transcript index of the message at `position`. Behind the newest message: the number of all messages.
    pub(in crate::decide) fn index(&self, position: usize) -> usize {
        let index = self.books.active.get(position).map(|index| *index as usize);
        index.unwrap_or(self.transcript.messages().len())
    }

    /// The tokens of the messages before `position`.
    pub(in crate::decide) fn tokens_until(&self, position: usize) -> u64 {
        let tokens = self.cleared.until(&self.books.costs, position);
        if self.cuts.is_empty() {
            tokens
        } else {
            tokens.saturating_add_signed(-self.cuts.saved_until(position).0)
        }
    }

    /// The number and the tokens of the messages before `position` that a summary would replace. System messages
    /// and pinned messages are not replaced.
    pub(in crate::decide) fn replaced_until(&self, position: usize) -> (usize, u64) {
        let (messages, tokens) = self.cleared.replaced_until(&self.books.costs, position);
        let (_, saved) = self.cuts.saved_until(position);
        (messages, tokens.saturating_add_signed(-saved))
    }

    /// Whether a summary stands before `position`.
    pub(in crate::decide) fn has_summary_before(&self, position: usize) -> bool {
        self.books.boundaries.has_summary_before(position)
    }

    /// The tokens of the user's own words before `position`.
    pub(in crate::decide) fn said_until(&self, position: usize) -> u64 {
        self.books.costs.said_until(position)
    }

    /// The tokens of the summaries before `position`.
    pub(in crate::decide) fn summaries_until(&self, position: usize) -> u64 {
        let summaries = self.books.boundaries.summaries_before(position);
        summaries.map(|at| self.tokens_until(at + 1).saturating_sub(self.tokens_until(at))).sum()
    }

    /// The expected size of a summary of the messages before `position`, which does not exist yet: the largest one, but at
    /// most the earlier summaries that it replaces, the user's words, and half of everything else that it adds.
    pub(in crate::decide) fn expected_summary(&self, position: usize) -> u64 {
        let ((_, summarized), carried) = (self.replaced_until(position), self.summaries_until(position));
        let words = self.policy().retain.words_of(self.said_until(position));
        let others = summarized.saturating_sub(carried).saturating_sub(words) / 2;
        let expected = carried.saturating_add(words).saturating_add(others);
        self.largest_summary(position).min(expected)
    }

    /// The largest summary that a plan expects of the messages before `position`.
    pub(in crate::decide) fn largest_summary(&self, position: usize) -> u64 {
        self.policy().retain.largest_summary(self.said_until(position), self.summaries_until(position))
    }

    /// Whether no message was added since the newest summary was written.
    pub(in crate::decide) fn has_nothing_new(&self) -> bool {
        // A session whose last message is a summary has nothing new, whatever messages other summaries have kept.
        let last = self.len().checked_sub(1).and_then(|last| self.message(last));
        if last.is_some_and(|last| last.summary) {
            return true;
        }
        let Some(summary) = self.books.boundaries.newest_summary() else { return false };
        let kept = self.message(summary).and_then(|message| message.kept);
        let newest = self.len().checked_sub(1).map(|newest| self.index(newest));
        let last = kept.map(|kept| self.index(summary).saturating_add(kept as usize));
        last.is_some_and(|last| newest.is_some_and(|newest| newest <= last))
    }

    /// The oldest message with a call that is still running.
    pub(in crate::decide) fn pending(&self) -> Option<usize> {
        self.books.boundaries.pending()
    }

    /// Whether a boundary at `position` would separate what belongs together: a call and its result, the entries
    /// of one answer, or an unfinished run and the thinking that it must begin with.
    pub(in crate::decide) fn is_parted(&self, position: usize) -> bool {
        let continues = || self.message(position).is_some_and(|message| message.continues);
        self.books.boundaries.is_parted(position) || continues() || self.is_barred(position)
    }

    /// The beginning of an unfinished run inside which no boundary may stand.
    pub(in crate::decide) fn run(&self) -> Option<usize> {
        self.books.boundaries.run()
    }

    /// The first message that is worth summarizing. System messages are never summarized, and a summary alone is
    /// not summarized again.
    pub(in crate::decide) fn substance(&self) -> usize {
        self.books.boundaries.substance()
    }

    /// The newest message before `position` that begins a turn.
    pub(in crate::decide) fn turn_before(&self, position: usize) -> Option<usize> {
        self.books.boundaries.turn_before(position)
    }

    /// Where the newest turn begins when `skipped` newer turns are not counted.
    pub(in crate::decide) fn newest_turn_but(&self, skipped: usize) -> Option<usize> {
        self.books.boundaries.newest_turn_but(skipped)
    }

    /// Whether the kept part of an unfinished run would begin at `position` with an answer that does not start
    /// with its thinking.
    fn is_barred(&self, position: usize) -> bool {
        if self.run().is_none_or(|run| position <= run) {
            return false;
        }
        let begins = |position: &usize| {
            self.message(*position)
                .is_some_and(|message| message.role == Role::Assistant && !message.continues)
        };
        let answer = (position..self.len()).find(begins);
        answer.is_some_and(|answer| !begins_with_signed_thinking(self.parts(answer)))
    }
}
