//! The decision: what a plan says as a whole, without the single messages.

use super::form::{Figures, figures};
use super::{PruneReport, RetainReport, TriggerReport, Verdict, VerdictReason};

figures! {
    /// What is to be done: what an agent asks before every request.
    pub struct Decision {
        /// What is to be done.
        verdict "verdict": Verdict,
        /// Why.
        reason "reason": VerdictReason,
        /// Estimated tokens of the active messages before.
        tokens_before "tokensBefore": u64,
        /// Estimated tokens after, the summary's allowance included.
        tokens_after "tokensAfter": u64,
        /// Whether what is left stays below the threshold: `false` when the plan cannot make the context fit.
        fits "fits": bool,
        /// What `tokens_after` allows for a summary that does not exist yet; 0 when none is to be made.
        summary_allowance "summaryAllowance": u64,
        /// When summarizing fires.
        trigger "trigger": TriggerReport,
        /// The protection boundary.
        prune "prune": PruneReport,
        /// The retention window.
        retain "retain": RetainReport,
    }
}

impl Decision {
    /// The number of figures that a decision consists of.
    pub(crate) const FIGURES: usize = <Self as Figures>::COUNT;

    /// The decision as figures, in the order of its members. A word is its number in its set, a flag is 1 or 0,
    /// and a missing place is -1.
    #[must_use]
    pub(crate) fn figures(&self) -> [f64; Self::FIGURES] {
        let mut figures = [0.0; Self::FIGURES];
        self.put(&mut figures.iter_mut());
        figures
    }

    /// Whether anything is to be done.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let plan = session.plan(&ebbline::profiles::get("ebbline@1")?);
    /// assert!(!plan.decision.changes_something());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn changes_something(&self) -> bool {
        self.prune.applied || self.retain.applied
    }
}
