//! Messages that grow: their texts, and a ledger of them. What is new is read by itself, so that a decision costs no more
//! than the messages that came since the last one.

use std::collections::HashMap;
use std::rc::Rc;

use ebbline::plan::Decision;
use ebbline::transcript::PartKind;
use ebbline::{Error, Format, Ledger, Plan, PlanOptions, Policy, ReadOptions, Session, Transcript};

use crate::changes::joined;

/// Formats whose messages say what earlier ones are, so that new ones cannot be read by themselves.
const READ_WHOLE: [Format; 6] = [
    Format::GeminiContents,
    Format::OpenaiAgents,
    Format::OpenaiResponses,
    Format::Openhands,
    Format::Opencode,
    Format::Pi,
];

/// Live messages under one policy.
#[derive(Debug)]
pub(crate) struct Live {
    policy: Policy,
    reading: ReadOptions,
    texts: Vec<Rc<str>>,
    ledger: Ledger,
    /// The format of the messages, once it is known.
    format: Option<Format>,
    /// The tool of each call of the ledger.
    tools: HashMap<u32, u32>,
}

impl Live {
    /// No messages yet.
    pub(crate) fn new(policy: Policy, reading: ReadOptions) -> Self {
        let ledger = Ledger::new(&policy);
        Self { policy, format: None, reading, texts: Vec::new(), ledger, tools: HashMap::new() }
    }

    /// The messages as they were given.
    pub(crate) fn texts(&self) -> &[Rc<str>] {
        &self.texts
    }

    /// Adds messages.
    ///
    /// # Errors
    ///
    /// As [`Session::read_with`]; nothing is added then.
    pub(crate) fn push(&mut self, new: Vec<Rc<str>>) -> Result<(), Error> {
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
    /// As [`Live::push`]; the messages stay as they are then.
    pub(crate) fn replace(&mut self, texts: Vec<Rc<str>>) -> Result<(), Error> {
        let known = ebbline::binding::changes_to(&mut self.ledger, texts.len());
        let count = texts.len();
        let before = std::mem::replace(&mut self.texts, texts);
        if let Err(error) = self.read_again() {
            self.texts = before;
            self.read_again()?;
            return Err(error);
        }
        ebbline::binding::recall(&mut self.ledger, known, count);
        Ok(())
    }

    /// Forgets all but the first `messages` messages.
    ///
    /// # Errors
    ///
    /// As [`Live::push`].
    pub(crate) fn truncate(&mut self, messages: usize) -> Result<(), Error> {
        if messages >= self.texts.len() {
            return Ok(());
        }
        self.texts.truncate(messages);
        self.read_again()
    }

    /// What is to be done now.
    pub(crate) fn decide(&mut self, options: PlanOptions) -> Decision {
        self.ledger.decide(options)
    }

    /// All messages read as one text.
    ///
    /// # Errors
    ///
    /// As [`Session::read_with`].
    pub(crate) fn whole(&self) -> Result<Session<'static>, Error> {
        let (text, _) = joined(self.texts.iter().map(|text| &**text));
        Session::read_with(text, &self.reading)
    }

    /// All messages read as one text, and the plan for them. Without messages there is none.
    ///
    /// # Errors
    ///
    /// As [`Session::read_with`].
    pub(crate) fn planned(&mut self, options: PlanOptions) -> Result<(Session<'static>, Plan), Error> {
        let overhead = options.overhead.or_else(|| ebbline::binding::known_overhead(&mut self.ledger));
        let session = self.whole()?;
        let plan = session.plan_with(&self.policy, options.overhead(overhead));
        Ok((session, plan))
    }

    /// The new messages read by themselves; `None` if they have to be read with all others.
    fn fragment(&self, new: &[Rc<str>]) -> Option<Session<'static>> {
        let format = self.format.filter(|format| !READ_WHOLE.contains(format))?;
        let (text, _) = joined(new.iter().map(|text| &**text));
        let session = Session::read_with(text, &self.reading.clone().format(format)).ok()?;
        let transcript = session.transcript();
        let is_simple = transcript.messages().len() == new.len()
            && transcript.messages().iter().all(|message| message.active && !message.summary)
            && transcript.parts().iter().filter_map(|part| part.call).all(|call| {
                !transcript.is_paired_by_place(call)
                    && transcript.call_id(call).is_some_and(|id| !id.is_empty())
            });
        is_simple.then_some(session)
    }

    fn append(&mut self, fragment: &Session<'_>) {
        let transcript = fragment.transcript();
        for (index, message) in transcript.messages().iter().enumerate() {
            self.ledger.begin(*message);
            for part in transcript.parts_of(index) {
                let mut part = *part;
                part.call =
                    part.call.and_then(|call| transcript.call_id(call)).map(|id| self.ledger.call(id));
                part.tool =
                    part.tool.and_then(|tool| transcript.tool_name(tool)).map(|name| self.ledger.tool(name));
                if let Some(call) = part.call {
                    self.note(call, &mut part.tool, part.kind);
                }
                self.ledger.push(part);
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
            self.ledger = Ledger::new(&self.policy);
            self.format = None;
            return Ok(());
        }
        let session = self.whole()?;
        self.format = Some(session.format());
        let transcript: Transcript = session.transcript().clone();
        for part in transcript.parts().iter().filter(|part| part.kind == PartKind::ToolCall) {
            if let (Some(call), Some(tool)) = (part.call, part.tool) {
                self.tools.insert(call, tool);
            }
        }
        self.ledger = Ledger::of(transcript, &self.policy);
        Ok(())
    }
}
