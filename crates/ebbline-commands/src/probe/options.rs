//! What is asked, of which policies, and how much it may cost.

use ebbline::replay::ReplayOptions;
use ebbline::{Error, Policy};

use crate::engine_options::EngineOptions;
use crate::failure::Failure;
use crate::output::is_standard_output;
use crate::values::Values;

/// How long a command may take for one answer, in seconds.
const PATIENCE: u64 = 600;
/// How many facts are asked for, and how many requests are made.
const QUESTIONS: u64 = 20;
const REQUESTS: u64 = 200;
/// More than that nobody waits for.
const MOST_QUESTIONS: u64 = 100_000;

/// What the command line asks for.
#[derive(Clone, Debug)]
pub(crate) struct ProbeOptions {
    pub(crate) command: String,
    pub(crate) seconds: u64,
    pub(crate) engine: EngineOptions,
    pub(crate) policies: Vec<Policy>,
    /// The knobs that are turned in all of them, as they were given.
    pub(crate) settings: String,
    pub(crate) replay: ReplayOptions,
    pub(crate) model: Option<String>,
    /// Whether the model may have an output back: each answer is asked for.
    pub(crate) recalls: &'static [bool],
    pub(crate) questions: usize,
    pub(crate) seed: u64,
    /// The most requests of this run, and the most tokens that it sends.
    pub(crate) requests: u64,
    pub(crate) tokens: u64,
    /// Where the answers are kept.
    pub(crate) out: Option<String>,
}

impl ProbeOptions {
    /// What options say.
    pub(crate) fn of(values: &Values) -> Result<Self, Failure> {
        let command = values.text("with").filter(|command| !command.trim().is_empty()).ok_or_else(|| {
            usage("probe needs --with 'COMMAND': it gets a chat completion request on standard input and answers on standard output")
        })?;
        let engine = EngineOptions::of(values)?;
        let recalls = match values.text("recall") {
            None | Some("both") => &[false, true][..],
            Some("with") => &[true],
            Some("without") => &[false],
            Some(other) => {
                return Err(usage(&format!("--recall must be one of both, with, without, not {other}")));
            }
        };
        let questions = values.amount("questions", "a number of questions")?.unwrap_or(QUESTIONS);
        let requests = values.amount("requests", "a number of requests")?.unwrap_or(REQUESTS);
        if questions == 0 || requests == 0 {
            let name = if questions == 0 { "questions" } else { "requests" };
            return Err(usage(&format!("--{name} must be 1 or more")));
        }
        let out = values.text("out").filter(|out| !is_standard_output(out)).map(str::to_owned);
        if out.as_deref() == Some("") {
            return Err(usage("-o needs the name of a file"));
        }
        let policies = policies(&engine, values.text("policies"))?;
        let limit = values.text("output-limit").map(|limit| format!("model.output={limit}"));
        let settings = values.texts("set").map(str::to_owned).chain(limit);
        Ok(Self {
            settings: settings.collect::<Vec<_>>().join(" "),
            command: command.to_owned(),
            seconds: values.seconds()?.unwrap_or(PATIENCE),
            policies,
            replay: ReplayOptions::new().overhead(values.tokens("overhead")?.unwrap_or(0)),
            model: values.text("model").map(str::to_owned),
            recalls,
            questions: questions.min(MOST_QUESTIONS) as usize,
            seed: values.amount("seed", "a whole number")?.unwrap_or(1),
            requests,
            tokens: values.tokens("tokens")?.unwrap_or(u64::MAX),
            out,
            engine,
        })
    }
}

/// The policies that the command line names, each once, or the default one.
fn policies(engine: &EngineOptions, given: Option<&str>) -> Result<Vec<Policy>, Error> {
    let Some(given) = given else { return Ok(vec![engine.policy()?]) };
    let mut names: Vec<&str> = Vec::new();
    for name in given.split(',').map(str::trim) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.into_iter().map(|name| engine.policy_named(name)).collect()
}

fn usage(sentence: &str) -> Failure {
    Failure::Usage(sentence.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(given: &[(&'static str, &str)]) -> Result<ProbeOptions, String> {
        let given = given.iter().map(|(name, value)| (*name, Some((*value).to_owned()))).collect();
        ProbeOptions::of(&Values::new(given)).map_err(|failure| failure.message())
    }

    #[test]
    fn a_probe_has_bounds_of_its_own() {
        let options = of(&[("with", "cat")]).unwrap();
        assert_eq!((options.questions, options.requests, options.seed), (20, 200, 1));
        assert_eq!((options.recalls, options.policies.len()), (&[false, true][..], 1));
        let options =
            of(&[("with", "cat"), ("policies", "pi@1.5, ebbline@3,pi@1.5"), ("recall", "with")]).unwrap();
        let names: Vec<&str> = options.policies.iter().map(|policy| policy.profile.as_str()).collect();
        assert_eq!((names.as_slice(), options.recalls), (&["pi@1.5", "ebbline@3"][..], &[true][..]));
    }

    #[test]
    fn mistakes_are_said_in_a_sentence() {
        for (name, value, sentence) in [
            ("with", " ", "probe needs --with 'COMMAND': it gets"),
            ("recall", "often", "--recall must be one of both, with, without, not often"),
            ("questions", "0", "--questions must be 1 or more"),
            ("requests", "0", "--requests must be 1 or more"),
            ("seed", "x", "--seed must be a whole number, not x"),
            ("out", "", "-o needs the name of a file"),
            ("policies", "none", "there is no profile"),
        ] {
            let said = of(&[("with", "cat"), (name, value)]).unwrap_err();
            assert!(said.to_lowercase().contains(&sentence.to_lowercase()), "{said}");
        }
    }
}
