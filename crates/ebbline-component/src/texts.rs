//! The functions of whole texts.

use std::borrow::Cow;

use ebbline::json::{Document, Writer};
use ebbline::overflow::{Failure as Failed, Limits, Rules as OverflowRules, classify};
use ebbline::report::Report;
use ebbline::session_text::Counts;
use ebbline::summary::{Answer, Finished, SummaryContext, SummaryTask, again, review};
use ebbline::validate::{Pending, Rule, Rules, Violation};
use ebbline::{Error, ErrorCode, Plan, SessionText, edit, profiles, repair};
use ebbline_compactor::SummaryRequest;
use ebbline_compactor::binding::Outcome;
use serde::Serialize;

use crate::bindings::api::{Changed, Compacted, Detection, Repaired, Summary};
use crate::failure::invalid;
use crate::options::{self, OF_ERRORS, OF_REVIEWS, OF_SESSIONS, parsed};

pub(crate) fn detect(text: String) -> Result<Detection, Error> {
    let found = ebbline::format::detect_text(&text.into())?;
    let (format, title) = (found.format.name().to_owned(), found.format.title().to_owned());
    Ok(Detection { format, title, evidence: found.evidence })
}

fn session(text: String, options: &str) -> Result<SessionText<'static>, Error> {
    let given = parsed(options, OF_SESSIONS)?;
    let given = given.root();
    SessionText::read_with(text, &options::reading(given, &options::policy(given)?)?)
}

pub(crate) fn read(text: String, options: &str) -> Result<String, Error> {
    Ok(Report::of_session(&session(text, options)?).to_json())
}

#[derive(Serialize)]
struct Counted {
    format: &'static str,
    counts: Counts,
}

pub(crate) fn count(text: String, options: &str) -> Result<String, Error> {
    let session = session(text, options)?;
    Ok(to_json(&Counted { format: session.format().name(), counts: session.counts() }))
}

pub(crate) fn call_ids(text: String, calls: &[u32], options: &str) -> Result<Vec<String>, Error> {
    let session = session(text, options)?;
    let id = |call: &u32| session.transcript().call_id(*call).unwrap_or_default().to_owned();
    Ok(calls.iter().map(id).collect())
}

/// A session and the plan that its options ask for.
fn planned(text: String, given: &Document<'_>) -> Result<(SessionText<'static>, Plan), Error> {
    let given = given.root();
    let policy = options::policy(given)?;
    let session = SessionText::read_with(text, &options::reading(given, &policy)?)?;
    let plan = session.plan_with(&policy, options::asking(given)?);
    Ok((session, plan))
}

pub(crate) fn plan(text: String, options: &str) -> Result<String, Error> {
    Ok(planned(text, &parsed(options, OF_SESSIONS)?)?.1.to_json())
}

pub(crate) fn compact(text: String, options: &str) -> Result<Compacted, Error> {
    let given = parsed(options, OF_SESSIONS)?;
    let (session, plan) = planned(text, &given)?;
    let edits = session.edits(&plan, &options::edits(given.root())?)?;
    let mut replaced = Writer::default();
    replaced.raw("[");
    for (at, edit) in edits.iter().enumerate() {
        replaced.raw(if at == 0 { "[" } else { ",[" }).number(edit.range.start as u64);
        replaced
            .raw(",")
            .number(edit.range.end as u64)
            .raw(",")
            .number(edit.replacement.len() as u64)
            .raw("]");
    }
    replaced.raw("]");
    let text = edit::apply(session.text().as_str(), &edits)?;
    Ok(Compacted { text, plan: plan.to_json(), replaced: replaced.finish() })
}

#[derive(Serialize)]
struct Whole<'s> {
    text: Cow<'s, str>,
    whole: bool,
}

pub(crate) fn output_of_call(text: String, id: &str, options: &str) -> Result<Option<String>, Error> {
    let session = session(text, options)?;
    let found = session.output_of_call(id);
    Ok(found.map(|found| to_json(&Whole { text: found.text, whole: found.is_whole })))
}

pub(crate) fn compact_messages(messages: String, options: &str) -> Result<Changed, Error> {
    let given = parsed(options, OF_SESSIONS)?;
    let spans = {
        let document = Document::parse(&messages)?;
        if !document.root().is_array() {
            return Err(invalid("live messages are a JSON array"));
        }
        document.root().elements().map(|element| element.span()).collect::<Vec<_>>()
    };
    let (session, plan) = planned(messages, &given)?;
    let edits = session.edits(&plan, &options::edits(given.root())?)?;
    let view = Outcome::view(&Outcome::of_edits(session.text().as_str(), &spans, &edits)?);
    Ok(Changed { view, plan: plan.to_json() })
}

pub(crate) fn summary_request(text: String, options: &str) -> Result<Option<String>, Error> {
    let given = parsed(options, OF_SESSIONS)?;
    let (session, plan) = planned(text, &given)?;
    let task = session.summary_request(&plan, &options::summaries(given.root())?)?;
    Ok(task.map(|task| task_json(&task)))
}

