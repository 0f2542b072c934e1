//! OpenCode: the prune of January 2026.

use ebbline::json::Value;
use ebbline::{Fate, Format, PartKind, PlanOptions, ReadOptions, Session, profiles};

use super::{Case, equal, whole};

/// The adapter for `<version>-<function>`; `None` when it is not covered yet.
pub(super) fn adapter(rest: &str) -> Option<super::Adapter> {
    match rest {
        "2026-01-prune" => Some(prune),
        "2026-06-isContextOverflow" => Some(super::overflow::opencode_text),
        "2026-06-fromError" => Some(super::overflow::opencode_error),
        _ => None,
    }
}

pub(super) fn prune(case: &Case<'_>) -> Result<(), String> {
    let fail = |error: ebbline::Error| error.to_string();
    let mut policy = profiles::get("opencode@2026-01").map_err(fail)?;
    let configured = case.input.get("config").and_then(|config| config.get("compaction")?.get("prune"));
    let disabled = configured.is_some_and(|prune| prune.source() == "false");
    policy.set("prune.enabled", if disabled { "false" } else { "true" }).map_err(fail)?;
    let options = ReadOptions { format: Some(Format::Opencode), ..ReadOptions::default() };
    let messages = case.input.get("messages").map_or("[]", Value::source);
    let session = Session::read(messages, &options).map_err(fail)?;
    let plan = session.plan(&policy, PlanOptions::default());

    // Messages may have been reordered: they are found again by where they stand.
    let source: Vec<Value<'_>> = case.input.elements_of("messages").collect();
    let offset = case.input.get("messages").map_or(0, |messages| messages.span().start);
    let mut pruned: Vec<String> = Vec::new();
    for message in source.iter().rev() {
        let at = (0..plan.messages.len())
            .find(|index| session.span(*index).start + offset == message.span().start);
        let Some(planned) = at.and_then(|at| plan.messages.get(at)) else { continue };
        let results: Vec<_> = planned.parts.iter().filter(|part| part.kind == PartKind::ToolResult).collect();
        let tools: Vec<_> = message.elements_of("parts").filter(|part| answers(*part)).collect();
        for (tool, planned) in tools.iter().zip(results).rev() {
            if planned.fate == Fate::Pruned {
                pruned.push(tool.text_of("id").map(|id| id.decode().into_owned()).unwrap_or_default());
            }
        }
    }
    let expected: Vec<String> = case
        .expected
        .elements_of("prunedParts")
        .filter_map(|id| Some(id.text()?.decode().into_owned()))
        .collect();
    equal("pruned", &pruned, &expected)?;
    let counted = case.expected.present("counted");
    equal("switched off", &disabled, &counted.is_none())?;
    let Some(counted) = counted else { return Ok(()) };
    equal("total", &Some(plan.prune.counted as i64), &whole(counted, "total"))?;
    equal("prunable", &Some(plan.prune.candidates as i64), &whole(counted, "prunable"))
}

/// Whether a part holds a result: a tool that completed or failed.
fn answers(part: Value<'_>) -> bool {
    let status = part.get("state").and_then(|state| state.text_of("status"));
    part.text_of("type").is_some_and(|kind| kind.is("tool"))
        && status.is_some_and(|status| status.is("completed") || status.is("error"))
}
