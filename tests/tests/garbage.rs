//! What is no summary never replaces history, and what is one does. `tests/npm/garbage.test.mjs` checks the npm package and
//! `tests/python/test_garbage.py` the Python one with the same table.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use ebbline::summary::{Acceptance, SummaryOptions, finish};
use ebbline::summary::{Answer, FileLists, SummaryContext};
use ebbline::{Plan, PlanOptions, SessionText};
use ebbline_tests::sessions;
use serde_json::{Value, json};

fn table() -> Value {
    serde_json::from_str(include_str!("../summaries.json")).unwrap()
}

/// The messages of a story: who says what how often; what is no role is a tool.
fn messages_of(story: &Value) -> String {
    let mut messages = Vec::new();
    for (at, told) in story.as_array().unwrap().iter().enumerate() {
        let (role, said) = (told[0].as_str().unwrap(), &told[1]);
        if matches!(role, "user" | "assistant") {
            messages.push(json!({ "role": role, "content": said }));
            continue;
        }
        let (id, arguments) = (format!("c{at}"), json!({ "command": said }).to_string());
        let call =
            json!({ "id": id, "type": "function", "function": { "name": role, "arguments": arguments } });
        let output = told[2].as_str().unwrap().repeat(usize::try_from(told[3].as_u64().unwrap()).unwrap());
        messages.push(json!({ "role": "assistant", "content": null, "tool_calls": [call] }));
        messages.push(json!({ "role": "tool", "tool_call_id": id, "content": output }));
    }
    Value::from(messages).to_string()
}

/// Why a summary is refused; `None` if it is taken.
fn refused(session: &SessionText<'_>, plan: &Plan, text: &str) -> Option<String> {
    let context = SummaryContext::new(
        FileLists::default(),
        plan.decision.retain.summarized,
        plan.policy().estimator.clone(),
    );
    let summary = match finish(&context, Answer::new(text, false)) {
        Ok(summary) => summary,
        Err(error) => return Some(error.to_string()),
    };
    let lacks = session.shortcomings(plan, &summary, Acceptance::default()).unwrap();
    (!lacks.found.is_empty()).then(|| format!("{:?} {:?}", lacks.found, lacks.facts))
}

#[test]
fn no_garbage_is_taken_and_no_honest_summary_is_refused() {
    let table = table();
    let mut policy = ebbline::profiles::get("ebbline@2").unwrap();
    policy.set("retain.keep", "1").unwrap();
    policy.set("prune.enabled", "false").unwrap();
    let mut faults = Vec::new();
    for (language, story) in table["sessions"].as_object().unwrap() {
        let session = SessionText::read(messages_of(story)).unwrap();
        let plan = session.plan_with(&policy, PlanOptions::new().force(true));
        let task = session.summary_request(&plan, &SummaryOptions::new()).unwrap().unwrap();
        let request = task.request.messages[0].text.to_text();
        for (what, text) in table["garbage"].as_object().unwrap() {
            let text =
                text.as_str().unwrap().replace("$SYSTEM", &task.request.system).replace("$REQUEST", &request);
            if refused(&session, &plan, &text).is_none() {
                faults.push(format!("{language}: {what} is taken"));
            }
        }
        for text in table["honest"][language].as_array().unwrap() {
            if let Some(why) = refused(&session, &plan, text.as_str().unwrap()) {
                faults.push(format!("{language}: {text} is refused: {why}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// At least so many summaries by rule of real sessions are looked at.
const LEAST: usize = 40;

#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn no_summary_by_rule_of_a_real_session_is_refused() {
    let (mut faults, mut count) = (Vec::new(), 0);
    for path in sessions::files(&ebbline_tests::shared("sessions")) {
        let Some(session) = std::fs::read_to_string(&path).ok().and_then(|text| SessionText::read(text).ok())
        else {
            continue;
        };
        // Of all messages but the newest, and of the older ones.
        for keep in ["1", "3000"] {
            let mut policy = ebbline::profiles::get("ebbline@2").unwrap();
            policy.set("retain.keep", keep).unwrap();
            let plan = session.plan_with(&policy, PlanOptions::new().force(true));
            // One that is no smaller than what it replaces is none, whatever it says.
            let Ok(Some(summary)) = session.deterministic_summary(&plan) else { continue };
            count += 1;
            let lacks = session.shortcomings(&plan, &summary, Acceptance::default()).unwrap();
            if lacks.found.iter().any(|lack| lack.is_no_summary()) {
                faults.push(format!("{}: {:?}", path.display(), lacks.found));
            }
        }
    }
    assert!(count >= LEAST, "{count} summaries");
    assert!(faults.is_empty(), "{} of {count}: {}", faults.len(), faults.join("\n"));
}
