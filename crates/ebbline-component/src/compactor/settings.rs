//! What a compactor is made with.

use ebbline::controller::{self, Reports, Trigger};
use ebbline::json::{Document, Value, Writer};
use ebbline::summary::{Acceptance, SummaryOptions};
use ebbline::{Error, Policy, ReadOptions};

use super::background::Meanwhile;
use super::introduction::Introduction;
use super::parts::Chunks;
use super::pins::Pins;
use super::record::Record;
use super::when;
use crate::bindings::api::Failure;
use crate::counts::{self, Counts};
use crate::failure::invalid;
use crate::options;

/// Who writes summaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Author {
    /// A model, which the caller asks.
    Model,
    /// The engine, by rule.
    Rule,
    /// Nobody.
    Nobody,
}

/// When a summary by rule takes the place of one that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fallback {
    /// When the context does not fit otherwise.
    WhenFull,
    /// Always.
    Deterministic,
    /// Never.
    History,
}

/// What makes the policy of a model, so that an agent can go on with another one.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// The options that say the policy, as JSON, without the model.
    given: String,
    /// The model that the caller named last, as JSON.
    model: Option<String>,
    summarises: bool,
    is_counted: bool,
}

impl Limits {
    fn read(given: Value<'_>, author: Author, is_counted: bool) -> Self {
        let mut out = Writer::default();
        let mut separator = "{";
        for (name, value) in ["profile", "policy", "set"].map(|name| (name, given.present(name))) {
            if let Some(value) = value {
                out.raw(separator).string(name).raw(":").raw(value.source());
                separator = ",";
            }
        }
        out.raw(if separator == "{" { "{}" } else { "}" });
        Self {
            given: out.finish(),
            model: given.present("model").map(|model| model.source().to_owned()),
            summarises: author != Author::Nobody,
            is_counted,
        }
    }

    /// The policy for a model.
    fn policy(&self, model: Option<&str>) -> Result<Policy, Error> {
        let given = Document::parse(&self.given)?;
        let model = model.map(Document::parse).transpose()?;
        let model = model.as_ref().map(Document::root);
        if model.is_some_and(|model| !model.is_object()) {
            return Err(invalid("the option model must be an object"));
        }
        let mut policy = options::policy_for(given.root(), model)?;
        let is_set =
            options::object(given.root(), "set")?.is_some_and(|set| set.get("retain.enabled").is_some());
        // Without anybody who writes summaries, a plan must do without them.
        if !self.summarises && !is_set {
            policy.set("retain.enabled", "false")?;
        }
        if self.is_counted {
            counts::prepare(&mut policy.estimator);
        }
        Ok(policy)
    }

    /// Whether the caller said what the limits of the model are.
    pub(crate) fn is_model_known(&self) -> bool {
        let says = |json: &str| json.contains("\"context\"") || json.contains("\"model.context\"");
        self.model.as_deref().is_some_and(says) || says(&self.given)
    }

    /// The policy for a model that the caller names now; `None` if it named the same one before.
    ///
    /// # Errors
    ///
    /// As [`options::policy`].
    pub(crate) fn of_other(&mut self, model: &str) -> Result<Option<Policy>, Error> {
        if self.model.as_deref() == Some(model) {
            return Ok(None);
        }
        let policy = self.policy(Some(model))?;
        self.model = Some(model.to_owned());
        Ok(Some(policy))
    }
}

/// What a compactor is made with.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent: every combination occurs")]
pub(crate) struct Settings {
    pub(crate) policy: Policy,
    pub(crate) limits: Limits,
    /// Whether the caller counts tokens.
    pub(crate) counts: Counts,
    pub(crate) reading: ReadOptions,
    pub(crate) controller: controller::Settings,
    pub(crate) reports: Reports,
    pub(crate) author: Author,
    pub(crate) fallback: Fallback,
    pub(crate) accept: Acceptance,
    pub(crate) summaries: SummaryOptions,
    pub(crate) chunks: Chunks,
    pub(crate) pins: Pins,
    pub(crate) trigger: Option<Trigger>,
    pub(crate) introduction: Introduction,
    /// Whether the record holds the messages that are no longer sent as they are.
    pub(crate) has_originals: bool,
    /// Whether the caller has a store for these messages.
    pub(crate) has_store: bool,
    /// The record of an earlier compactor.
    pub(crate) record: Option<Record>,
    /// Whether the caller hears, once, of what is most likely a mistake.
    pub(crate) has_notices: bool,
    /// Whether the caller is asked before each compaction.
    pub(crate) is_asked: bool,
    /// Whether the agent goes on while a model writes.
    pub(crate) meanwhile: Meanwhile,
}

impl Settings {
    /// Reads them from options.
    ///
    /// # Errors
    ///
    /// As [`options::policy`]; `invalid_option`; `mismatch` for a record that is none.
    pub(crate) fn read(given: Value<'_>) -> Result<Self, Failure> {
        let author = match options::text(given, "summaries")?.as_deref() {
            None | Some("model") => Author::Model,
            Some("deterministic") => Author::Rule,
            Some("none") => Author::Nobody,
            Some(_) => {
                return Err(invalid("the option summaries must be model, deterministic or none").into());
            }
        };
        let fallback = match options::text(given, "fallback")?.as_deref() {
            None | Some("when_full") => Fallback::WhenFull,
            Some("deterministic") => Fallback::Deterministic,
            Some("history") => Fallback::History,
            Some(_) => {
                return Err(invalid("the option fallback must be when_full, deterministic or history").into());
            }
        };
        let has_originals = match options::text(given, "originals")?.as_deref() {
            None | Some("nowhere") => false,
            Some("record") => true,
            Some(_) => return Err(invalid("the option originals must be record or nowhere").into()),
        };
        let counts = Counts::read(given)?;
        let limits = Limits::read(given, author, counts.are_wanted());
        let policy = limits.policy(limits.model.as_deref())?;
        let mut controller = controller::Settings::default();
        controller.auto = options::flag(given, "auto")?.unwrap_or(controller.auto);
        controller.failures =
            options::amount(given, "failures")?.map_or(controller.failures, |most| most as u32);
        controller.cooldown =
            options::amount(given, "cooldown")?.map_or(controller.cooldown, |long| long as u32);
        let record = given.present("record").map(Record::read).transpose()?;
        let known = record.as_ref().and_then(|record| record.overhead);
        Ok(Self {
            reading: options::reading(given, &policy)?,
            policy,
            limits,
            counts,
            controller,
            reports: Reports::new(options::amount(given, "overhead")?, known),
            author,
            fallback,
            accept: options::acceptance(given)?,
            summaries: options::summaries(given)?,
            chunks: Chunks::read(given)?,
            pins: Pins::read(given)?,
            trigger: when::trigger(given)?,
            introduction: Introduction::read(given)?,
            has_originals,
            has_store: options::flag(given, "store")?.unwrap_or(false),
            record,
            has_notices: options::flag(given, "notices")?.unwrap_or(false),
            is_asked: options::flag(given, "hooks")?.unwrap_or(false),
            meanwhile: Meanwhile::read(given)?,
        })
    }
}
