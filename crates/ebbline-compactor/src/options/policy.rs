//! The policy of a compactor, for each model that its agent goes on with.

use ebbline::json::{Document, Value, Writer, quote};
use ebbline::{Error, Policy, profiles};

use super::members::{object, text};
use crate::error::invalid;
use crate::texts::count_by_caller;

/// The limits of a model, in tokens.
///
/// # Example
///
/// ```
/// use ebbline_compactor::Model;
/// let model = Model::new(200_000).output(32_000).name("acme/large");
/// assert_eq!(model.to_json(), r#"{"context":200000,"output":32000,"name":"acme/large"}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Model {
    json: String,
}

impl Model {
    /// A model with a context window of so many tokens, which a request and its answer fill together.
    #[must_use]
    pub fn new(context: u64) -> Self {
        Self { json: format!("{{\"context\":{context}}}") }
    }

    /// The limit of an answer, in tokens.
    #[must_use]
    pub fn output(self, tokens: u64) -> Self {
        self.with("output", &tokens.to_string())
    }

    /// The limit of a request, in tokens, if the provider limits requests separately from the window.
    #[must_use]
    pub fn input(self, tokens: u64) -> Self {
        self.with("input", &tokens.to_string())
    }

    /// The name by which a policy may have knobs of its own for the model.
    #[must_use]
    pub fn name(self, name: &str) -> Self {
        self.with("name", &quote(name))
    }

    /// Reads a model: `{"context": 200000, "output": 32000, "name": ".."}`.
    ///
    /// # Errors
    ///
    /// `not_json`; `invalid_option` for what is no object.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        check(Document::parse(json)?.root())?;
        Ok(Self::unread(json.to_owned()))
    }

    /// The same, read when its policy is needed.
    #[doc(hidden)]
    #[must_use]
    pub fn unread(json: String) -> Self {
        Self { json }
    }

    /// The model as JSON.
    #[must_use]
    pub fn to_json(&self) -> &str {
        &self.json
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.json.pop();
        self.json.extend([",\"", name, "\":", value, "}"]);
        self
    }
}

/// What makes the policy of a model, so that an agent can go on with another one.
#[derive(Clone, Debug)]
pub(crate) struct PolicySource {
    /// The policy of no model in particular.
    base: Policy,
    /// Whether the caller said in it how large the window is.
    has_window: bool,
    /// Single knobs, by their paths, with their values as JSON.
    knobs: Vec<(String, String)>,
    /// The model that the caller named last.
    model: Option<Model>,
    /// Whether anybody writes summaries.
    summarizes: bool,
    is_counted: bool,
}

impl PolicySource {
    pub(crate) fn new(base: Policy, has_window: bool) -> Self {
        Self { base, has_window, knobs: Vec::new(), model: None, summarizes: true, is_counted: false }
    }

    /// Reads it from options.
    ///
    /// # Errors
    ///
    /// As [`policy_of`].
    pub(crate) fn read(given: Value<'_>) -> Result<Self, Error> {
        given.present("model").map_or(Ok(()), check)?;
        let says = |name: &str| {
            let json = given.present(name).map_or("", |value| value.source());
            json.contains("\"context\"") || json.contains("\"model.context\"")
        };
        let mut source = Self::new(base_of(given)?, says("profile") || says("policy") || says("set"));
        source.model = given.present("model").map(|model| Model { json: model.source().to_owned() });
        source.knobs = knobs_of(given)?;
        Ok(source)
    }

    pub(crate) fn set_base(&mut self, policy: Policy) {
        (self.base, self.has_window) = (policy, true);
    }

    pub(crate) fn set_model(&mut self, model: Model) {
        self.model = Some(model);
    }

    pub(crate) fn add_knob(&mut self, path: &str, json: &str) {
        self.knobs.push((path.to_owned(), json.to_owned()));
    }

    /// Says who writes summaries and who counts tokens: both have a part in the policy.
    pub(crate) fn with(mut self, summarizes: bool, is_counted: bool) -> Self {
        (self.summarizes, self.is_counted) = (summarizes, is_counted);
        self
    }

