//! The ledger: a session that grows, decided on before every request at the cost of what is new.
//!
//! An agent asks before every request whether anything is to be done. The ledger keeps sums over all messages, so that
//! the answer costs the entry of the new messages and a few searches from the session's end.

use super::Books;
use crate::error::Error;
use crate::plan::{Decision, PlanOptions};
use crate::policy::Policy;
use crate::records;
use crate::transcript::{Message, Part, Transcript};

/// A transcript that grows under one policy, and what is decided on it.
///
/// # Example
///
/// ```
/// use ebbline::{Ledger, Length, Message, Part, PartKind, PlanOptions, Role, Verdict};
/// let mut ledger = Ledger::new(&ebbline::profiles::get("opencode@2026-01")?);
/// let mut verdicts = Vec::new();
/// for _ in 0..4 {
///     ledger.begin(Message::person());
///     ledger.push(Part::new(PartKind::Text, Length::ascii(80)));
///     ledger.begin(Message::new(Role::Tool));
///     ledger.push(Part::new(PartKind::ToolResult, Length::ascii(120_000)));
///     verdicts.push(ledger.decide(PlanOptions::default()).verdict);
/// }
/// assert_eq!(verdicts, [Verdict::Noop, Verdict::Noop, Verdict::Noop, Verdict::Prune]);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ledger {
    policy: Policy,
    transcript: Transcript,
    /// The tools that records number, by their index in the transcript.
    tools: Vec<u32>,
    books: Books,
}

impl Ledger {
    /// A ledger without messages.
    #[must_use]
    pub fn new(policy: &Policy) -> Self {
        Self::of(Transcript::default(), policy)
    }

    /// A ledger of the messages of `transcript`.
    #[must_use]
    pub fn of(transcript: Transcript, policy: &Policy) -> Self {
        let policy = policy.resolved().into_owned();
        Self { books: Books::new(&policy), policy, transcript, tools: Vec::new() }
    }

    /// The messages.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The index that stands for the call `id`.
    pub fn call(&mut self, id: &str) -> u32 {
        self.transcript.call(id)
    }

    /// The index that stands for the tool `name`.
    pub fn tool(&mut self, name: &str) -> u32 {
        self.transcript.tool(name)
    }

    /// Begins a message; parts pushed from now on belong to it. The message before it is complete then.
    pub fn begin(&mut self, message: Message) {
        self.enter_all();
        self.transcript.make_room(1);
        self.transcript.begin(message);
    }

    /// Adds a part to the newest message.
    ///
    /// A decision completes the newest message as well: a part that comes after it costs as much as entering all
    /// messages again.
    pub fn push(&mut self, part: Part) {
        if self.books.has_entered(self.transcript.messages().len()) {
            self.books.clear();
        }
        self.transcript.make_room(1);
        self.transcript.push(part);
    }

    /// Registers the next tool that records will number: the first is number 1.
    pub fn register_tool(&mut self, name: &str) {
        let index = self.transcript.tool(name);
        self.tools.push(index);
    }

    /// Adds the whole messages that records hold (layout: [`crate::records`]).
    ///
    /// # Errors
    ///
    /// `mismatch` names the word that is no record; nothing is added then.
    pub fn extend(&mut self, words: &[u32]) -> Result<(), Error> {
        let before = self.transcript.messages().len();
        self.enter_all();
        self.transcript.make_room(words.len() / records::PART_WORDS + 1);
        records::append(words, &self.tools, &mut self.transcript)
            .inspect_err(|_| self.transcript.truncate(before))?;
        self.enter_all();
        Ok(())
    }

    /// Forgets all but the first `messages` messages. The sums over those are made again, at the cost of entering them.
    pub fn truncate(&mut self, messages: usize) {
        if messages >= self.transcript.messages().len() {
            return;
        }
        self.transcript.truncate(messages);
        self.books.clear();
    }

    /// What is to be done now.
    pub fn decide(&mut self, options: PlanOptions) -> Decision {
        self.enter_all();
        self.books.decide(&self.transcript, &self.policy, options)
    }

    /// The outputs that the plan prunes, as indices of message and part, oldest first.
    pub fn pruned(&mut self) -> Vec<(usize, usize)> {
        let (transcript, policy, books) = self.entered();
        super::AfterPruning::new(books, transcript, policy).pruned()
    }

    /// Transcript, policy and books, once all messages have been entered.
    pub(crate) fn entered(&mut self) -> (&Transcript, &Policy, &mut Books) {
        self.enter_all();
        (&self.transcript, &self.policy, &mut self.books)
    }

    fn enter_all(&mut self) {
        self.books.enter(&self.transcript, &self.policy, self.transcript.messages().len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::length::Length;
    use crate::profiles;
    use crate::transcript::PartKind;

    #[test]
    fn a_part_that_comes_after_a_decision_counts() {
        let mut ledger = Ledger::new(&profiles::get("ebbline@1").unwrap());
        ledger.begin(Message::person());
        for texts in 1..4 {
            ledger.push(Part::new(PartKind::Text, Length::ascii(400)));
            let plan = ledger.plan(PlanOptions::default());
            assert_eq!(plan.messages[0].parts.len(), texts);
            assert_eq!(plan.decision.tokens_before, plan.messages[0].tokens_before);
        }
    }
}
