//! The texts for people that explain a plan's words: a phrase for tables and a sentence for explanations. The command
//! line and the playground use them; `cargo xtask gen` writes the phrases for JavaScript.
//!
//! Names in braces stand for figures, which the program that shows the sentence fills in.

use crate::plan::{Fate, Reason, VerdictReason};

/// The texts for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Said {
    /// A few words, for a row of a table.
    pub phrase: &'static str,
    /// One sentence, with figures in braces.
    pub sentence: &'static str,
}

/// The texts for the reason of a fate.
///
/// # Example
///
/// ```
/// let said = ebbline::sentences::of_reason(ebbline::Reason::SystemMessage);
/// assert_eq!(said.phrase, "system messages are always kept");
/// ```
#[must_use]
#[expect(clippy::too_many_lines, reason = "two sentences for each reason")]
pub fn of_reason(reason: Reason) -> Said {
    let (phrase, sentence) = match reason {
        Reason::NotToolOutput => {
            ("no tool output", "Pruning clears only tool outputs, and summarizing {is_idle}.")
        }
        Reason::ProtectedByBudget => (
            "among the newest outputs",
            "{newer} tool tokens are newer than this output; with its own {tokens} that is within the protected {protect}, so it stays.",
        ),
        Reason::NewestOutputs => (
            "one of the newest outputs",
            "It is one of the newest {outputs}, which stay whatever their size.",
        ),
        Reason::NewestTurns => {
            ("in one of the newest turns", "It belongs to {turns}, whose outputs stay and are not counted.")
        }
        Reason::ProtectedTool => {
            ("output of a protected tool", "Outputs of {tool} are never pruned under this policy.")
        }
        Reason::ErrorOutput => (
            "output of a failed call",
            "Its call failed, and the outputs of failed calls stay under this policy.",
        ),
        Reason::SealedOutput => (
            "must go back to the provider as it came",
            "The provider made this output and verifies it, so it must go back as it came.",
        ),
        Reason::ShortOutput => (
            "no longer than the placeholder",
            "It lies beyond the boundary, but with {size} it is no longer than the placeholder ({placeholder}): clearing it would gain nothing.",
        ),
        Reason::BeforeSummary => (
            "before a summary",
            "A summary follows it, and this policy looks no further back than a summary.",
        ),
        Reason::BeforePruned => (
            "before an already pruned output",
            "An output that was pruned before follows it, and this policy looks no further back than that.",
        ),
        Reason::TooFewTurns => (
            "the session has too few turns",
            "It lies beyond the newest {protect} tool tokens, but the session has {session_turns} and the policy asks for {minimum_turns}, so it stays.",
        ),
        Reason::ContextSmall => (
            "beyond the boundary, but the context is small enough",
            "It lies beyond the newest {protect} tool tokens, but the context holds {context}, and this policy prunes from {minimum_context} on, so it stays.",
        ),
        Reason::NotFull => (
            "beyond the boundary, but the context is not full",
            "It lies beyond the newest {protect} tool tokens, but this policy prunes only when the context is full, so it stays.",
        ),
        Reason::Deferred => (
            "beyond the boundary, but the cache is worth more",
            "It lies beyond the newest {protect} tool tokens, but the context is not full and pruning would break more of the provider's cache than it frees, so it stays.",
        ),
        Reason::OverheadFillsWindow => (
            "beyond the boundary, but no request fits",
            "It lies beyond the newest {protect} tool tokens, but what is sent beside the messages alone fills the context window, so it stays.",
        ),
        Reason::BelowMinimum => (
            "beyond the boundary, but too little would be reclaimed",
            "It lies beyond the newest {protect} tool tokens, but all outputs there hold only {candidates}, and {minimum} are asked for, so it stays.",
        ),
        Reason::NothingGained => (
            "the placeholders would take as much room",
            "It lies beyond the newest {protect} tool tokens, but the placeholders of all outputs there would take as much room as they do, so it stays.",
        ),
        Reason::PruneDisabled => {
            ("pruning is off", "Pruning is switched off under this policy, so tool outputs stay.")
        }
        Reason::CrossedBoundary => (
            "crosses the protection boundary",
            "{newer} tool tokens are newer than this output; its own {tokens} cross the limit of {protect}, so it is cleared whole and the placeholder takes its place ({placeholder}).",
        ),
        Reason::BeyondBoundary => (
            "beyond the protection boundary",
            "{newer} tool tokens are newer than this output; the limit is {protect}, so it is cleared and the placeholder takes its place ({placeholder}).",
        ),
        Reason::RoomNeeded => (
            "protected, but a summary would be the alternative",
            "It is among the protected outputs, but the context is to shrink to {down_to} tokens before anything is summarized, so it is cleared and the placeholder takes its place ({placeholder}).",
        ),
        Reason::TooLarge => (
            "larger than the room for it",
            "The model has not answered it yet, and there is no room for all of it: its head and tail stay, with a note of what is missing.",
        ),
        Reason::Repeated => ("a newer output repeats it", "A newer output repeats it."),
        Reason::Superseded => {
            ("a newer call reads or writes the file", "A newer call reads or writes the file.")
        }
        Reason::OldThinking => ("thinking of an older answer", "Thinking of an older answer."),
        Reason::LongArguments => ("arguments with long texts", "Arguments with long texts."),
        Reason::OldImage => ("an older image", "An older image."),
        Reason::AlreadyPruned => {
            ("pruned before", "A placeholder stood in its place when the session was read.")
        }
        Reason::BeforeWindow => {
            ("before the retention window", "It goes into the summary: {window}.{pruned}")
        }
        Reason::InWindow => (
            "in the retention window",
            "It is among the newest messages, which hold {kept} tokens together and stay word for word.",
        ),
        Reason::SystemMessage => ("system messages are always kept", "System messages are always kept."),
        Reason::Inactive => (
            "not sent now",
            "The agent does not send it now: it lies before a recorded compaction or on another branch.",
        ),
        Reason::AlwaysSent => (
            "always sent by the agent",
            "The agent sends it with every request, whatever a summary stands for, so it stays.",
        ),
    };
    Said { phrase, sentence }
}

