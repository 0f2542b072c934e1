//! What an agent's configuration cannot express of a policy, as words.

use ebbline::Policy;

use crate::knob::Knob;
use ebbline::numbers::grouped;

/// What is left out, and where the agent decides by rules of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LeftOut {
    pub(super) agent: &'static str,
    /// Whether the policy prunes and the agent cannot.
    pub(super) cannot_prune: bool,
    /// Whole parts of the policy that the agent has no setting for.
    pub(super) parts: Vec<String>,
    /// Numbers that the agent has, with another value that cannot be set.
    pub(super) numbers: Vec<String>,
    /// Whether the policy is of another system.
    pub(super) is_foreign: bool,
}

/// Compares `policy` with `back`, which is what `agent` makes of the exported configuration.
pub(super) fn left_out(policy: &Policy, back: &Policy, agent: &'static str) -> LeftOut {
    let mut parts = Vec::new();
    let mut numbers = Vec::new();
    let mut differs = |knob: Knob| {
        let (own, of_agent) = (knob.value(policy), knob.value(back));
        if own != of_agent {
            numbers.push(format!("{}: {} here, {} there", knob.label(), grouped(own), grouped(of_agent)));
        }
    };
    match (policy.prune.enabled, back.prune.enabled) {
        (false, true) => parts.push("that nothing is pruned".to_owned()),
        (true, true) => {
            for knob in [Knob::Protect, Knob::Minimum, Knob::Turns] {
                differs(knob);
            }
            if policy.prune.protected_tools != back.prune.protected_tools {
                parts.push("the tools that are never pruned".to_owned());
            }
        }
        _ => {}
    }
    match (is_automatic(policy), is_automatic(back)) {
        (true, false) => parts.push("summarizing, with everything that it keeps".to_owned()),
        (false, true) => parts.push("that nothing is summarized".to_owned()),
        (true, true) => {
            for knob in [Knob::Keep, Knob::Reserve] {
                differs(knob);
            }
        }
        (false, false) => {}
    }
    let is_foreign = system(policy) != system(back);
    let cannot_prune = policy.prune.enabled && !back.prune.enabled;
    LeftOut { agent, cannot_prune, parts, numbers, is_foreign }
}

impl LeftOut {
    pub(super) fn nothing(agent: &'static str) -> Self {
        Self { agent, cannot_prune: false, parts: Vec::new(), numbers: Vec::new(), is_foreign: false }
    }

    /// The agent's name.
    pub(super) fn agent(&self) -> &'static str {
        self.agent
    }

    /// Whether the policy is of another system.
    pub(super) fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// Whether everything is carried over but the window.
    pub(super) fn is_all_carried(&self) -> bool {
        !self.cannot_prune && self.parts.is_empty() && self.numbers.is_empty()
    }

    /// What has to be known before anything else; empty if nothing.
    pub(super) fn warning(&self) -> String {
        let agent = self.agent;
        if !self.cannot_prune {
            return String::new();
        }
        format!(
            "{agent} cannot prune. Of this policy it takes only when and how much is summarized; the pruning on screen is left out."
        )
    }

    /// One line for each thing, for the comments of a file.
    pub(super) fn lines(&self) -> Vec<String> {
        let agent = self.agent;
        let mut lines = Vec::new();
        if self.cannot_prune {
            lines.push(self.warning());
        }
        if !self.parts.is_empty() || !self.numbers.is_empty() {
            lines.push(format!("{agent} has no setting for this, so it is left out:"));
            lines.extend(self.parts.iter().chain(&self.numbers).cloned());
        }
        lines.push(self.window());
        lines.extend(self.rules());
        lines
    }

    /// The same as sentences.
    pub(super) fn sentences(&self) -> String {
        let agent = self.agent;
        let missing: Vec<_> = self.parts.iter().chain(&self.numbers).cloned().collect();
        let missing = if missing.is_empty() {
            String::new()
        } else {
            format!("{agent} has no setting for this, so it is left out: {}. ", missing.join("; "))
        };
        let rules = self.rules().map_or_else(String::new, |rules| format!(" {rules}"));
        format!("{missing}{}{rules}", self.window())
    }

    pub(super) fn window(&self) -> String {
        format!("The context window belongs to the model; {} knows it.", self.agent)
    }

    pub(super) fn rules(&self) -> Option<String> {
        let agent = self.agent;
        self.is_foreign.then(|| {
            format!(
                "The numbers are yours; how {agent} counts tokens and where it cuts are rules of its own."
            )
        })
    }
}

/// Whether anything is compacted by itself.
pub(super) fn is_automatic(policy: &Policy) -> bool {
    policy.retain.enabled && policy.trigger.enabled
}

/// The system of a policy's profile: `pi` of `pi@1.5`.
pub(super) fn system(policy: &Policy) -> &str {
    policy.profile.split_once('@').map_or("", |(system, _)| system)
}
