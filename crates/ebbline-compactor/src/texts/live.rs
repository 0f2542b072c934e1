//! Messages that grow: their texts, and the session that decides on them. What is new is read by itself, so that a decision costs no more
//! than the messages that came since the last one.

use std::collections::HashMap;

use ebbline::plan::Decision;
use ebbline::transcript::{PartKind, Turn};
use ebbline::{
    EditOptions, Error, Format, Plan, PlanOptions, Policy, ReadOptions, Session, SessionText, Transcript,
};

use super::joined::{JoinedMessages, MessageText, elements, joined};
use super::outcome::Outcome;
use super::pins::Pins;
use super::token_counts::TokenCounts;

/// A boundary in front of the newest message, wherever the policy would put it: knobs, and their values as JSON.
pub const SUMMARIZES_ALL: [(&str, &str); 14] = [
    ("prune.enabled", "false"),
    ("prune.preview", "0"),
    ("trigger.measure", "\"estimate\""),
    ("retain.enabled", "true"),
    ("retain.keep", "1"),
    ("retain.keepShare", "null"),
    ("retain.keepFloor", "0"),
    ("retain.fill", "\"at_least\""),
    ("retain.turns", "0"),
    ("retain.snap", "\"older\""),
    ("retain.cut", "\"anywhere\""),
    ("retain.summarizeAllThatFits", "false"),
    ("retain.forcedKeepsNothing", "false"),
    ("retain.userWords", "0"),
];

/// Live messages under one policy.
#[derive(Clone, Debug)]
pub struct LiveMessages {
    policy: Policy,
    reading: ReadOptions,
    pins: Pins,
    /// What introduces summaries, and is no part of them.
    introductions: Vec<String>,
    texts: Vec<MessageText>,
    session: Session,
    /// How many messages there were when others last took their place.
    changed_at: Option<usize>,
    /// The format of the messages, once it is known.
    format: Option<Format>,
    /// The tool of each call of the session.
    tools: HashMap<u32, u32>,
    /// What the caller counted.
    counts: TokenCounts,
}

impl LiveMessages {
    /// No messages yet.
    #[must_use]
    pub fn new(policy: Policy, reading: ReadOptions) -> Self {
        let session = Session::new(&policy);
        Self {
            policy,
            reading,
            pins: Pins::default(),
            introductions: Vec::new(),
            texts: Vec::new(),
            session,
            changed_at: None,
            format: None,
            tools: HashMap::new(),
            counts: TokenCounts::default(),
        }
    }

    /// The same with outputs that stay, sentences that introduce summaries, and what a caller counts.
    pub(crate) fn keeping(self, pins: Pins, introductions: Vec<String>, counts: TokenCounts) -> Self {
        Self { pins, introductions, counts, ..self }
    }