    /// The policy for the model that the caller named last.
    ///
    /// # Errors
    ///
    /// As [`policy_of`].
    pub(crate) fn policy(&self) -> Result<Policy, Error> {
        self.policy_for(self.model.as_ref())
    }

    fn policy_for(&self, model: Option<&Model>) -> Result<Policy, Error> {
        let model = model.map(|model| Document::parse(&model.json)).transpose()?;
        let model = model.as_ref().map(Document::root);
        model.map_or(Ok(()), check)?;
        let mut policy = with_model(self.base.clone(), model)?;
        for (path, value) in &self.knobs {
            policy.set(path, value)?;
        }
        // Without anybody who writes summaries, a plan must do without them.
        if !self.summarizes && !self.knobs.iter().any(|(path, _)| path == "retain.enabled") {
            policy.set("retain.enabled", "false")?;
        }
        if self.is_counted {
            count_by_caller(&mut policy.estimator);
        }
        Ok(policy)
    }

    /// Whether the caller said what the limits of the model are.
    pub(crate) fn is_model_known(&self) -> bool {
        self.has_window || self.model.as_ref().is_some_and(|model| model.json.contains("\"context\""))
    }

    /// The policy for a model that the caller names now; `None` if it named the same one before.
    ///
    /// # Errors
    ///
    /// As [`policy_of`].
    pub(crate) fn for_other(&mut self, model: &Model) -> Result<Option<Policy>, Error> {
        if self.model.as_ref() == Some(model) {
            return Ok(None);
        }
        let policy = self.policy_for(Some(model))?;
        self.model = Some(model.clone());
        Ok(Some(policy))
    }
}

fn check(model: Value<'_>) -> Result<(), Error> {
    if model.is_object() { Ok(()) } else { Err(invalid("the option model must be an object")) }
}

/// The policy among options: a profile (`profile`), changes of it (`policy`), a model (`model`), and single knobs (`set`).
/// `other` is the model where the options name none.
///
/// # Errors
///
/// `unknown_profile`, `invalid_policy`, `invalid_option`.
pub fn policy_of(given: Value<'_>, other: Option<Value<'_>>) -> Result<Policy, Error> {
    let base = base_of(given)?;
    let mut policy = with_model(base, object(given, "model")?.or(other))?;
    for (path, value) in knobs_of(given)? {
        policy.set(&path, &value)?;
    }
    Ok(policy)
}

fn base_of(given: Value<'_>) -> Result<Policy, Error> {
    let profile = text(given, "profile")?;
    let mut policy = profiles::get(profile.as_deref().unwrap_or(profiles::DEFAULT))?;
    if let Some(changes) = object(given, "policy")? {
        policy.overlay(changes.source())?;
    }
    Ok(policy)
}

fn knobs_of(given: Value<'_>) -> Result<Vec<(String, String)>, Error> {
    let knobs = object(given, "set")?;
    let members = knobs.iter().flat_map(|knobs| knobs.members());
    Ok(members.map(|(path, value)| (path.decode().into_owned(), value.source().to_owned())).collect())
}

fn with_model(policy: Policy, model: Option<Value<'_>>) -> Result<Policy, Error> {
    let Some(model) = model else { return Ok(policy) };
    let mut policy = match text(model, "name")? {
        Some(name) => policy.for_model(&name)?,
        None => policy,
    };
    policy.overlay(&limits(model))?;
    Ok(policy)
}

/// The model without its name, as a partial policy.
fn limits(model: Value<'_>) -> String {
    let mut out = Writer::default();
    out.raw("{\"model\":{");
    let mut separator = "";
    for (name, value) in model.members() {
        if !name.is("name") && !value.is_null() {
            out.raw(separator).string(&name.decode()).raw(":").raw(value.source());
            separator = ",";
        }
    }
    out.raw("}}");
    out.finish()
}
