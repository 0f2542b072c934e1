//! What a plan says: fates, reasons, totals and the verdict.

use std::num::NonZeroU64;

use serde::Serialize;

use super::form::{described, figures};
use super::{Decision, Given};
use crate::origin::Origin;
use crate::policy::Policy;
use crate::transcript::{PartKind, Role, Transcript};
use crate::words;

/// The name and version of the plan's JSON form; `docs/plan.schema.json` describes it.
pub const SCHEMA: &str = "ebbline.plan/1";

words! {
    /// What happens to a message or part.
    pub enum Fate [non_exhaustive] {
        /// It stays word for word.
        Kept "kept",
        /// A tool output that the placeholder replaces, or one that is cut to its head and tail; or what a pass removes or
        /// shortens: thinking, arguments, an image.
        Pruned "pruned",
        /// It lies before the retention window and goes into the summary.
        Summarized "summarized",
        /// A placeholder had replaced it before.
        AlreadyPruned "already_pruned",
        /// The agent does not send it now: it lies before a recorded compaction or on another branch.
        Inactive "inactive",
    }

    /// Why a message or part has its fate.
    pub enum Reason [non_exhaustive] {
        /// Only tool outputs are pruned.
        NotToolOutput "not_tool_output",
        /// Among the newest tokens of tool output.
        ProtectedByBudget "protected_by_budget",
        /// One of the newest outputs, of which the policy keeps a number (`prune.keepOutputs`).
        NewestOutputs "newest_outputs",
        /// In one of the newest turns.
        NewestTurns "newest_turns",
        /// The output of a protected tool.
        ProtectedTool "protected_tool",
        /// The output of a call that failed.
        ErrorOutput "error_output",
        /// An output that must go back to the provider as it came.
        SealedOutput "sealed_output",
        /// No longer than the placeholder.
        ShortOutput "short_output",
        /// Before a summary, where the policy stops looking.
        BeforeSummary "before_summary",
        /// Before an already pruned output, where the policy stops looking.
        BeforePruned "before_pruned",
        /// The session has too few turns to be pruned.
        TooFewTurns "too_few_turns",
        /// Beyond the boundary, but the context is smaller than the policy asks for.
        ContextSmall "context_small",
        /// Beyond the boundary, but the policy prunes only when the context is full, and it is not.
        NotFull "not_full",
        /// Beyond the boundary, but too little would be reclaimed.
        BelowMinimum "below_minimum",
        /// Beyond the boundary, but pruning would break more of the provider's cache than it frees (`prune.breaksAtMost`).
        Deferred "deferred",
        /// Beyond the boundary, but what is sent beside the messages alone fills the context window.
        OverheadFillsWindow "overhead_fills_window",
        /// Beyond the boundary, but the placeholders would take as much room as the outputs.
        NothingGained "nothing_gained",
        /// Pruning is switched off.
        PruneDisabled "prune_disabled",
        /// The output that crosses the protection boundary.
        CrossedBoundary "crossed_boundary",
        /// Older than the output that crosses the protection boundary.
        BeyondBoundary "beyond_boundary",
        /// Protected, but pruned as well: the context would be larger than `prune.downTo` with it, and a summary would be
        /// the alternative.
        RoomNeeded "room_needed",
        /// The model has not answered it yet, and there is no room for all of it: its head and tail stay.
        TooLarge "too_large",
        /// A newer output of the same tool repeats it (`prune.repeated`).
        Repeated "repeated",
        /// A newer call reads or writes the same file (`prune.superseded`).
        Superseded "superseded",
        /// Thinking of an older answer (`prune.thinking`).
        OldThinking "old_thinking",
        /// Arguments with texts that are too long (`prune.arguments`).
        LongArguments "long_arguments",
        /// An image that enough newer ones have followed (`prune.images`).
        OldImage "old_image",
        /// A placeholder stood in its place before.
        AlreadyPruned "already_pruned",
        /// Before the retention window.
        BeforeWindow "before_window",
        /// In the retention window.
        InWindow "in_window",
        /// System messages are always kept.
        SystemMessage "system_message",
        /// Not sent now.
        Inactive "inactive",
        /// The agent always sends it, whatever is summarized.
        AlwaysSent "always_sent",
    }

    /// What is to be done.
    pub enum Verdict [derive(Default), non_exhaustive] {
        /// Nothing.
        Noop "noop" [default],
        /// Something should be done, but nothing can be done safely.
        Refuse "refuse",
        /// Clear old tool outputs.
        Prune "prune",
        /// Summarize old messages.
        Summarize "summarize",
        /// Clear old tool outputs, then summarize old messages.
        PruneThenSummarize "prune_then_summarize",
    }
}

