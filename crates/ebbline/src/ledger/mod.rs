//! The ledger: a session that grows, decided on before every request.

use crate::error::Error;
use crate::plan::{Decision, Plan, PlanOptions, plan};
use crate::policy::Policy;
use crate::records;
use crate::transcript::Transcript;

/// A transcript that grows under one policy, and what is decided on it.
#[derive(Clone, Debug)]
pub struct Ledger {
    policy: Policy,
    transcript: Transcript,
    tools: Vec<u32>,
}

impl Ledger {
    /// A ledger without messages.
    #[must_use]
    pub fn new(policy: &Policy) -> Self {
        Self { policy: policy.resolved().into_owned(), transcript: Transcript::default(), tools: Vec::new() }
    }

    /// Registers the next tool that records will number: the first is number 1.
    pub fn tool(&mut self, name: &str) {
        let index = self.transcript.tool(name);
        self.tools.push(index);
    }

    /// Adds the messages that records hold (layout: [`crate::records`]).
    ///
    /// # Errors
    ///
    /// `mismatch` names the word that is no record; nothing is added then.
    pub fn push(&mut self, words: &[u32]) -> Result<(), Error> {
        let before = self.transcript.messages().len();
        records::append(words, &self.tools, &mut self.transcript)
            .inspect_err(|_| self.transcript.truncate(before))
    }

    /// Forgets all but the first `messages` messages.
    pub fn truncate(&mut self, messages: usize) {
        self.transcript.truncate(messages);
    }

    /// What is to be done now, without a word on single messages.
    #[must_use]
    pub fn decide(&self, options: PlanOptions) -> Decision {
        plan(&self.transcript, &self.policy, options).decision()
    }

    /// The whole plan.
    #[must_use]
    pub fn plan(&self, options: PlanOptions) -> Plan {
        plan(&self.transcript, &self.policy, options)
    }

    /// The messages.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }
}
