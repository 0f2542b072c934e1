//! What the options of the engine say, as the command line has them: the policy, how a session is read, what is asked of it.

use ebbline::json::{Document, quote};
use ebbline::notation::javascript::stringify;
use ebbline::text::Text;
use ebbline::{Error, ErrorCode, Format, PlanOptions, Policy, ReadOptions, SessionText};

use crate::failure::Failure;
use crate::values::Values;

/// Options for the engine, checked as far as the command line can check them.
#[derive(Clone, Debug, Default)]
pub(crate) struct EngineOptions {
    profile: Option<String>,
    format: Option<String>,
    strict: bool,
    conversation: Option<u64>,
    /// What a plan is asked for with.
    pub(crate) plan: PlanOptions,
    /// The moment that is written beside what is compacted, in milliseconds since 1970.
    pub(crate) now: Option<u64>,
    /// Whether content that is not sent anyway is cleared as well.
    pub(crate) free_bytes: bool,
    context: Option<u64>,
    output: Option<u64>,
    /// Knobs by their paths, with their values in JSON.
    set: Vec<(String, String)>,
}

impl EngineOptions {
    /// What was asked for.
    pub(crate) fn of(values: &Values) -> Result<Self, Failure> {
        let (context, output) = (values.tokens("context")?, values.tokens("output-limit")?);
        let conversation = values.amount("conversation", "a number, counted from 0")?;
        let known = values.tokens("known-tokens")?.filter(|tokens| *tokens > 0);
        let (overhead, idle) = (values.tokens("overhead")?, values.tokens("idle")?);
        let plan = PlanOptions::new().force(values.has("force"));
        let mut options = Self {
            profile: values.text("profile").map(str::to_owned),
            format: values.text("format").map(str::to_owned),
            strict: values.has("strict"),
            conversation,
            plan: plan.known_tokens(known).overhead(overhead).idle(idle),
            now: values.now()?,
            free_bytes: values.has("free-bytes"),
            context,
            output,
            set: Vec::new(),
        };
        for setting in values.texts("set") {
            let (path, value) = knob(setting)?;
            match options.set.iter_mut().find(|(known, _)| *known == path) {
                Some(known) => known.1 = value,
                None => options.set.push((path, value)),
            }
        }
        Ok(options)
    }

    /// The policy: a profile, the model's limits, and the knobs that are turned.
    pub(crate) fn policy(&self) -> Result<Policy, Error> {
        self.policy_named(self.profile.as_deref().unwrap_or(ebbline::profiles::DEFAULT))
    }

    /// The model's limits as JSON.
    pub(crate) fn limits(&self) -> String {
        let limits = [("context", self.context), ("output", self.output)];
        let limits =
            limits.iter().filter_map(|(name, limit)| limit.map(|limit| format!("\"{name}\":{limit}")));
        format!("{{{}}}", limits.collect::<Vec<_>>().join(","))
    }

    /// The default profile with the model's limits, with no knob turned.
    pub(crate) fn plain_policy(&self) -> Result<Policy, Error> {
        let mut policy = ebbline::profiles::get(ebbline::profiles::DEFAULT)?;
        policy.overlay(&format!("{{\"model\":{}}}", self.limits()))?;
        Ok(policy)
    }

    /// The same with another profile.
    pub(crate) fn policy_named(&self, profile: &str) -> Result<Policy, Error> {
        let mut policy = ebbline::profiles::get(profile)?;
        policy.overlay(&format!("{{\"model\":{}}}", self.limits()))?;
        for (path, value) in &self.set {
            policy.set(path, value)?;
        }
        Ok(policy)
    }

    /// How a session is read, whatever the policy.
    pub(crate) fn reading(&self) -> Result<ReadOptions, Error> {
        let format = self.format.as_deref().map(Format::from_name).transpose()?;
        // A file has no more conversations than WebAssembly can count.
        let conversation = self.conversation.map(|number| u32::try_from(number).unwrap_or(u32::MAX) as usize);
        Ok(ReadOptions::new().format(format).strict(self.strict).conversation(conversation))
    }

    /// The session that bytes are of.
    pub(crate) fn read<'s>(&self, bytes: &'s [u8], policy: &Policy) -> Result<SessionText<'s>, Error> {
        let text = Text::from_bytes(bytes)?;
        let mut options = self.reading()?;
        options.placeholder = Some(policy.prune.bare_placeholder().to_owned());
        SessionText::read_with(text, &options)
    }
}

/// `path=value`: the path, and the value as JSON. What is no JSON is a text; for a knob that is a list, names separated by
/// commas.
pub(crate) fn knob(setting: &str) -> Result<(String, String), Failure> {
    let Some((path, value)) = setting.split_once('=').filter(|(path, _)| !path.is_empty()) else {
        return Err(Failure::Usage(format!(
            "--set {setting} must be a path and a value: prune.protect=30000"
        )));
    };
    Ok((path.to_owned(), json_of(value)))
}

/// The JSON of a value that may be JSON itself, or else is a text.
pub(crate) fn json_of(value: &str) -> String {
    if value.starts_with('\u{feff}') {
        return quote(value);
    }
    match Document::parse(value) {
        // JavaScript cannot represent such a number, so the engine reports it as written.
        Ok(document) if document.root().number().is_some_and(f64::is_infinite) => quote(value),
        Ok(document) => stringify(document.root()).to_text(),
        // The engine says what is wrong with it.
        Err(error) if error.kind() == ErrorCode::TooDeep => value.to_owned(),
        Err(_) => quote(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_json_or_else_a_text() {
        for (setting, json) in [
            ("a=30000", "30000"),
            ("a=3e4", "30000"),
            ("a= [ 1, \"b\" ] ", "[1,\"b\"]"),
            ("a=10%", "\"10%\""),
            ("a=b=c", "\"b=c\""),
            ("a=", "\"\""),
            ("a=1e999", "\"1e999\""),
            ("a=\"x\"", "\"x\""),
        ] {
            assert_eq!(knob(setting).unwrap(), ("a".to_owned(), json.to_owned()), "{setting}");
        }
        for setting in ["", "=1", "prune.protect"] {
            assert!(knob(setting).unwrap_err().message().ends_with("prune.protect=30000"));
        }
    }

    #[test]
    fn the_last_value_of_a_knob_counts() {
        let given = |value: &str| ("set", Some(value.to_owned()));
        let values =
            Values::new(vec![given("prune.protect=1"), given("prune.minimum=2"), given("prune.protect=3")]);
        let policy = EngineOptions::of(&values).unwrap().policy().unwrap();
        assert_eq!((policy.prune.protect, policy.prune.minimum), (3, 2));
    }
}
