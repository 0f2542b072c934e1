//! The request for a summary, as it goes to a model, and the summary that an answer makes.

use ebbline::json::{Document, Value, quote};
use ebbline::summary::{SummaryOptions, SummaryTask};
use ebbline::{Plan, SessionText};

use crate::engine_options::EngineOptions;
use crate::failure::Failure;
use crate::name::Name;
use crate::values::Values;

/// What is asked for beside the options of a plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes {
    focus: Option<String>,
    budget: Option<u64>,
    /// The options of the plan.
    pub(crate) options: EngineOptions,
}

impl Wishes {
    /// What options say.
    pub(crate) fn of(values: &Values) -> Result<Self, Failure> {
        let (focus, budget) = (values.text("focus").map(str::to_owned), values.tokens("budget")?);
        Ok(Self { focus, budget, options: EngineOptions::of(values)? })
    }

    /// The request for a summary of what a plan summarizes; `None` if it summarizes nothing.
    pub(crate) fn request(
        &self,
        session: &SessionText<'_>,
        plan: &Plan,
    ) -> Result<Option<SummaryTask>, Failure> {
        let mut options = SummaryOptions::new().budget_tokens(self.budget);
        options.focus.clone_from(&self.focus);
        Ok(session.summary_request(plan, &options)?)
    }

    /// The most tokens of a request, the second one included.
    pub(crate) fn budget(&self, task: &SummaryTask, plan: &Plan) -> u64 {
        task.budget(plan, self.budget)
    }
}

/// One message of a conversation with a model: its role, and its text as JSON.
pub(crate) type Said = (String, String);

/// The messages of a request.
pub(crate) fn messages(task: &SummaryTask) -> Vec<Said> {
    let message =
        |message: &ebbline::summary::RequestMessage| (message.role.to_owned(), message.text.to_json());
    task.request.messages.iter().map(message).collect()
}

/// A request with these messages, as JSON: `{system, messages, maxTokens}`.
pub(crate) fn request_json(task: &SummaryTask, messages: &[Said]) -> String {
    let message = |(role, content): &Said| format!("{{\"role\":{},\"content\":{content}}}", quote(role));
    let messages: Vec<String> = messages.iter().map(message).collect();
    let most = task.request.max_tokens.map_or_else(|| "null".to_owned(), |tokens| tokens.to_string());
    let system = quote(&task.request.system);
    format!("{{\"system\":{system},\"messages\":[{}],\"maxTokens\":{most}}}", messages.join(","))
}

/// A request with all that belongs to it, as a line of JSON.
pub(crate) fn line(name: &Name, task: &SummaryTask, plan: &Plan) -> Result<String, Failure> {
    let json = task.to_json();
    let document = Document::parse(&json)?;
    let context = document.root().get("context").map_or("null", Value::source);
    let (file, request) = (quote(&name.given()), request_json(task, &messages(task)));
    let plan = plan.to_json();
    Ok(format!("{{\"file\":{file},\"request\":{request},\"context\":{context},\"plan\":{plan}}}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_a_system_prompt_messages_and_a_limit() {
        let text = r#"[{"role":"user","content":"Fix \"it\"."},{"role":"assistant","content":"Done."},{"role":"user","content":"Now."}]"#;
        let session = SessionText::read(text).unwrap();
        let mut policy = ebbline::profiles::get("ebbline@1").unwrap();
        policy.set("retain.keep", "1").unwrap();
        let plan = session.plan_with(&policy, ebbline::PlanOptions::new().force(true));
        let task = Wishes::default().request(&session, &plan).unwrap().unwrap();
        let written = line(&Name::from("a"), &task, &plan).unwrap();
        let document = Document::parse(&written).unwrap();
        let names: Vec<String> =
            document.root().members().map(|(name, _)| name.decode().into_owned()).collect();
        assert_eq!(names, ["file", "request", "context", "plan"]);
        let request = document.root().get("request").unwrap();
        let message = request.get("messages").unwrap().elements().next().unwrap();
        assert!(message.text_of("content").unwrap().decode().contains("Fix \"it\"."));
    }
}
