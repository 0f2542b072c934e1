//! What is to be known about one compaction.

use ebbline::json::Writer;

/// Why something is compacted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The context is full.
    #[default]
    Full,
    /// The caller's own trigger holds.
    Triggered,
    /// The provider refused the context as too large.
    Overflow,
    /// Somebody asked for it.
    Asked,
}

impl Cause {
    const ALL: [Self; 4] = [Self::Full, Self::Triggered, Self::Overflow, Self::Asked];

    /// Its word, as in events and records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Triggered => "triggered",
            Self::Overflow => "overflow",
            Self::Asked => "asked",
        }
    }

    /// The cause with this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.as_str() == word)
    }
}

/// A compaction that was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// When it was made, in milliseconds since 1970; 0 if the caller did not say.
    pub at: u64,
    /// Why it was made.
    pub cause: Cause,
    /// The profile of the policy that decided.
    pub profile: String,
    /// How many outputs were cleared or cut.
    pub pruned: u64,
    /// How many messages a summary replaced.
    pub summarized: u64,
    /// What stands behind the summary, if there is one.
    pub appendix: Option<SummaryAppendix>,
    /// The tokens of the messages before, by the estimate.
    pub tokens_before: u64,
    /// The tokens of the messages after.
    pub tokens_after: u64,
}

/// What stands behind a summary, and who wrote it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SummaryAppendix {
    /// How many standing orders of the user.
    pub orders: u64,
    /// How many pinned parts.
    pub pins: u64,
    /// Whether the summary was written without a model.
    pub is_by_rule: bool,
}

impl Compaction {
    /// Its figures as members of an object.
    pub(crate) fn write(&self, out: &mut Writer) {
        out.raw(",\"pruned\":").number(self.pruned).raw(",\"summarized\":").number(self.summarized);
        if let Some(appendix) = self.appendix {
            out.raw(",\"orders\":").number(appendix.orders).raw(",\"pins\":").number(appendix.pins);
            out.raw(",\"byRule\":").flag(appendix.is_by_rule);
        }
        out.raw(",\"tokensBefore\":").number(self.tokens_before);
        out.raw(",\"tokensAfter\":").number(self.tokens_after);
    }
}
