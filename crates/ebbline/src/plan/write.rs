//! Writes a plan as JSON by hand: a plan is the longest answer of the engine, and writing it takes most of the
//! time of planning a text.

use super::{Fate, MessagePlan, PartPlan, Plan, Preview, Reason};
use crate::json::Writer;

/// How many bytes a message and a part usually take at most.
const MESSAGE: usize = 150;
const PART: usize = 140;

/// `plan` as `serde` would write it.
pub(super) fn to_json(plan: &Plan) -> String {
    let mut writer = Writer::default();
    let parts: usize = plan.messages.iter().map(|message| message.parts.len()).sum();
    writer.reserve(1_000 + plan.messages.len() * MESSAGE + parts * PART);
    head(plan, &mut writer);
    writer.raw(",\"messages\":[");
    for (index, message) in plan.messages.iter().enumerate() {
        writer.raw(if index == 0 { "{" } else { ",{" });
        write_message(message, &mut writer);
    }
    writer.raw("]}");
    writer.finish()
}

fn head(plan: &Plan, writer: &mut Writer) {
    writer.raw("{\"schema\":").word(plan.schema).raw(",\"profile\":").string(&plan.profile);
    plan.decision.write_members(",", writer);
}

fn write_message(message: &MessagePlan, writer: &mut Writer) {
    writer.raw("\"role\":").word(message.role.as_str());
    write_fate(message.fate, message.reason, message.pruned_first, writer);
    writer.number(message.tokens_before).raw(",\"tokensAfter\":").number(message.tokens_after);
    writer.raw(",\"parts\":[");
    for (index, part) in message.parts.iter().enumerate() {
        let PartPlan {
            kind,
            fate,
            reason,
            pruned_first,
            tokens_before,
            tokens_after,
            preview,
            newer_outputs: _,
        } = *part;
        writer.raw(if index == 0 { "{\"kind\":" } else { ",{\"kind\":" }).word(kind.as_str());
        write_fate(fate, reason, pruned_first, writer);
        writer.number(tokens_before).raw(",\"tokensAfter\":").number(tokens_after);
        if let Some(Preview { head, tail, .. }) = preview {
            writer.raw(",\"preview\":{\"head\":").number(u64::from(head));
            writer.raw(",\"tail\":").number(u64::from(tail)).raw("}");
        }
        writer.raw("}");
    }
    writer.raw("]}");
}

/// Writes the fate, the reason and everything else that messages and parts have in common, up to the first
/// figure.
fn write_fate(fate: Fate, reason: Reason, pruned_first: bool, writer: &mut Writer) {
    writer.raw(",\"fate\":").word(fate.as_str()).raw(",\"reason\":").word(reason.as_str());
    writer.raw(if pruned_first {
        ",\"prunedFirst\":true,\"tokensBefore\":"
    } else {
        ",\"prunedFirst\":false,\"tokensBefore\":"
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Decision;
    use crate::{PlanOptions, SessionText, profiles};

    #[test]
    fn a_plan_is_written_as_serde_writes_it_and_its_decision_is_read_back() {
        let output = "x".repeat(9_000);
        let turn = format!(
            r#"{{"role":"user","content":"go \"on\""}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"ID","type":"function","function":{{"name":"read","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"ID","content":"{output}"}}"#
        );
        let turns: Vec<String> =
            (0..30).map(|turn_of| turn.replace("ID", &format!("call{turn_of}"))).collect();
        let text = format!("[{}]", turns.join(","));
        let session = SessionText::read(&text).unwrap();
        for name in profiles::names() {
            for force in [false, true] {
                let mut policy = profiles::get(name).unwrap();
                policy.profile.push_str(" \"\u{1}é");
                policy.set("model.context", "20000").unwrap();
                let plan = session.plan_with(&policy, PlanOptions::new().force(force));
                assert_eq!(to_json(&plan), serde_json::to_string(&plan).unwrap(), "{name}");
                let decision = serde_json::to_string(&plan.decision).unwrap();
                assert_eq!(serde_json::from_str::<Decision>(&decision).unwrap(), plan.decision, "{name}");
            }
        }
    }
}