/// Whether a reason concerns pruning. A policy that does not prune has no boundary and protects nothing, so its
/// sentence is that of `prune_disabled`.
///
/// # Example
///
/// ```
/// use ebbline::Reason;
/// use ebbline::sentences::is_of_pruning;
/// assert!(is_of_pruning(Reason::NewestTurns) && !is_of_pruning(Reason::InWindow));
/// ```
#[must_use]
pub fn is_of_pruning(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::ProtectedByBudget
            | Reason::NewestOutputs
            | Reason::NewestTurns
            | Reason::ProtectedTool
            | Reason::ErrorOutput
            | Reason::ShortOutput
            | Reason::BeforeSummary
            | Reason::BeforePruned
            | Reason::TooFewTurns
            | Reason::ContextSmall
            | Reason::NotFull
            | Reason::Deferred
            | Reason::OverheadFillsWindow
            | Reason::BelowMinimum
            | Reason::NothingGained
    )
}

/// A fate's mark and word.
///
/// # Example
///
/// ```
/// assert_eq!(ebbline::sentences::of_fate(ebbline::Fate::Kept), ("●", "kept"));
/// ```
#[must_use]
pub fn of_fate(fate: Fate) -> (&'static str, &'static str) {
    match fate {
        Fate::Kept => ("●", "kept"),
        Fate::Pruned => ("○", "pruned"),
        Fate::Summarized => ("◌", "summarized"),
        Fate::AlreadyPruned => ("◦", "pruned before"),
        Fate::Inactive => ("·", "inactive"),
    }
}

/// Why nothing is done, as the end of `Nothing to do: …`. Figures: `candidates`, `measured`, `threshold`.
///
/// # Example
///
/// ```
/// use ebbline::plan::VerdictReason;
/// assert_eq!(ebbline::sentences::of_verdict_reason(VerdictReason::Empty), "there are no messages");
/// ```
#[must_use]
pub fn of_verdict_reason(reason: VerdictReason) -> &'static str {
    match reason {
        VerdictReason::Empty => "there are no messages",
        VerdictReason::Disabled => "the policy has it switched off",
        VerdictReason::TooFewTurns => "the session has too few turns",
        VerdictReason::ContextSmall => "the context is smaller than the policy asks for before it prunes",
        VerdictReason::NotFull => "the context is not full",
        VerdictReason::Deferred => "pruning would break more of the provider's cache than it frees",
        VerdictReason::OverheadFillsWindow => {
            "what is sent beside the messages (system prompt, tools) alone fills the context window"
        }
        VerdictReason::NothingToPrune => "no tool output lies beyond the protection boundary",
        VerdictReason::OutputsBeyondProtection => "enough tool output lies beyond the protection boundary",
        VerdictReason::RoomNeeded => "protected outputs give way as well",
        VerdictReason::TooLarge => "outputs that are larger than the room for them are cut to head and tail",
        VerdictReason::Needless => "what newer content makes needless gives way",
        VerdictReason::BelowMinimum => "only {candidates} lie beyond the protection boundary",
        VerdictReason::BelowThreshold => "{measured} are below the threshold of {threshold}",
        VerdictReason::OverThreshold => "{measured} exceed {threshold}",
        VerdictReason::Forced => "asked for",
        VerdictReason::HistoryBelowKeep => "the whole history is smaller than the retention window",
        VerdictReason::NoValidBoundary => "there is no place where the history could be cut",
        VerdictReason::NothingGained => "what could be done would make it no smaller",
        VerdictReason::NothingNew => "nothing was added since the last summary",
    }
}

/// Replaces `{name}` in a sentence by the figure for `name`. A name without a figure is left as it is.
///
/// # Example
///
/// ```
/// assert_eq!(ebbline::sentences::filled("{a} of {b}", &[("a", "3"), ("b", "10")]), "3 of 10");
/// ```
#[must_use]
pub fn filled(sentence: &str, figures: &[(&str, &str)]) -> String {
    let mut said = String::new();
    let mut rest = sentence;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((name, after)) = behind.split_once('}') else { break };
        said.push_str(before);
        match figures.iter().find(|(known, _)| *known == name) {
            Some((_, figure)) => said.push_str(figure),
            None => said.extend(["{", name, "}"]),
        }
        rest = after;
    }
    said + rest
}
