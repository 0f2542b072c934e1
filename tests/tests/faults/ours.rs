//! What `ebbline@1` does with a session, checked for what must be true of every compaction.

use std::num::NonZeroU64;

use ebbline::overflow::{self, Classification, Failure, FailureKind, Limits, Rules as Signs};
use ebbline::summary::SummaryOptions;
use ebbline::validate::{Rules, compare};
use ebbline::{EditOptions, Fate, Format, Plan, PlanOptions, Policy, ReadOptions, SessionText, profiles};
use serde_json::{Value, json};

/// The answer of a system's compat functions.
pub(crate) fn ask(system: &str, name: &str, data: &Value, options: &Value) -> Value {
    let answer = ebbline_compat::ask(system, name, &data.to_string(), &options.to_string()).unwrap();
    serde_json::from_str(&answer).unwrap()
}

/// English text of about `tokens` tokens.
pub(crate) fn words(tokens: usize) -> String {
    "word ".repeat(tokens)
}

pub(crate) fn read(format: Format, text: &str) -> SessionText<'static> {
    SessionText::read_with(text.to_owned(), &ReadOptions::new().format(format)).unwrap()
}

/// The plan of a system's profile.
pub(crate) fn theirs(profile: &str, format: Format, text: &str, context: u64, force: bool) -> Plan {
    let mut policy = profiles::get(profile).unwrap();
    policy.model.context = NonZeroU64::new(context);
    read(format, text).plan_with(&policy, PlanOptions::new().force(force))
}

/// A session under `ebbline@1`.
pub(crate) struct Ours {
    pub(crate) format: Format,
    pub(crate) text: String,
    pub(crate) session: SessionText<'static>,
    pub(crate) policy: Policy,
    pub(crate) plan: Plan,
}

impl Ours {
    /// Plans the next request to a model with a window of `context` tokens.
    pub(crate) fn of(format: Format, text: &str, context: u64) -> Self {
        Self::planned(format, text, context, false)
    }

    /// Plans after an overflow.
    pub(crate) fn after_overflow(format: Format, text: &str, context: u64) -> Self {
        Self::planned(format, text, context, true)
    }

    fn planned(format: Format, text: &str, context: u64, force: bool) -> Self {
        let mut policy = profiles::get("ebbline@1").unwrap();
        policy.model.context = NonZeroU64::new(context);
        let session = read(format, text);
        let plan = session.plan_with(&policy, PlanOptions::new().force(force));
        Self { format, text: text.to_owned(), session, policy, plan }
    }

    /// Tokens of the message at `index`.
    pub(crate) fn tokens(&self, index: usize) -> u64 {
        self.plan.messages[index].tokens_before
    }

    pub(crate) fn fates(&self) -> Vec<Fate> {
        self.plan.messages.iter().map(|message| message.fate).collect()
    }

    /// The request for the summary of the plan; it fits its own window.
    pub(crate) fn request(&self) -> String {
        let options = SummaryOptions::default();
        let task = self.session.summary_request(&self.plan, &options).unwrap();
        let task = task.unwrap();
        let text = &task.request.messages[0].text;
        assert!(String::from_utf16(text.units()).is_ok(), "no half of a character");
        let text = text.to_text();
        let tokens = self.policy.estimator.tokens_of_text(ebbline::length::Length::of(&text));
        if let Some(window) = self.policy.model.context {
            assert!(tokens < window.get(), "{tokens}");
        }
        text
    }

    /// Carries the plan out, and checks that nothing valid became invalid, that kept messages are unchanged byte for
    /// byte, that planning again changes nothing, and that the input is unchanged.
    pub(crate) fn carried_out(&self) -> String {
        let before = self.text.clone();
        let options = EditOptions::new().summary("What happened.").now(0);
        let written = self.session.compact(&self.plan, &options).unwrap();
        let again = read(self.format, &written);
        let broken = compare(self.session.transcript(), again.transcript(), &Rules::of(self.format));
        assert!(broken.is_empty(), "{broken:?}");
        for (index, message) in self.plan.messages.iter().enumerate() {
            if message.fate == Fate::Kept {
                let kept = &self.text[self.session.span(index)];
                assert!(written.contains(kept), "a kept message has changed: {kept}");
            }
        }
        let next = again.plan(&self.policy);
        assert!(!next.changes_something(), "{:?} {:?}", next.decision.verdict, next.decision.reason);
        assert_eq!(self.text, before, "the input is as it was");
        written
    }
}

/// The classification of an error by the union of all systems' rules.
pub(crate) fn judged(error: &Value) -> FailureKind {
    let text = error.to_string();
    let document = ebbline::json::Document::parse(&text).unwrap();
    let Classification { kind, .. } =
        overflow::classify(&Failure::read(document.root()), Signs::Union, Limits::default());
    kind
}

/// A pi session file with these entries.
pub(crate) fn pi_file(entries: &[Value]) -> String {
    let header = json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"});
    std::iter::once(&header).chain(entries).map(|line| line.to_string() + "\n").collect()
}

/// Messages as entries of a pi session, each the child of the one before, named `e0`, `e1`, …; a value with a `type`
/// is already an entry and stays unchanged.
pub(crate) fn pi_entries(list: &[Value]) -> Vec<Value> {
    let entry = |(index, value): (usize, &Value)| {
        let mut entry = if value.get("type").is_some() {
            value.clone()
        } else {
            json!({"type": "message", "message": value})
        };
        entry["id"] = json!(format!("e{index}"));
        entry["parentId"] = index.checked_sub(1).map_or(Value::Null, |parent| json!(format!("e{parent}")));
        entry["timestamp"] = json!(format!("2026-01-01T00:00:{index:02}.000Z"));
        entry
    };
    list.iter().enumerate().map(entry).collect()
}
