//! The session: decides on a growing session before every request, at a cost that depends only on the new
//! messages.
//!
//! An agent asks before every request whether anything is to be done. The session keeps sums over all messages. So
//! an answer costs entering the new messages and a few searches from the session's end.

use super::overhead::Memory;
use super::{Books, Search};
use crate::error::Error;
use crate::packed;
use crate::plan::{Decision, PlanOptions, Preview};
use crate::policy::Policy;
use crate::profiles::Steps;
use crate::transcript::{Message, Part, Transcript};

/// The outputs that a plan prunes or cuts, and those among them that it cuts: by message index and part index, oldest first.
pub(crate) type Shortened = (Vec<(usize, usize)>, Vec<(usize, usize, Preview)>);

/// A transcript that grows under one policy, and the decisions on it.
///
/// # Example
///
/// ```
/// use ebbline::length::Length;
/// use ebbline::transcript::{Message, Part, PartKind, Role};
/// use ebbline::{Session, PlanOptions, Verdict};
/// let mut session = Session::new(&ebbline::profiles::get("opencode@2026-01")?);
/// let mut verdicts = Vec::new();
/// for _ in 0..4 {
///     session.begin(Message::person());
///     session.push(Part::new(PartKind::Text, Length::ascii(80)));
///     session.begin(Message::new(Role::Tool));
///     session.push(Part::new(PartKind::ToolResult, Length::ascii(120_000)));
///     verdicts.push(session.decide(PlanOptions::default()).verdict);
/// }
/// assert_eq!(verdicts, [Verdict::Noop, Verdict::Noop, Verdict::Noop, Verdict::Prune]);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    policy: Policy,
    transcript: Transcript,
    /// The tools that records refer to by number, as indices of the transcript.
    tools: Vec<u32>,
    books: Books,
    /// Whether outputs are entered: the policy under which the books were begun prunes.
    has_outputs: bool,
    /// What the caller knew at the newest decision.
    options: PlanOptions,
}