words! {
    /// Why that is to be done, or one of its steps is not.
    pub enum VerdictReason [derive(Default), non_exhaustive] {
        /// There are no active messages.
        Empty "empty" [default],
        /// The policy switches it off.
        Disabled "disabled",
        /// The session has fewer turns than the policy asks for.
        TooFewTurns "too_few_turns",
        /// The context is smaller than the policy asks for before it prunes.
        ContextSmall "context_small",
        /// The context is not full, and the policy prunes only when it is.
        NotFull "not_full",
        /// Pruning waits: it would break more of the provider's cache than the policy allows for what it frees.
        Deferred "deferred",
        /// No tool output lies beyond the protection boundary.
        NothingToPrune "nothing_to_prune",
        /// The outputs beyond the boundary have fewer tokens than the minimum.
        BelowMinimum "below_minimum",
        /// Enough tool output lies beyond the protection boundary.
        OutputsBeyondProtection "outputs_beyond_protection",
        /// Outputs beyond the protection boundary do not make the context as small as `prune.downTo`, so protected ones are
        /// pruned as well.
        RoomNeeded "room_needed",
        /// What is sent beside the messages (`overhead`) is as large as the context window: nothing that is done with the
        /// messages makes a request fit.
        OverheadFillsWindow "overhead_fills_window",
        /// Outputs that the model has not answered yet are larger than the room for them, so they are cut to head and tail.
        TooLarge "too_large",
        /// Content that newer content makes needless gives way, and no output has to (`prune.repeated` and the other passes).
        Needless "needless",
        /// The context is not full.
        BelowThreshold "below_threshold",
        /// The context is full.
        OverThreshold "over_threshold",
        /// The caller asked for it.
        Forced "forced",
        /// The context is full, but the whole history is smaller than the retention window.
        HistoryBelowKeep "history_below_keep",
        /// The context is full, but there is no place where the boundary may be.
        NoValidBoundary "no_valid_boundary",
        /// The step would not make the context smaller.
        NothingGained "nothing_gained",
        /// The context is full, but nothing was added since the last summary: another would summarize the
        /// same messages.
        NothingNew "nothing_new",
    }
}

/// What a caller knows beside the transcript and the policy.
///
/// # Example
///
/// ```
/// use ebbline::PlanOptions;
/// let options = PlanOptions::new().force(true).known_tokens(180_000);
/// assert_eq!((options.force, options.known_tokens), (true, Some(180_000)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanOptions {
    /// Whether compaction is requested, by hand or after an overflow. The trigger is then ignored.
    pub force: bool,
    /// The number of tokens in the context, if the provider has reported it; `None` when it is not known.
    pub known_tokens: Option<u64>,
    /// The number of tokens that every request sends beside the messages: a system prompt that is not among them, and the
    /// definitions of tools. `None` when it is not known: then it is learnt where the policy corrects its estimate by
    /// reported usage. `known_tokens` and reported usages already include it.
    pub overhead: Option<u64>,
    /// The milliseconds since the last request, which the provider's cache has outlived or not (`prune.cold_after`).
    /// `None` when it is not known.
    pub idle: Option<u64>,
    /// How many messages the context had when a compaction last changed it: the usages of later ones were reported for the
    /// context as it is, and say how large it is. `None` when it is not known.
    pub changed_at: Option<usize>,
}

impl PlanOptions {
    /// Nothing asked for and nothing known.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::PlanOptions::new().known_tokens, None);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with [`PlanOptions::force`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::PlanOptions::new().force(true).force);
    /// ```
    #[must_use]
    pub fn force(self, force: bool) -> Self {
        Self { force, ..self }
    }

    /// The same with [`PlanOptions::known_tokens`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::PlanOptions::new().known_tokens(12_000).known_tokens, Some(12_000));
    /// ```
    #[must_use]
    pub fn known_tokens(self, tokens: impl Into<Option<u64>>) -> Self {
        Self { known_tokens: tokens.into(), ..self }
    }

    /// The same with [`PlanOptions::overhead`] set.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::PlanOptions;
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let plan = session.plan_with(&policy, PlanOptions::new().overhead(8_000));
    /// assert_eq!((plan.decision.tokens_before, plan.decision.trigger.tokens), (2, 8_002));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn overhead(self, tokens: impl Into<Option<u64>>) -> Self {
        Self { overhead: tokens.into(), ..self }
    }

    /// The same with [`PlanOptions::idle`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::PlanOptions::new().idle(300_000).idle, Some(300_000));
    /// ```
    #[must_use]
    pub fn idle(self, milliseconds: impl Into<Option<u64>>) -> Self {
        Self { idle: milliseconds.into(), ..self }
    }

    /// The same with [`PlanOptions::changed_at`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::PlanOptions::new().changed_at(12).changed_at, Some(12));
    /// ```
    #[must_use]
    pub fn changed_at(self, messages: impl Into<Option<usize>>) -> Self {
        Self { changed_at: messages.into(), ..self }
    }
}

