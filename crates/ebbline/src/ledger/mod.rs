//! The ledger: a session that grows, decided on before every request at the cost of what is new.
//!
//! [`crate::plan()`] looks at every message to say what becomes of it. An agent asks a smaller question, a hundred times
//! more often: is anything to be done? The ledger keeps sums over all messages, so that the answer takes a few
//! searches, each of which begins at the session's end. It is the same answer: a test holds the two to each other
//! under every profile.

mod cleared;
mod now;
mod outputs;
mod places;
mod reports;

use std::ops::Range;

use self::cleared::{Change, Costs};
use self::now::Now;
use self::outputs::{Outputs, Sort};
use self::places::Places;
use self::reports::{Report, Reports};
use crate::error::Error;
use crate::estimate::{Scope, Weight};
use crate::plan::{Decision, Findings, Plan, PlanOptions, decide, plan};
use crate::policy::Policy;
use crate::prune::{Placeholder, belongs_to_result, followed_results, is_turn};
use crate::records;
use crate::transcript::{Message, Output, Part, PartKind, Transcript};

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
    placeholder: Placeholder,
    transcript: Transcript,
    /// The tools that records number, by their index in the transcript.
    tools: Vec<u32>,
    /// By a tool's index in the transcript: whether its outputs are never pruned.
    is_protected: Vec<bool>,
    /// How many messages the books below hold.
    entered: usize,
    active: Vec<u32>,
    costs: Costs,
    outputs: Outputs,
    places: Places,
    reports: Reports,
    /// Tokens by part, kept so that an entry allocates nothing.
    tokens: Vec<u64>,
}

impl Ledger {
    /// A ledger without messages.
    #[must_use]
    pub fn new(policy: &Policy) -> Self {
        let policy = policy.resolved().into_owned();
        Self {
            placeholder: Placeholder::of(&policy.prune),
            policy,
            transcript: Transcript::default(),
            tools: Vec::new(),
            is_protected: Vec::new(),
            entered: 0,
            active: Vec::new(),
            costs: Costs::default(),
            outputs: Outputs::default(),
            places: Places::default(),
            reports: Reports::default(),
            tokens: Vec::new(),
        }
    }