impl Session {
    /// A session without messages.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Session;
    /// let session = Session::new(&ebbline::profiles::get("ebbline@1")?);
    /// assert!(session.transcript().messages().is_empty());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn new(policy: &Policy) -> Self {
        Self::of(Transcript::default(), policy)
    }

    /// A session of the messages of `transcript`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{Session, PlanOptions, Verdict};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let mut session = Session::of(session.transcript().clone(), &ebbline::profiles::get("ebbline@1")?);
    /// assert_eq!(session.decide(PlanOptions::new()).verdict, Verdict::Noop);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of(transcript: Transcript, policy: &Policy) -> Self {
        let policy = policy.resolved().into_owned();
        Self {
            books: Books::new(&policy),
            has_outputs: policy.prune.enabled,
            policy,
            transcript,
            tools: Vec::new(),
            options: PlanOptions::default(),
        }
    }

    /// The messages.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// use ebbline::Session;
    /// let mut session = Session::new(&ebbline::profiles::get("ebbline@1")?);
    /// session.begin(Message::person());
    /// session.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!(session.transcript().messages().len(), 1);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Goes on under another policy. The sums over the messages stay where they are the same under both: a knob that is only
    /// compared with them, as `prune.protect` or `model.context`, costs no second walk over the session. Under a
    /// policy that trusts no bare placeholder (`prune.reference`), that holds for `prune.enabled` as well.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{Session, PlanOptions, SessionText};
    /// let text = SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// let mut session = Session::of(text.transcript().clone(), &policy);
    /// session.decide(PlanOptions::new());
    /// policy.prune.protect = 10_000;
    /// session.set_policy(&policy);
    /// assert_eq!(session.plan(PlanOptions::new()), text.plan(&policy));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn set_policy(&mut self, policy: &Policy) {
        let policy = policy.resolved().into_owned();
        let is_covered = self.has_outputs || !policy.prune.enabled;
        if is_covered && Books::are_alike(&self.policy, &policy) {
            self.books.forget_calibration();
        } else {
            // What was learnt of the overhead holds under any policy.
            let memory = self.books.memory;
            self.books = Books { memory, ..Books::new(&policy) };
            self.has_outputs = policy.prune.enabled;
        }
        self.policy = policy;
    }

    /// The number of the call `id`, as in [`Transcript::call`].
    ///
    /// # Example
    ///
    /// ```
    /// let mut session = ebbline::Session::new(&ebbline::profiles::get("ebbline@1")?);
    /// assert_eq!((session.call("c1"), session.call("c2"), session.call("c1")), (0, 1, 0));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn call(&mut self, id: &str) -> u32 {
        self.transcript.call(id)
    }

    /// The number of the tool `name`, as in [`Transcript::tool`].
    ///
    /// # Example
    ///
    /// ```
    /// let mut session = ebbline::Session::new(&ebbline::profiles::get("ebbline@1")?);
    /// assert_eq!((session.tool("read"), session.tool("bash"), session.tool("read")), (0, 1, 0));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn tool(&mut self, name: &str) -> u32 {
        self.transcript.tool(name)
    }

    /// Begins a message. Parts pushed from now on belong to it, and the message before it is complete.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// use ebbline::Session;
    /// let mut session = Session::new(&ebbline::profiles::get("ebbline@1")?);
    /// session.begin(Message::person());
    /// session.push(Part::new(PartKind::Text, Length::of("hello")));
    /// session.begin(Message::person());
    /// assert_eq!(session.transcript().messages().len(), 2);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn begin(&mut self, message: Message) {
        self.enter_all();
        self.transcript.make_room(1);
        self.transcript.begin(message);
    }

    /// Adds a part to the newest message.
    ///
    /// A decision also completes the newest message. Adding a part to it after a decision costs as much as
    /// entering all messages again.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// use ebbline::Session;
    /// let mut session = Session::new(&ebbline::profiles::get("ebbline@1")?);
    /// session.begin(Message::person());
    /// session.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!(session.transcript().parts().len(), 1);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn push(&mut self, part: Part) {
        if self.books.has_entered(self.transcript.messages().len()) {
            self.books.clear();
        }
        self.transcript.make_room(1);
        self.transcript.push(part);
    }

    /// Registers the next tool that records refer to by number. The first tool is number 1.
    pub(crate) fn register_tool(&mut self, name: &str) {
        let index = self.transcript.tool(name);
        self.tools.push(index);
    }

    /// Says that the context changes to `messages` messages: outputs are pruned, or a summary replaces messages. Usages
    /// reported until now describe the context as it was, so what they say about the tokens sent beside the messages is
    /// remembered. Call it before the changed messages are removed.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind, Role};
    /// use ebbline::{Session, PlanOptions};
    /// let mut session = Session::new(&ebbline::profiles::get("ebbline@1")?);
    /// let mut answer = Message::new(Role::Assistant);
    /// answer.usage = Some(8_000);
    /// session.begin(answer);
    /// session.push(Part::new(PartKind::Text, Length::of("hello")));
    /// session.changes_to(1);
    /// session.truncate(0);
    /// session.begin(Message::earlier_summary());
    /// session.push(Part::new(PartKind::Summary, Length::of("They said hello.")));
    /// assert_eq!(session.decide(PlanOptions::new()).trigger.overhead, Some(7_998));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn changes_to(&mut self, messages: usize) {
        self.enter_all();
        self.books.remember(&self.transcript, &self.policy, messages);
    }

    /// Sets what is remembered: `overhead` was known when the context became what its first `messages` messages are.
    pub(crate) fn recall(&mut self, overhead: Option<u64>, messages: usize) {
        self.books.memory = Memory { overhead, current_from: Some(messages) };
    }

    /// Remembers all that another session does.
    pub(crate) fn remember(&mut self, other: &Self) {
        self.books.memory = other.books.memory;
        self.books.changed_at = other.books.changed_at;
    }

    /// What is known of the overhead beyond what a plan of the transcript alone learns.
    pub(crate) fn known_overhead(&mut self) -> Option<u64> {
        self.enter_all();
        self.books.known_overhead(&self.transcript, &self.policy)
    }

    /// Adds the messages that the records hold; every message must be complete (layout: [`crate::packed`]).
    ///
    /// # Errors
    ///
    /// `mismatch` names the word that is not a valid record. In that case nothing is added.
    pub(crate) fn extend(&mut self, words: &[u32]) -> Result<(), Error> {
        let before = self.transcript.messages().len();
        self.enter_all();
        self.transcript.make_room(words.len() / packed::PART_WORDS + 1);
        packed::append(words, &self.tools, &mut self.transcript)
            .inspect_err(|_| self.transcript.truncate(before))?;
        self.enter_all();
        Ok(())
    }

    /// Removes all messages after the first `messages`. The sums are computed again, which costs as much as
    /// entering the remaining messages.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// use ebbline::{Session, PlanOptions};
    /// let mut session = Session::new(&ebbline::profiles::get("ebbline@1")?);
    /// session.begin(Message::person());
    /// session.push(Part::new(PartKind::Text, Length::of("hello")));
    /// let before = session.decide(PlanOptions::new());
    /// session.begin(Message::person());
    /// session.push(Part::new(PartKind::Text, Length::of("no, forget it")));
    /// session.truncate(1);
    /// assert_eq!(session.decide(PlanOptions::new()), before);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn truncate(&mut self, messages: usize) {
        if messages >= self.transcript.messages().len() {
            return;
        }
        self.transcript.truncate(messages);
        self.books.clear();
    }

    /// Decides what is to be done now.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// use ebbline::{Session, PlanOptions};
    /// let mut session = Session::new(&ebbline::profiles::get("ebbline@1")?);
    /// session.begin(Message::person());
    /// session.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!(session.decide(PlanOptions::new()).tokens_before, 2);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn decide(&mut self, options: PlanOptions) -> Decision {
        self.enter_all();
        self.options = options;
        self.books.decide(&self.transcript, &self.policy, options)
    }

    /// The same for a moment at which the system takes only some of its steps, with what [`Session::pruned`] and
    /// [`Session::cut`] say of it. A decision that changes nothing does not say where it would cut.
    pub(crate) fn decide_steps(&mut self, steps: Steps, options: PlanOptions) -> (Decision, Shortened) {
        // Messages are entered under the whole policy, whatever the moment.
        self.enter_all();
        self.options = options;
        let (prune, retain) = (self.policy.prune.enabled, self.policy.retain.enabled);
        self.policy.prune.enabled = prune && steps.prune;
        self.policy.retain.enabled = retain && steps.summarize;
        let Self { books, transcript, policy, .. } = self;
        let decided =
            books.decide_and(transcript, policy, options, Search::IfChanged, |context, decision| {
                let applied = decision.prune.applied;
                let shortened = applied.then(|| (context.pruned(), context.cut_outputs()));
                (decision, shortened.unwrap_or_default())
            });
        (self.policy.prune.enabled, self.policy.retain.enabled) = (prune, retain);
        decided
    }

    /// The outputs that the plan prunes or cuts, as pairs of message index and part index, oldest first. The plan is that of
    /// the options with which [`Session::decide`] was called last.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Session;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind, Role};
    /// let mut session = Session::new(&ebbline::profiles::get("opencode@2026-01")?);
    /// for _ in 0..4 {
    ///     session.begin(Message::person());
    ///     session.begin(Message::new(Role::Tool));
    ///     session.push(Part::new(PartKind::ToolResult, Length::ascii(120_000)));
    /// }
    /// assert_eq!(session.pruned(), [(1, 0)]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn pruned(&mut self) -> Vec<(usize, usize)> {
        let options = self.options;
        let (transcript, policy, books) = self.entered();
        books.decide_and(transcript, policy, options, Search::IfChanged, |context, _| context.pruned())
    }

    /// The outputs among [`Session::pruned`] that are cut to head and tail, with message index and part index.
    pub(crate) fn cut(&mut self) -> Vec<(usize, usize, Preview)> {
        let options = self.options;
        let (transcript, policy, books) = self.entered();
        books.decide_and(transcript, policy, options, Search::IfChanged, |context, _| context.cut_outputs())
    }

    /// What is to be done if nobody writes summaries.
    pub(crate) fn decide_without_summary(&mut self, options: PlanOptions) -> Decision {
        let policy = self.policy.clone();
        let mut alone = policy.clone();
        alone.retain.enabled = false;
        self.set_policy(&alone);
        let decision = self.decide(options);
        self.set_policy(&policy);
        decision
    }

    /// The context window under its policy.
    pub(crate) fn window(&self) -> Option<u64> {
        self.policy.model.context.map(std::num::NonZeroU64::get)
    }

    /// The estimate of the active messages, and of the text among them.
    pub(crate) fn estimates(&mut self) -> (u64, u64) {
        self.enter_all();
        self.books.estimates()
    }

    /// The tokens of the messages before `message`. Every message must be active and complete.
    pub(crate) fn tokens_until(&mut self, message: usize) -> u64 {
        self.enter_all();
        self.books.tokens_until(message)
    }

    /// Replaces outputs by what stands in their place once they are pruned. `outputs` are indices of parts, in
    /// ascending order. The cost is that of entering the messages from the first of them on.
    pub(crate) fn replace_outputs(&mut self, message: usize, outputs: impl Iterator<Item = (usize, Part)>) {
        for (index, part) in outputs {
            self.transcript.replace(index, part);
        }
        self.books.measure_again(message);
    }

    /// Records of the newest message, a summary, how many messages behind it existed when it was written.
    pub(crate) fn set_kept(&mut self, kept: usize) {
        let newest = self.transcript.messages().len().saturating_sub(1);
        self.transcript.set_kept(newest, kept);
    }

    /// The messages alone.
    pub(crate) fn into_transcript(self) -> Transcript {
        self.transcript
    }

    /// The transcript, the policy and the books, after all messages have been entered.
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
    use crate::plan::Source;
    use crate::profiles;
    use crate::transcript::{Output, PartKind, Role};

    /// The size of a context in which an output was pruned, and since then an answer with a usage came for each of `reported`, with
    /// `tokens` estimated each time, and as much behind the last one.
    fn size_after_a_prune(
        session: &mut Session,
        options: PlanOptions,
        reported: &[u32],
        tokens: usize,
    ) -> (u64, Source) {
        let add = |session: &mut Session, message: Message, kind: PartKind| {
            session.begin(message);
            session.push(Part::new(kind, Length { classed_json: 64 * tokens as u32, ..Length::ascii(0) }));
        };
        for usage in reported {
            add(session, Message { usage: Some(*usage), ..Message::new(Role::Assistant) }, PartKind::Text);
        }
        add(session, Message::person(), PartKind::Text);
        let trigger = session.decide(options).trigger;
        (trigger.tokens, trigger.source)
    }

    fn pruned_ledger() -> Session {
        let mut session = Session::new(&profiles::get("ebbline@2").unwrap());
        session.begin(Message::person());
        session.begin(Message { usage: Some(90_000), ..Message::new(Role::Assistant) });
        session.begin(Message::new(Role::Tool));
        let output = Part::new(PartKind::ToolResult, Length::ascii(40));
        session.push(Part { output: Output::Pruned, ..output });
        session
    }

    #[test]
    fn usage_that_was_reported_after_a_change_says_how_large_the_context_is() {
        let since = PlanOptions::new().changed_at(3);
        let mut session = pruned_ledger();
        session.changes_to(3);
        assert_eq!(size_after_a_prune(&mut session, since, &[20_000], 500), (20_500, Source::Reported));
        // A plan of the same messages says the same.
        let plan =
            Session::of(session.transcript().clone(), &profiles::get("ebbline@2").unwrap()).decide(since);
        assert_eq!((plan.trigger.tokens, plan.trigger.source), (20_500, Source::Reported));
        // If nobody says when the change was, the usage may be older than the prune.
        let mut session = pruned_ledger();
        session.changes_to(3);
        assert_eq!(size_after_a_prune(&mut session, PlanOptions::new(), &[20_000], 500).1, Source::Estimate);
    }

    #[test]
    fn only_steps_since_the_newest_change_correct_the_estimate() {
        let since = |messages| PlanOptions::new().changed_at(messages);
        let mut session = pruned_ledger();
        session.changes_to(3);
        let (tokens, _) =
            size_after_a_prune(&mut session, since(3), &[10_000, 11_500, 13_000, 14_500], 1_000);
        assert_eq!(tokens, 14_500 + 1_500);
        session.changes_to(8);
        let (tokens, source) = size_after_a_prune(&mut session, since(8), &[9_000], 1_000);
        assert_eq!((tokens, source), (9_000 + 1_000, Source::Reported));
        let mut next = Session::new(&profiles::get("ebbline@2").unwrap());
        next.remember(&session);
        assert_eq!(next.books.memory.current_from, Some(8));
    }

    #[test]
    fn a_part_that_comes_after_a_decision_counts() {
        let mut session = Session::new(&profiles::get("ebbline@1").unwrap());
        session.begin(Message::person());
        for texts in 1..4 {
            session.push(Part::new(PartKind::Text, Length::ascii(400)));
            let plan = session.plan(PlanOptions::default());
            assert_eq!(plan.messages[0].parts.len(), texts);
            assert_eq!(plan.decision.tokens_before, plan.messages[0].tokens_before);
        }
    }
}
