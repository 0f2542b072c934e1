//! What a plan changes, message by message, as JSON without any text of the session.

use ebbline::json::{Document, Writer, quote};
use ebbline::plan::MessagePlan;
use ebbline::{Fate, Plan, Policy, SessionText};

use super::Exported;
use super::turned::{paths, turned};
use crate::kind::Kind;
use crate::readable::stem;

/// The name and version of the report's form.
pub(super) const SCHEMA: &str = "ebbline.report/1";

/// The report of `plan`. `name` is the session's file.
pub fn report(session: &SessionText<'_>, name: &str, plan: &Plan, policy: &Policy) -> Exported {
    let mut out = Writer::default();
    let decision = &plan.decision;
    out.raw("{\n  \"schema\": ").string(SCHEMA);
    out.raw(",\n  \"session\": { \"name\": ").string(name);
    out.raw(", \"format\": ").string(session.format().title());
    out.raw(", \"messages\": ").number(plan.messages.len() as u64);
    out.raw(" },\n  \"policy\": { \"profile\": ").string(&plan.profile).raw(", \"set\": {");
    let (_, changes) = turned(policy);
    for (index, (path, value)) in paths(&changes).enumerate() {
        out.raw(if index == 0 { " " } else { ", " }).string(&path).raw(": ").raw(value);
    }
    out.raw(" } },\n  \"verdict\": ").string(decision.verdict.as_str());
    out.raw(",\n  \"reason\": ").string(decision.reason.as_str());
    out.raw(",\n  \"tokensBefore\": ").number(decision.tokens_before);
    out.raw(",\n  \"tokensAfter\": ").number(decision.tokens_after);
    out.raw(",\n  \"summaryAllowance\": ").number(decision.summary_allowance);
    out.raw(",\n  \"changes\": [");
    let rows = plan.messages.iter().enumerate().filter(|(_, message)| is_changed(message));
    for (place, (index, message)) in rows.enumerate() {
        out.raw(if place == 0 { "\n    " } else { ",\n    " });
        out.raw(&row(session, index, message));
    }
    out.raw("\n  ]\n}\n");
    Exported::of_text(format!("{}.report.json", stem(name)), out.finish()).with_note(
        "It lists what changes, with names of tools and ids, but no text of the session.".to_owned(),
    )
}

fn is_changed(message: &MessagePlan) -> bool {
    matches!(message.fate, Fate::Pruned | Fate::Summarized)
        || message.parts.iter().any(|part| part.fate == Fate::Pruned)
}

/// One message as a line.
fn row(session: &SessionText<'_>, index: usize, message: &MessagePlan) -> String {
    let transcript = session.transcript();
    let parts = transcript.parts_of(index);
    let mut members = vec![format!("\"index\": {index}")];
    if let Some(id) = id_of(session, index) {
        members.push(format!("\"id\": {}", quote(&id)));
    }
    if let Some(of) = transcript.messages().get(index) {
        members.push(format!("\"kind\": {}", quote(Kind::of_message(of).name())));
    }
    let mut calls: Vec<&str> = Vec::new();
    let mut tools: Vec<&str> = Vec::new();
    for part in parts {
        let call = part.call.and_then(|call| transcript.call_id(call));
        calls.extend(call.filter(|call| !calls.contains(call)));
        let tool = part.tool.and_then(|tool| transcript.tool_name(tool));
        tools.extend(tool.filter(|tool| !tools.contains(tool)));
    }
    for (name, values) in [("tools", tools), ("calls", calls)] {
        if !values.is_empty() {
            let values: Vec<_> = values.into_iter().map(quote).collect();
            members.push(format!("\"{name}\": [{}]", values.join(", ")));
        }
    }
    members.push(format!("\"fate\": {}", quote(message.fate.as_str())));
    members.push(format!("\"reason\": {}", quote(message.reason.as_str())));
    if message.pruned_first {
        members.push("\"prunedFirst\": true".to_owned());
    }
    members.push(format!("\"tokensBefore\": {}", message.tokens_before));
    members.push(format!("\"tokensAfter\": {}", message.tokens_after));
    format!("{{ {} }}", members.join(", "))
}

/// The id that the file gives a message, where it has one.
fn id_of(session: &SessionText<'_>, index: usize) -> Option<String> {
    let document = Document::parse(session.text().as_str().get(session.span(index))?).ok()?;
    let root = document.root();
    let id = root.get("id").or_else(|| root.get("uuid")).or_else(|| root.get("info")?.get("id"))?;
    Some(id.text()?.decode().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::text;

    #[test]
    fn the_report_is_the_plan_of_the_library() {
        let sample = crate::sample::text();
        let session = SessionText::read(sample.as_str()).unwrap();
        for policy in crate::export::tests::random_policies(50) {
            let plan = session.plan(&policy);
            let report = text(report(&session, "a.json", &plan, &policy));
            let read = Document::parse(&report).unwrap();
            let root = read.root();
            let number = |name: &str| root.get(name).unwrap().number().unwrap() as u64;
            assert_eq!(root.get("schema").unwrap().source(), "\"ebbline.report/1\"");
            assert_eq!(
                (number("tokensBefore"), number("tokensAfter")),
                (plan.decision.tokens_before, plan.decision.tokens_after)
            );
            let listed: Vec<(usize, String)> = root
                .get("changes")
                .unwrap()
                .elements()
                .map(|row| {
                    let fate = row.get("fate").unwrap().text().unwrap().decode().into_owned();
                    (row.get("index").unwrap().number().unwrap() as usize, fate)
                })
                .collect();
            let planned: Vec<(usize, String)> = plan
                .messages
                .iter()
                .enumerate()
                .filter(|(_, message)| is_changed(message))
                .map(|(index, message)| (index, message.fate.as_str().to_owned()))
                .collect();
            assert_eq!(listed, planned);
        }
    }

    #[test]
    fn a_row_names_the_message() {
        let lines = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"go"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Read","input":{}}]}}
"#;
        let session = SessionText::read(lines).unwrap();
        let mut plan = session.plan(&ebbline::profiles::ALL[0].policy());
        plan.messages[1].fate = Fate::Summarized;
        let row = row(&session, 1, &plan.messages[1]);
        assert!(
            row.starts_with(
                r#"{ "index": 1, "id": "a1", "kind": "assistant", "tools": ["Read"], "calls": ["toolu_1"], "fate": "summarized", "#
            ),
            "{row}"
        );
    }
}