    /// A ledger of the messages of `transcript`.
    #[must_use]
    pub fn of(transcript: Transcript, policy: &Policy) -> Self {
        Self { transcript, ..Self::new(policy) }
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

    /// Begins a message; parts pushed from now on belong to it. The one before is complete.
    pub fn begin(&mut self, message: Message) {
        self.enter(self.transcript.messages().len());
        self.transcript.make_room(1);
        self.transcript.begin(message);
    }

    /// Adds a part to the message begun last.
    pub fn push(&mut self, part: Part) {
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
        self.enter(before);
        self.transcript.make_room(words.len() / records::PART_WORDS + 1);
        records::append(words, &self.tools, &mut self.transcript)
            .inspect_err(|_| self.transcript.truncate(before))?;
        self.enter(self.transcript.messages().len());
        Ok(())
    }

    /// Forgets all but the first `messages` messages. What was kept of them is made anew: this costs as much as
    /// entering them.
    pub fn truncate(&mut self, messages: usize) {
        if messages >= self.transcript.messages().len() {
            return;
        }
        self.transcript.truncate(messages);
        self.entered = 0;
        self.active.clear();
        self.costs.clear();
        self.outputs.clear();
        self.places.clear();
        self.reports.clear();
    }

    /// What is to be done now: [`Plan::decision`] of the plan, without making the plan.
    pub fn decide(&mut self, options: PlanOptions) -> Decision {
        self.enter(self.transcript.messages().len());
        let mut reports = std::mem::take(&mut self.reports);
        let now = Now::new(self);
        let (tokens, source) = now.measure(&mut reports, options.known_tokens);
        let found =
            Findings { tokens_before: now.tokens_before(), tokens, source, prune: now.prune_report() };
        let decision = decide(&now, &self.policy, found, options.force);
        self.reports = reports;
        decision
    }

    /// The outputs that the plan prunes, as indices of message and part, oldest first.
    pub fn pruned(&mut self) -> Vec<(usize, usize)> {
        self.enter(self.transcript.messages().len());
        Now::new(self).pruned()
    }

    /// The whole plan.
    #[must_use]
    pub fn plan(&self, options: PlanOptions) -> Plan {
        plan(&self.transcript, &self.policy, options)
    }

    /// Enters the messages up to `end` into the books.
    fn enter(&mut self, end: usize) {
        while self.entered < end {
            let index = self.entered;
            self.entered += 1;
            if let Some(message) =
                self.transcript.messages().get(index).copied().filter(|message| message.active)
            {
                self.enter_message(index, &message);
            }
        }
    }

    fn enter_message(&mut self, index: usize, message: &Message) {
        let position = self.active.len();
        self.active.push(index as u32);
        let mut tokens = std::mem::take(&mut self.tokens);
        let parts = self.transcript.parts_of(index);
        let estimator = &self.policy.estimator;
        tokens.clear();
        estimator.spread_into(parts.iter().map(|part| estimator.weigh(&self.transcript, part)), &mut tokens);

        self.outputs.begin(is_turn(message, &self.policy.prune));
        self.places.push(message, parts);
        let mut covered = 0_u64;
        let placeholder = estimator.tokens_of_text(self.placeholder.of_message(message));
        for (at, (part, tokens)) in parts.iter().zip(&tokens).enumerate() {
            if part.kind != PartKind::ToolResult {
                covered += if belongs_to_result(part) { 0 } else { *tokens };
                continue;
            }
            if part.output == Output::Pruned
                || part.output.says_placeholder() && self.policy.prune.trusts_placeholders()
            {
                self.reports.was_pruned(position);
            }
            let alone = estimator.alone(estimator.weigh(&self.transcript, part));
            let is_protected = part.tool.is_some_and(|tool| {
                let known = self.is_protected.get(tool as usize).copied();
                known.unwrap_or_else(|| learn(&mut self.is_protected, &self.transcript, &self.policy, tool))
            });
            match part.output {
                _ if is_protected => {}
                Output::Sealed | Output::FixedError => {}
                Output::Error if !self.policy.prune.errors => {}
                Output::FailedPlaceholder
                    if !self.policy.prune.errors && !self.policy.prune.trusts_placeholders() => {}
                Output::Pruned if self.policy.prune.stop_at_pruned => self.outputs.stop(),
                Output::Pruned => self.outputs.push(at, alone, Sort::Pruned),
                output if output.says_placeholder() => {
                    let sort = if self.policy.prune.short_outputs { Sort::Pruned } else { Sort::Short };
                    self.outputs.push(at, alone, sort);
                }
                _ if !self.policy.prune.short_outputs && alone <= placeholder => {
                    self.outputs.push(at, alone, Sort::Short);
                }
                _ => self.outputs.push(at, alone, Sort::Prunable),
            }
        }
        if self.policy.prune.stop_at_summary && message.summary {
            self.outputs.stop();
        }
        if let Some(usage) = message.usage {
            let until = self.costs.until(position) + covered;
            self.reports.push(Report { position, usage: u64::from(usage), covered, until });
        }
        let outputs = self.outputs.of_message(position);
        let change = self.change(position, &outputs);
        self.costs.push(tokens.iter().sum(), change, message.stays());
        self.tokens = tokens;
    }

    /// What pruning those of its outputs that are in `pruned` changes about the message at `position`.
    fn change(&self, position: usize, pruned: &Range<usize>) -> Change {
        let of_message = self.outputs.of_message(position);
        let pruned = of_message.start.max(pruned.start)..of_message.end.min(pruned.end);
        if self.outputs.prunable(&pruned) == 0 {
            return Change::default();
        }
        let index = self.active.get(position).map_or(0, |index| *index as usize);
        let parts = self.transcript.parts_of(index);
        let estimator = &self.policy.estimator;
        let message = self.transcript.messages().get(index);
        let placeholder = message.map(|message| self.placeholder.of_message(message)).unwrap_or_default();
        if estimator.rounded == Scope::Part && !parts.iter().any(belongs_to_result) {
            return self.outputs.change(&pruned, estimator.tokens_of_text(placeholder));
        }
        let fates = self.fates(parts, &pruned);
        let before = estimator.spread(parts.iter().map(|part| estimator.weigh(&self.transcript, part)));
        let after = estimator.spread(parts.iter().zip(&fates).map(|(part, is_pruned)| match is_pruned {
            true if belongs_to_result(part) => Weight::default(),
            true => estimator.weigh_text(placeholder),
            false => estimator.weigh(&self.transcript, part),
        }));
        let mut change = Change::default();
        for ((part, is_pruned), (before, after)) in parts.iter().zip(fates).zip(before.into_iter().zip(after))
        {
            change.saved += before as i64 - after as i64;
            if is_pruned {
                change.reclaimed += before.saturating_sub(after);
            }
            if part.kind != PartKind::ToolResult && !belongs_to_result(part) {
                change.covered_saved += before as i64 - after as i64;
            }
        }
        change
    }

    /// For each part of a message, whether it is pruned.
    fn fates(&self, parts: &[Part], pruned: &Range<usize>) -> Vec<bool> {
        let mut fates = vec![false; parts.len()];
        for output in pruned.clone().filter(|output| self.outputs.prunable(&(*output..output + 1)) > 0) {
            let part = self.outputs.place(output).map(|(_, part)| part);
            if let Some(fate) = part.and_then(|part| fates.get_mut(part)) {
                *fate = true;
            }
        }
        for (image, result) in followed_results(parts) {
            let follows = fates.get(result).copied().unwrap_or(false);
            if let Some(fate) = fates.get_mut(image).filter(|_| follows) {
                *fate = true;
            }
        }
        fates
    }
}

/// Finds out of a tool whether its outputs are never pruned.
fn learn(is_protected: &mut Vec<bool>, transcript: &Transcript, policy: &Policy, tool: u32) -> bool {
    for tool in is_protected.len() as u32..=tool {
        let name = transcript.tool_name(tool).unwrap_or_default();
        is_protected.push(policy.prune.protected_tools.iter().any(|protected| protected == name));
    }
    is_protected.last().copied().unwrap_or(false)
}
