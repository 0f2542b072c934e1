//! The protection boundary's knobs.

use serde::{Deserialize, Serialize};

use super::Comparison;
use crate::marks::PLACEHOLDER;
use crate::marks::{self, Reference};
use crate::transcript::{Message, Output};

/// When and how old tool outputs are cleared.
#[expect(clippy::struct_excessive_bools, reason = "each is a knob of its own, and a policy is plain data")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrunePolicy {
    /// Whether outputs are pruned at all.
    pub enabled: bool,
    /// The newest tokens of tool output that are protected. The output that crosses the limit is pruned whole.
    pub protect: u64,
    /// Pruning happens only if the candidates hold this many tokens.
    pub minimum: u64,
    /// Whether exactly `minimum` suffices.
    pub minimum_is: Comparison,
    /// A session with fewer turns is left alone.
    pub minimum_turns: u64,
    /// The newest turns whose outputs are never pruned nor counted.
    pub protected_turns: u64,
    /// Whether messages that the agent wrote in the user's place count as turns.
    pub count_synthetic_turns: bool,
    /// Tools whose outputs are never pruned nor counted.
    pub protected_tools: Vec<String>,
    /// Whether the outputs of failed calls are counted and may be pruned.
    pub errors: bool,
    /// Whether outputs no longer than the placeholder are pruned all the same.
    pub short_outputs: bool,
    /// Whether everything before a summary is left alone.
    pub stop_at_summary: bool,
    /// Whether everything before an already pruned output is left alone.
    pub stop_at_pruned: bool,
    /// Outputs beyond which this many tokens of newer output lie go unreported in what pruning reclaims; 0 reports
    /// them all. TunaCode of February 2026 stops estimating there, and still clears them.
    #[serde(default)]
    pub estimate_until: u64,
    /// What takes the place of a pruned output.
    pub placeholder: String,
    /// Whether a reference to the call stands behind the placeholder where a format has no field for what is pruned:
    /// ` [ref kpbmgken]`. By it ebbline knows a pruned output again; no tool can write it, because no tool is told
    /// the id of its call. Without it, an output that only reads as the placeholder does cannot be told from one that
    /// was pruned. `ebbline@1`.
    #[serde(default)]
    pub reference: bool,
}

impl PrunePolicy {
    /// What is sent in the place of a pruned output of `message`, the answer to the call of this id.
    ///
    /// # Example
    ///
    /// ```
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let message = ebbline::Message::new(ebbline::Role::Tool);
    /// let cleared = policy.prune.cleared(&message, Some("toolu_1"));
    /// assert_eq!(cleared, "[Old tool result content cleared] [ref kpbmgken]");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn cleared(&self, message: &Message, call: Option<&str>) -> String {
        if message.has_prune_field {
            PLACEHOLDER.to_owned()
        } else if self.reference {
            marks::cleared(&self.placeholder, call.map(Reference::to_call))
        } else {
            self.placeholder.clone()
        }
    }

    /// Whether an output that reads as the placeholder is taken to have been pruned since usage was reported: the policy
    /// prunes, and leaves nothing by which a pruned output could be told from one that only reads so.
    pub(crate) fn trusts_placeholders(&self) -> bool {
        self.enabled && !self.reference
    }

    /// Whether an output counts as pruned before: the format says so, or its text is trusted to.
    pub(crate) fn was_pruned(&self, output: Output) -> bool {
        output == Output::Pruned || output.says_placeholder() && self.trusts_placeholders()
    }

    /// Pruning switched off. The figures are those in which OpenCode and TunaCode agree; the rest is `ebbline@1`'s.
    #[must_use]
    pub fn none() -> Self {
        Self {
            enabled: false,
            protect: 40_000,
            minimum: 20_000,
            minimum_is: Comparison::AtLeast,
            minimum_turns: 0,
            protected_turns: 2,
            count_synthetic_turns: false,
            protected_tools: Vec::new(),
            errors: false,
            short_outputs: false,
            stop_at_summary: false,
            stop_at_pruned: false,
            estimate_until: 0,
            placeholder: PLACEHOLDER.to_owned(),
            reference: false,
        }
    }
}