pub(crate) fn summary_again(
    text: String,
    options: &str,
    answer: &str,
    reminder: &str,
) -> Result<String, Error> {
    let given = parsed(options, OF_SESSIONS)?;
    let (session, plan) = planned(text, &given)?;
    let wanted = options::summaries(given.root())?;
    let nothing =
        || Error::new(ErrorCode::EmptySummary, "there is nothing to summarize but an earlier summary");
    let task = session.summary_request(&plan, &wanted)?.ok_or_else(nothing)?;
    let request = SummaryRequest::of(&task);
    let budget = task.budget(&plan, wanted.budget_tokens);
    let (shown, reminder) = again(&task.context, &request.text(), answer, reminder, budget);
    Ok(request.reminded(&shown, &reminder).to_json())
}

/// A task: its request, and the context that an answer is judged by.
fn task_json(task: &SummaryTask) -> String {
    let whole = task.to_json();
    let document = Document::parse(&whole);
    let context = document.as_ref().ok().and_then(|document| document.root().get("context"));
    let context = context.map(|context| context.source()).unwrap_or_default();
    format!("{{\"request\":{},\"context\":{context}}}", SummaryRequest::of(task).to_json())
}

pub(crate) fn review_summary(context: &str, answer: &str, truncated: bool) -> Result<Summary, Error> {
    let context = SummaryContext::from_json(context)?;
    let Finished { summary, warnings, .. } = review(&context, Answer::new(answer, truncated))?;
    let warnings = warnings.into_iter().map(|warning| warning.to_string()).collect();
    Ok(Summary { text: summary, warnings })
}

#[derive(Serialize)]
struct Lacking {
    #[serde(flatten)]
    lacks: ebbline::summary::Shortcomings,
    reminder: Option<String>,
}

pub(crate) fn summary_shortcomings(text: String, summary: &str, options: &str) -> Result<String, Error> {
    let given = parsed(options, OF_REVIEWS)?;
    let (session, plan) = planned(text, &given)?;
    let lacks = session.shortcomings(&plan, summary, options::acceptance(given.root())?)?;
    let reminder = lacks.reminder();
    Ok(to_json(&Lacking { lacks, reminder }))
}

pub(crate) fn deterministic_summary(text: String, options: &str) -> Result<Option<String>, Error> {
    let (session, plan) = planned(text, &parsed(options, OF_SESSIONS)?)?;
    session.deterministic_summary(&plan)
}

#[derive(Serialize)]
struct Validation {
    valid: bool,
    format: &'static str,
    violations: Vec<Violation>,
    pending: Vec<Pending>,
}

pub(crate) fn validate(text: String, options: &str) -> Result<String, Error> {
    let given = parsed(options, OF_SESSIONS)?;
    let given = given.root();
    let session = SessionText::read_with(text, &options::reading(given, &options::policy(given)?)?)?;
    let format = session.format();
    let rules = Rules::of(format)
        .also(&rules(&options::names(given, "also")?)?)
        .except(&rules(&options::names(given, "except")?)?);
    let (violations, pending) = (session.validate_under(&rules), session.pending());
    Ok(to_json(&Validation { valid: violations.is_empty(), format: format.name(), violations, pending }))
}

#[derive(Serialize)]
struct Repairs {
    done: Vec<repair::Mended>,
    left: Vec<Violation>,
}

pub(crate) fn repair(text: String, options: &str) -> Result<Repaired, Error> {
    let given = parsed(options, OF_SESSIONS)?;
    let given = given.root();
    let reading = options::reading(given, &options::policy(given)?)?;
    let (also, except) = (rules(&options::names(given, "also")?)?, rules(&options::names(given, "except")?)?);
    let repaired =
        repair::repair_under(text, &reading, |format| Rules::of(format).also(&also).except(&except))?;
    let report = to_json(&Repairs { done: repaired.done, left: repaired.left });
    Ok(Repaired { text: String::from_utf8(repaired.bytes).unwrap_or_default(), report })
}

fn rules(names: &[String]) -> Result<Vec<Rule>, Error> {
    names.iter().map(|name| Rule::from_name(name)).collect()
}

pub(crate) fn classify_error(error: &str, options: &str) -> Result<String, Error> {
    let given = parsed(options, OF_ERRORS)?;
    let given = given.root();
    let rules = options::text(given, "profile")?
        .map_or(Ok(OverflowRules::default()), |name| OverflowRules::named(&name))?;
    let document = Document::parse(error)?;
    let mut failure = Failed::read(document.root());
    failure.provider = options::text(given, "provider")?.or(failure.provider);
    let limits =
        Limits::new(options::number(given, "contextWindow")?, options::number(given, "desiredMaxOutput")?);
    Ok(to_json(&classify(&failure, rules, limits)))
}

pub(crate) fn profiles() -> String {
    let mut out = Writer::default();
    for (index, profile) in profiles::ALL.iter().enumerate() {
        out.raw(if index == 0 { "[" } else { "," }).raw("{\"name\":").string(profile.name);
        out.raw(",\"about\":").string(profile.about);
        out.raw(",\"policy\":").raw(&profile.policy().to_json()).raw("}");
    }
    out.raw("]");
    out.finish()
}

pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