    /// How many messages there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.texts.len()
    }

    /// Adds messages: a JSON array.
    ///
    /// # Errors
    ///
    /// As [`SessionText::read_with`]; nothing is added then. `invalid_option` for what is no array.
    pub fn add(&mut self, messages: &str) -> Result<(), Error> {
        self.push(elements(messages)?)
    }

    /// The whole plan.
    ///
    /// # Errors
    ///
    /// As [`SessionText::read_with`].
    pub fn plan(&mut self, options: PlanOptions) -> Result<Plan, Error> {
        Ok(self.planned(options)?.1)
    }

    /// Carries the plan out, and goes on with what is left.
    ///
    /// # Errors
    ///
    /// As [`SessionText::edits`].
    pub fn apply(
        &mut self,
        options: PlanOptions,
        edits: &EditOptions,
    ) -> Result<(Vec<Outcome>, Plan), Error> {
        let (JoinedMessages { session, spans, .. }, plan) = self.planned(options)?;
        let outcomes = Outcome::of_edits(session.text().as_str(), &spans, &session.edits(&plan, edits)?)?;
        self.replace(Outcome::texts(&outcomes, &self.texts))?;
        Ok((outcomes, plan))
    }

    /// What the caller counted.
    pub(crate) fn counts(&self) -> &TokenCounts {
        &self.counts
    }

    /// Has the caller count whatever can be sent once compactions are taken back: nobody can be asked then.
    ///
    /// # Errors
    ///
    /// As [`SessionText::read_with`].
    pub(crate) fn count_all(&self, lists: impl Iterator<Item = Vec<MessageText>>) -> Result<(), Error> {
        if self.counts.are_wanted() {
            for texts in lists {
                self.joined_of(&texts)?;
            }
        }
        Ok(())
    }

    /// The messages as they were given.
    pub(crate) fn texts(&self) -> &[MessageText] {
        &self.texts
    }

    /// The format of the messages, once it is known.
    pub(crate) fn format(&self) -> Option<Format> {
        self.format
    }

    /// What is pinned.
    pub(crate) fn pins(&self) -> &Pins {
        &self.pins
    }

    /// How many messages there were when others last took their place ([`PlanOptions::changed_at`]).
    pub(crate) fn changed_at(&self) -> Option<usize> {
        self.changed_at
    }

    /// The policy.
    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The policy whose plan summarizes all but the newest message, if it is forced.
    ///
    /// # Errors
    ///
    /// `invalid_policy` if no policy has such knobs.
    pub(crate) fn summarizing_all(&self) -> Result<Policy, Error> {
        let mut policy = self.policy.clone();
        for (path, value) in SUMMARIZES_ALL {
            policy.set(path, value)?;
        }
        Ok(policy)
    }

    /// Some messages read by themselves, and a plan that summarizes all of them but the newest.
    ///
    /// # Errors
    ///
    /// As [`SessionText::read_with`].
    pub(crate) fn portion(
        &self,
        texts: &[MessageText],
        format: Format,
    ) -> Result<(JoinedMessages, Plan), Error> {
        let (text, spans) = joined(texts.iter().map(|text| &*text.json));
        let mut session = SessionText::read_with(text, &self.reading.clone().format(format))?;
        ebbline::binding::introduces(&mut session, &self.introductions);
        self.counts.count(&mut session);
        let plan = session.plan_with(&self.summarizing_all()?, PlanOptions::new().force(true));
        Ok((JoinedMessages { session, spans, pinned: Vec::new() }, plan))
    }

    /// How many messages of a person begin a turn.
    pub(crate) fn turns(&self) -> usize {
        let messages = self.session.transcript().messages();
        messages.iter().filter(|message| message.turn == Turn::Person).count()
    }

    /// Adds messages.
    ///
    /// # Errors
    ///
    /// As [`SessionText::read_with`]; nothing is added then.
    pub(crate) fn push(&mut self, new: Vec<MessageText>) -> Result<(), Error> {
        if new.is_empty() {
            return Ok(());
        }
        let before = self.texts.len();
        let fragment = self.fragment(&new);
        self.texts.extend(new);
        match fragment {
            Some(fragment) => self.append(&fragment),
            None => self.read_again().inspect_err(|_| self.texts.truncate(before))?,
        }
        Ok(())
    }

    /// Goes on with other messages. What usage said of the tokens sent beside the messages is remembered.
    ///
    /// # Errors
    ///
    /// As [`LiveMessages::push`]; the messages stay as they are then.
    pub(crate) fn replace(&mut self, texts: Vec<MessageText>) -> Result<(), Error> {
        let count = texts.len();
        let before = std::mem::replace(&mut self.texts, texts);
        let mut session = std::mem::replace(&mut self.session, Session::new(&self.policy));
        if let Err(error) = self.read_again() {
            self.texts = before;
            self.read_again()?;
            return Err(error);
        }
        ebbline::binding::goes_on(&mut session, &mut self.session, count);
        self.changed_at = Some(count);
        Ok(())
    }

    /// Takes the same messages as they are written now. What usage said of them holds.
    ///
    /// # Errors
    ///
    /// As [`LiveMessages::push`]; the messages stay as they are then.
    pub(crate) fn renew(&mut self, texts: Vec<MessageText>) -> Result<(), Error> {
        let changed_at = self.changed_at;
        self.replace(texts)?;
        self.changed_at = changed_at;
        Ok(())
    }

    /// Goes on with a smaller context window. The messages are the same, so what usage says of them holds.
    ///
    /// # Errors
    ///
    /// `invalid_policy` if no policy has such a window.
    pub(crate) fn narrow(&mut self, window: u64) -> Result<(), Error> {
        self.policy.set("model.context", &window.to_string())?;
        self.session.set_policy(&self.policy);
        Ok(())
    }

    /// Goes on under the policy of another model. The messages are the same, so what usage says of them holds.
    pub(crate) fn switch(&mut self, policy: Policy) {
        self.session.set_policy(&policy);
        self.policy = policy;
    }

    /// Forgets all but the first `messages` messages.
    ///
    /// # Errors
    ///
    /// The same as when messages are added.
    pub fn truncate(&mut self, messages: usize) -> Result<(), Error> {
        if messages >= self.texts.len() {
            return Ok(());
        }
        self.texts.truncate(messages);
        self.changed_at = self.changed_at.map(|changed_at| changed_at.min(messages));
        self.read_again()
    }

    /// What is to be done now.
    pub fn decide(&mut self, options: PlanOptions) -> Decision {
        self.session.decide(options)
    }

    /// The estimate of the messages, and of the text among them.
    pub(crate) fn estimates(&mut self) -> (u64, u64) {
        ebbline::binding::estimates(&mut self.session)
    }

    /// All messages read as one text.
    ///
    /// # Errors
    ///
    /// As [`SessionText::read_with`].
    pub(crate) fn joined(&self) -> Result<JoinedMessages, Error> {
        self.joined_of(&self.texts)
    }

    /// Other messages of the same session, read as one text.
    ///
    /// # Errors
    ///
    /// As [`SessionText::read_with`].
    pub(crate) fn joined_of(&self, texts: &[MessageText]) -> Result<JoinedMessages, Error> {
        let (text, spans) = joined(texts.iter().map(|text| &*text.json));
        let mut session = SessionText::read_with(text, &self.reading)?;
        ebbline::binding::introduces(&mut session, &self.introductions);
        self.counts.count(&mut session);
        let named: Vec<u64> = texts.iter().map(|text| text.pins).collect();
        let pinned = self.pins.parts(&session, &spans, &named);
        ebbline::binding::seal(&mut session, &pinned);
        Ok(JoinedMessages { session, spans, pinned })
    }

    /// What a plan is asked for with, and the overhead that is known if it has none.
    pub(crate) fn with_known_overhead(&mut self, options: PlanOptions) -> PlanOptions {
        let overhead = options.overhead.or_else(|| ebbline::binding::known_overhead(&mut self.session));
        options.overhead(overhead)
    }

    /// All messages read as one text, and the plan for them. Without messages there is none.
    ///
    /// # Errors
    ///
    /// As [`SessionText::read_with`].
    pub(crate) fn planned(&mut self, options: PlanOptions) -> Result<(JoinedMessages, Plan), Error> {
        let options = self.with_known_overhead(options);
        let whole = self.joined()?;
        let plan = whole.session.plan_with(&self.policy, options);
        Ok((whole, plan))
    }

    /// The plan for messages that would be made if nobody wrote summaries.
    ///
    /// # Errors
    ///
    /// `invalid_policy` if no policy has such a knob.
    pub(crate) fn plan_without_summary(
        &mut self,
        whole: &JoinedMessages,
        options: PlanOptions,
    ) -> Result<Plan, Error> {
        let options = self.with_known_overhead(options);
        let mut policy = self.policy.clone();
        policy.set("retain.enabled", "false")?;
        Ok(whole.session.plan_with(&policy, options))
    }

    /// The new messages read by themselves; `None` if they have to be read with all others.
    fn fragment(&self, new: &[MessageText]) -> Option<SessionText<'static>> {
        let format = self.format.filter(|format| !format.is_read_whole())?;
        let (text, _) = joined(new.iter().map(|text| &*text.json));
        let mut session = SessionText::read_with(text, &self.reading.clone().format(format)).ok()?;
        if self.reading.format.is_none() && ebbline::binding::foreign(&session).is_some() {
            return None;
        }
        self.counts.count(&mut session);
        let transcript = session.transcript();
        let is_simple = transcript.messages().len() == new.len()
            && transcript.messages().iter().all(|message| message.active && !message.summary)
            && transcript.parts().iter().filter_map(|part| part.call).all(|call| {
                !transcript.is_paired_by_place(call)
                    && transcript.call_id(call).is_some_and(|id| !id.is_empty())
            });
        is_simple.then_some(session)
    }

    fn append(&mut self, fragment: &SessionText<'_>) {
        let transcript = fragment.transcript();
        for (index, message) in transcript.messages().iter().enumerate() {
            self.session.begin(*message);
            for part in transcript.parts_of(index) {
                let mut part = *part;
                part.call =
                    part.call.and_then(|call| transcript.call_id(call)).map(|id| self.session.call(id));
                part.tool =
                    part.tool.and_then(|tool| transcript.tool_name(tool)).map(|name| self.session.tool(name));
                if let Some(call) = part.call {
                    self.note(call, &mut part.tool, part.kind);
                }
                self.session.push(part);
            }
        }
    }

    /// Remembers the tool of a call, and gives it to what answers the call.
    fn note(&mut self, call: u32, tool: &mut Option<u32>, kind: PartKind) {
        match tool {
            Some(tool) if kind == PartKind::ToolCall => {
                self.tools.insert(call, *tool);
            }
            None => *tool = self.tools.get(&call).copied(),
            Some(_) => {}
        }
    }

    fn read_again(&mut self) -> Result<(), Error> {
        self.tools.clear();
        if self.texts.is_empty() {
            self.session = Session::new(&self.policy);
            self.format = None;
            return Ok(());
        }
        let JoinedMessages { session, .. } = self.joined()?;
        self.format = Some(session.format());
        let transcript: Transcript = session.transcript().clone();
        for part in transcript.parts().iter().filter(|part| part.kind == PartKind::ToolCall) {
            if let (Some(call), Some(tool)) = (part.call, part.tool) {
                self.tools.insert(call, tool);
            }
        }
        self.session = Session::of(transcript, &self.policy);
        Ok(())
    }
}