figures! {
    /// A place in the session.
    pub struct Position {
        /// The message's index.
        message "message": usize,
        /// The part's index in the message.
        part "part": usize,
    }
}

words! {
    /// What a figure rests on.
    pub enum Source [derive(Default), non_exhaustive] {
        /// The estimate of every active message.
        Estimate "estimate" [default],
        /// The usage that the provider reported with the newest answer, and the estimate of what followed.
        Reported "reported",
        /// What the caller said.
        Known "known",
        /// Nothing: the policy goes by reported usage alone, and there is none.
        Nothing "nothing",
    }
}

words! {
    /// What decides where the protection boundary is: the knob that keeps the outputs behind it.
    pub enum BoundaryLimit [derive(Default), non_exhaustive] {
        /// `prune.protect`: the newest tokens of tool output stay.
        Protect "protect" [default],
        /// `prune.keepOutputs`: a number of the newest outputs stay.
        KeepOutputs "keep_outputs",
        /// `prune.protectedTurns`: the outputs of the newest turns stay.
        ProtectedTurns "protected_turns",
        /// `prune.downTo`: outputs that would be protected give way until the context is that small.
        DownTo "down_to",
        /// No knob: what no answer has followed stays.
        Unanswered "unanswered",
    }
}

figures! {
    /// The protection boundary: the newest output that is pruned, or would be but for another reason.
    pub struct Boundary {
        /// The message's index.
        message "message": usize,
        /// The part's index in the message.
        part "part": usize,
        /// What decides that it is there.
        by "by": BoundaryLimit,
    }
}

figures! {
    /// How full the context is, and whether that is too full.
    pub struct TriggerReport {
        /// The context window, in tokens; 0 in JSON if it is not known.
        #[serde(with = "crate::policy::unknown")]
        context "context": Option<NonZeroU64>,
        /// The number of tokens at which summarizing fires.
        threshold "threshold": u64,
        /// The tokens that were compared with it: after pruning, if that is part of the plan.
        tokens "tokens": u64,
        /// What that figure rests on.
        source "source": Source,
        /// The tokens sent beside the messages: given by the caller, or learnt from reported usage; `null` when not known.
        overhead "overhead": Option<u64>,
        /// Whether summarizing fires.
        fires "fires": bool,
    }
}

figures! {
    /// What pruning does, or would do.
    pub struct PruneReport {
        /// Whether outputs are pruned.
        applied "applied": bool,
        /// Why, or why not.
        reason "reason": VerdictReason,
        /// The output that crosses the protection boundary; `null` when all outputs are protected. Where protected outputs
        /// give way (`room_needed`), the newest of these.
        boundary "boundary": Option<Boundary>,
        /// Tokens of tool output that were counted. Where protected outputs give way, these include the outputs in the newest
        /// turns that an answer has followed.
        counted "counted": u64,
        /// Tokens of output up to the boundary, compared with the minimum.
        candidates "candidates": u64,
        /// How many outputs are pruned, or would be but for the reason.
        outputs "outputs": usize,
        /// Tokens that the pruned outputs free. An output smaller than the placeholder frees 0 here; the plan's
        /// totals count what it adds.
        reclaimed "reclaimed": u64,
    }
}

figures! {
    /// What the retention window does, or would do.
    pub struct RetainReport {
        /// Whether messages are summarized.
        applied "applied": bool,
        /// Why, or why not.
        reason "reason": VerdictReason,
        /// Where the system's own rule puts the boundary; `null` for nowhere.
        proposed "proposed": Option<usize>,
        /// The first message of the window, once no call is parted from its result, nor an unfinished run of calls
        /// from the signed thinking that it begins with; `null` for nowhere. Equal to the number of messages when
        /// nothing is kept.
        boundary "boundary": Option<usize>,
        /// The message with which the turn begins that the boundary divides; `null` when it divides none.
        split_turn "splitTurn": Option<usize>,
        /// Tokens from the boundary on.
        kept "kept": u64,
        /// Tokens before the boundary that are, or would be, summarized.
        summarized "summarized": u64,
        /// How many messages those are.
        messages "messages": usize,
    }
}

described! {
    /// What stays of an output that is cut: its head and its tail, with a note of what is missing between them. Where a line
    /// ends near the cut, less may stay.
    pub struct Preview [Copy, Default] {
        /// The length of its head, in UTF-16 units.
        head "head": u32,
        /// The length of its tail, in UTF-16 units.
        tail "tail": u32,
    } apart {
        /// The most that what stays may measure with its note, in the unit of the estimator. Not part of the JSON form.
        most: u32,
        /// How many images and files are left out with the rest. Not part of the JSON form.
        media: u32,
    }
}

