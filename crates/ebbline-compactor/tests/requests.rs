//! What hosts ask of one request (`tests/requests.json`): a target, a known size, a model that comes later, notes. npm and Python run the
//! same rows.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use ebbline::{PlanOptions, SessionText, profiles};
use ebbline_compactor::{Compactor, Options, RequestInfo};
use serde_json::{Value, json};

/// A request, and so many steps of a call and its result.
fn history(steps: u64) -> Vec<String> {
    let step = |at: u64| {
        let call = json!({"id": format!("c{at}"), "type": "function", "function": {"name": "read", "arguments": "{}"}});
        let said = format!("I read file {at}. {}", "It may be this one. ".repeat(20));
        let output = format!("line {at} of the file ").repeat(90);
        [
            json!({"role": "assistant", "content": said, "tool_calls": [call]}).to_string(),
            json!({"role": "tool", "tool_call_id": format!("c{at}"), "content": output}).to_string(),
        ]
    };
    let first = json!({"role": "user", "content": "Mend the login test."}).to_string();
    std::iter::once(first).chain((0..steps).flat_map(step)).collect()
}

/// A compactor of a row, and what a model was asked.
struct Run {
    compactor: Compactor,
    answer: String,
    asked: Vec<String>,
}

impl Run {
    fn call(&mut self, call: &Value, history: &[String]) -> Result<(), String> {
        let amount = |name: &str| call[name].as_u64();
        let text = |name: &str| call[name].as_str().map(str::to_owned);
        let mut info = RequestInfo::new()
            .target(amount("target"))
            .known_tokens(amount("knownTokens"))
            .notes(text("notes"))
            .has_model(call["model"] == true);
        if let Some(focus) = text("focus") {
            info = info.focus(focus);
        }
        let code = |error: ebbline_compactor::CompactorError| error.code().to_owned();
        let step = if call["do"] == "prepare" {
            self.compactor.prepare(history, info)
        } else {
            self.compactor.compact_now(history, info)
        };
        let Self { compactor, answer, asked } = self;
        compactor
            .summarize(step.map_err(code)?, |request| {
                asked.push(request.messages[0].content.clone());
                Ok::<_, String>(answer.clone())
            })
            .map_err(code)?;
        Ok(())
    }

    fn check(&self, expect: &Value, history: &[String], row: &str) {
        let view: Vec<&str> = self.compactor.messages().collect();
        if let Some(asked) = expect["asked"].as_u64() {
            assert_eq!(self.asked.len() as u64, asked, "{row}");
        }
        if let Some(is_changed) = expect["changed"].as_bool() {
            let is_other = |message: &&str| !history.iter().any(|known| known == message);
            assert_eq!(view.iter().any(is_other), is_changed, "{row}");
        }
        if let Some(most) = expect["tokensAtMost"].as_u64() {
            let session = SessionText::read(format!("[{}]", view.join(","))).unwrap();
            let policy = profiles::get(profiles::DEFAULT).unwrap();
            let tokens = session.plan_with(&policy, PlanOptions::new()).decision.tokens_before;
            assert!(tokens <= most, "{row}: {tokens}");
        }
        let newest = || self.asked.last().unwrap();
        for said in expect["said"].as_array().into_iter().flatten() {
            assert!(newest().contains(said.as_str().unwrap()), "{row}: {said}");
        }
        for unsaid in expect["unsaid"].as_array().into_iter().flatten() {
            assert!(!newest().contains(unsaid.as_str().unwrap()), "{row}: {unsaid}");
        }
    }
}

#[test]
fn every_row() {
    let table: Value = serde_json::from_str(include_str!("../../../tests/requests.json")).unwrap();
    for row in table["rows"].as_array().unwrap() {
        let options = Options::from_json(&row["options"].to_string()).unwrap();
        let compactor = Compactor::new(options).unwrap();
        let answer = row["answer"].as_str().unwrap_or_default().to_owned();
        let mut run = Run { compactor, answer, asked: Vec::new() };
        // What has a model is for hosts of other languages to say.
        for call in row["calls"].as_array().unwrap().iter().filter(|call| call["hosts"].is_null()) {
            let (expect, history) = (&call["expect"], history(call["steps"].as_u64().unwrap()));
            let said = format!("{}: {call}", row["name"]);
            let done = run.call(call, &history);
            assert_eq!(done.err().as_deref(), expect["error"].as_str(), "{said}");
            if expect["error"].is_null() {
                run.check(expect, &history, &said);
            }
        }
    }
}
