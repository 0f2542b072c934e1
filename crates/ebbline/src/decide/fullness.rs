//! How full a context is before anything is done about it.

use super::after_pruning::AfterPruning;
use super::{Books, Usages};
use crate::plan::PlanOptions;
use crate::policy::Policy;
use crate::transcript::Transcript;

/// How full a context is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fullness {
    /// The tokens of the context, as the policy measures them.
    pub(crate) size: u64,
    /// The estimate of its messages.
    pub(crate) estimate: u64,
    /// Whether it counts as full.
    pub(crate) is_full: bool,
}

impl Fullness {
    /// Measures a context. `policy` is one without shares.
    pub(crate) fn of(transcript: &Transcript, policy: &Policy, options: PlanOptions) -> Self {
        let mut books = Books::new(policy);
        books.know_change(options);
        books.enter(transcript, policy, transcript.messages().len());
        let mut usages: Usages = std::mem::take(&mut books.usages);
        usages.believe(policy);
        let mut context = AfterPruning::unpruned(&books, transcript, policy);
        context.know_overhead(&mut usages, options);
        let measured = context.measure(&mut usages, options.known_tokens);
        Self {
            size: context.size(&mut usages, options.known_tokens),
            estimate: context.tokens_until(context.len()),
            is_full: context.is_full(measured),
        }
    }
}