described! {
    /// The fate of one part.
    pub struct PartPlan [Copy] {
        /// What the part is.
        kind "kind": PartKind,
        /// What happens to it.
        fate "fate": Fate,
        /// Why.
        reason "reason": Reason,
        /// Whether it is pruned before its message is summarized, so that the summary is made from the placeholder.
        pruned_first "prunedFirst": bool,
        /// Its tokens before.
        tokens_before "tokensBefore": u64,
        /// Its tokens after.
        tokens_after "tokensAfter": u64,
        /// What stays of an output that is cut; a part that is not cut lacks it.
        #[serde(skip_serializing_if = "Option::is_none")]
        preview "preview": Option<Preview>,
    } apart {
        /// The tokens of newer tool output that were counted before this output when the protection boundary was sought;
        /// `None` for what was not counted. Not part of the JSON form.
        newer_outputs: Option<u64>,
    }
}

impl PartPlan {
    /// Whether the placeholder replaces the part: because of its own fate, or before its message is summarized.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let plan = session.plan(&ebbline::profiles::get("ebbline@1")?);
    /// assert!(!plan.messages[0].parts[0].is_pruned());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn is_pruned(&self) -> bool {
        self.fate == Fate::Pruned || self.pruned_first
    }
}

described! {
    /// The fate of one message.
    pub struct MessagePlan [] {
        /// Who speaks.
        role "role": Role,
        /// What happens to it.
        fate "fate": Fate,
        /// Why.
        reason "reason": Reason,
        /// Whether one of its outputs is pruned before the message is summarized.
        pruned_first "prunedFirst": bool,
        /// Its tokens before; 0 when it is not active.
        tokens_before "tokensBefore": u64,
        /// Its tokens after.
        tokens_after "tokensAfter": u64,
        /// Its parts.
        parts "parts": Vec<PartPlan>,
    }
}

/// What is to be done with a session, message by message, and why.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The policy's name.
    pub profile: String,
    /// What is to be done, as a whole.
    #[serde(flatten)]
    pub decision: Decision,
    /// Every message of the transcript, in its order.
    pub messages: Vec<MessagePlan>,
    /// What it was made from: what carrying it out needs beside the session.
    #[serde(skip)]
    basis: Box<Basis>,
}

/// What a plan was made from.
#[derive(Clone, Debug)]
struct Basis {
    policy: Policy,
    origin: Origin,
    /// What gives way to passes.
    given: Vec<Given>,
}

/// Plans are compared by what they say.
impl PartialEq for Plan {
    fn eq(&self, other: &Self) -> bool {
        (&self.profile, &self.decision, &self.messages) == (&other.profile, &other.decision, &other.messages)
    }
}

impl Eq for Plan {}

impl Plan {
    /// The plan of `transcript` under `policy` that says this: what [`plan`](fn@crate::plan) makes, and what another
    /// decider may make. `policy` is one without shares ([`Policy::resolved`]).
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{Plan, PlanOptions, SessionText};
    /// let session = SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("opencode@2026-01")?;
    /// let plan = session.plan(&policy);
    /// let (decision, messages) = (plan.decision, plan.messages.clone());
    /// assert_eq!(Plan::new(session.transcript(), &policy, decision, messages), plan);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn new(
        transcript: &Transcript,
        policy: &Policy,
        decision: Decision,
        messages: Vec<MessagePlan>,
    ) -> Self {
        let (origin, given) = (transcript.origin(), Vec::new());
        let basis = Box::new(Basis { policy: policy.clone(), origin, given });
        Self { schema: SCHEMA, profile: policy.profile.clone(), decision, messages, basis }
    }

    /// The policy that it was made under, its shares resolved.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let plan = session.plan(&ebbline::profiles::get("opencode@2026-01")?);
    /// assert_eq!(plan.policy().prune.protect, 40_000);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.basis.policy
    }

    /// The reading that it was made of.
    pub(crate) fn origin(&self) -> Origin {
        self.basis.origin
    }

    /// What gives way to passes, in order of parts.
    pub(crate) fn given(&self) -> &[Given] {
        &self.basis.given
    }

    pub(crate) fn with_given(mut self, given: Vec<Given>) -> Self {
        self.basis.given = given;
        self
    }

    /// The plan as JSON (schema [`SCHEMA`]).
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let plan = session.plan(&ebbline::profiles::get("ebbline@1")?);
    /// assert!(plan.to_json().starts_with(r#"{"schema":"ebbline.plan/1","profile":"ebbline@1","verdict":"noop""#));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        super::write::to_json(self)
    }

    /// Whether anything is to be done.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert!(!session.plan(&ebbline::profiles::get("ebbline@1")?).changes_something());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn changes_something(&self) -> bool {
        self.decision.changes_something()
    }
}
