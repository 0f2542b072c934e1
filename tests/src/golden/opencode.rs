//! OpenCode's released 1.x line.

use ebbline::json::{Document, Value};
use ebbline::notation::javascript::stringify;
use ebbline::plan::VerdictReason;
use ebbline::transcript::PartKind;
use ebbline::{Fate, Format, ReadOptions, SessionText, profiles};
use ebbline_compat::ask;
use sha2::{Digest, Sha256};

use super::{Case, equal, expand, instructions, throws, whole};

/// The adapter for `<version>-<function>`; `None` if it is not covered yet.
pub(super) fn adapter(rest: &str) -> Option<super::Adapter> {
    match rest {
        "2026-01-prune" => Some(planned_prune),
        "2026-06-prune" => Some(prune),
        "2026-01-isOverflow" | "2026-06-isOverflow" => Some(is_overflow),
        "2026-01-filterCompacted" | "2026-06-filterCompacted" => Some(filter_compacted),
        "2026-06-latest" => Some(latest),
        "2026-06-modelMessages" => Some(model_messages),
        "2026-06-process" => Some(process),
        "2026-06-isContextOverflow" => Some(super::overflow::opencode_text),
        "2026-06-fromError" => Some(super::overflow::opencode_error),
        _ => None,
    }
}

/// Asks a question about the member `data` of the input; the members in `options` are its options.
fn answer(case: &Case<'_>, question: &str, data: &str, options: &[&str]) -> Result<String, String> {
    answer_with(case, question, data, options, "")
}

/// The ids in the vectors, which number everything that is created: two messages, then their parts.
fn new_ids() -> String {
    let parts: Vec<String> = (3..100).map(|number| format!("\"prt_new{number}\"")).collect();
    format!(r#","newIDs":{{"messages":["msg_new1","msg_new2"],"parts":[{}]}}"#, parts.join(","))
}

fn answer_with(
    case: &Case<'_>,
    question: &str,
    data: &str,
    options: &[&str],
    more: &str,
) -> Result<String, String> {
    let version: String = case.file.chars().skip("opencode-".len()).take("2026-06".len()).collect();
    let given =
        options.iter().filter_map(|key| Some(format!(r#","{key}":{}"#, case.input.get(key)?.source())));
    let options = format!(r#"{{"version":"{version}"{}{more}}}"#, given.collect::<String>());
    let data = case.input.get(data).map_or("null", Value::source);
    ask("opencode", question, data, &options).map_err(|error| error.to_string())
}

/// Compares the members that the case expects with those of the answer.
fn same_members(answer: &str, expected: Value<'_>, names: &[&str]) -> Result<(), String> {
    let answer = Document::parse(answer).map_err(|error| error.to_string())?;
    for name in names {
        let Some(expected) = expected.get(name) else { continue };
        same(name, answer.root().get(name), expected)?;
    }
    Ok(())
}

fn same(what: &str, ours: Option<Value<'_>>, expected: Value<'_>) -> Result<(), String> {
    let expected = expand(expected);
    let expected = Document::parse(&expected).map_err(|error| error.to_string())?;
    let ours = ours.ok_or_else(|| format!("{what} is missing"))?;
    equal(what, &stringify(ours).to_text(), &stringify(expected.root()).to_text())
}

fn is_overflow(case: &Case<'_>) -> Result<(), String> {
    let answer = answer(case, "isOverflow", "tokens", &["model", "config", "outputTokenMax"])?;
    same_members(&answer, case.expected, &["usable", "isOverflow"])
}

fn filter_compacted(case: &Case<'_>) -> Result<(), String> {
    same_members(&answer(case, "filterCompacted", "messages", &[])?, case.expected, &["ids"])
}

fn latest(case: &Case<'_>) -> Result<(), String> {
    let answer = answer(case, "latest", "messages", &[])?;
    same_members(&answer, case.expected, &["user", "assistant", "finished"])?;
    let answer = Document::parse(&answer).map_err(|error| error.to_string())?;
    let ours: Vec<Value<'_>> = answer.root().elements_of("tasks").collect();
    same_list("tasks", &ours, case.expected.elements_of("tasks").collect())
}

/// Compares lists of objects of which the case lists some members.
fn same_list(what: &str, ours: &[Value<'_>], expected: Vec<Value<'_>>) -> Result<(), String> {
    equal(&format!("how many {what}"), &ours.len(), &expected.len())?;
    for (ours, expected) in ours.iter().zip(expected) {
        for (name, value) in expected.members() {
            let name = name.decode();
            same(&format!("{what}, {name}"), ours.get(&name), value)?;
        }
    }
    Ok(())
}

fn model_messages(case: &Case<'_>) -> Result<(), String> {
    let none = Document::parse("{}").map_err(|error| error.to_string())?;
    let given = case.input.get("options").unwrap_or(none.root());
    let options: Vec<(&str, Option<Value<'_>>)> = vec![
        ("model", case.input.get("model")),
        ("stripMedia", given.get("stripMedia")),
        ("toolOutputMaxChars", given.get("toolOutputMaxChars")),
    ];
    let options: Vec<String> = options
        .into_iter()
        .filter_map(|(key, value)| Some(format!(r#""{key}":{}"#, value?.source())))
        .collect();
    let messages = case.input.get("messages").map_or("[]", Value::source);
    let answer = ask("opencode", "modelMessages", messages, &format!("{{{}}}", options.join(",")))
        .map_err(|error| error.to_string())?;
    same_members(&answer, case.expected, &["messages", "jsonLength", "estimate"])?;
    let answer = Document::parse(&answer).map_err(|error| error.to_string())?;
    let json = answer.root().get("messages").map_or("", Value::source);
    case.expected.get("json").map_or(Ok(()), |digest| same_digest("messages", json, digest))
}

/// Compares a text with the digest of one.
fn same_digest(what: &str, ours: &str, digest: Value<'_>) -> Result<(), String> {
    let hash = format!("{:x}", Sha256::digest(ours));
    let expected = digest.text_of("sha256").map(|hash| hash.decode().into_owned());
    equal(
        &format!("{what}, length"),
        &Some(ours.encode_utf16().count() as i64),
        &whole(digest, "utf16Length"),
    )?;
    equal(&format!("{what}, SHA-256"), &Some(hash), &expected)
}

fn process(case: &Case<'_>) -> Result<(), String> {
    let options = ["parentID", "auto", "overflow", "model", "compactionModel", "config", "outcome", "hooks"];
    let answer = answer_with(case, "process", "messages", &options, &new_ids());
    if throws(case.expected) {
        return answer.map_or(Ok(()), |_| Err("the system raised an exception, we did not".to_owned()));
    }
    let answer = answer?;
    same_members(&answer, case.expected, &["result", "tailStartID"])?;
    let answer = Document::parse(&answer).map_err(|error| error.to_string())?;
    let member =
        |of: Option<Value<'_>>, key: &str| of.and_then(|of| of.get(key)).map_or("", Value::source).to_owned();
    if let Some(expected) = case.expected.get("head") {
        let head = answer.root().get("head");
        equal("messages in the head", &member(head, "count"), &member(Some(expected), "count"))?;
        if let Some(messages) = expected.get("messages") {
            same("head", head.and_then(|head| head.get("messages")), messages)?;
        }
        if let Some(digest) = expected.get("json") {
            same_digest("head", &member(head, "messages"), digest)?;
        }
    }
    if let Some(expected) = case.expected.get("prompt") {
        let ours =
            answer.root().text_of("prompt").map(|prompt| prompt.decode().into_owned()).unwrap_or_default();
        instructions::prompt(&ours, expected)?;
    }
    let Some(expected) = case.expected.get("created") else { return Ok(()) };
    let created = answer.root().get("created");
    for list in ["messages", "parts"] {
        let ours: Vec<Value<'_>> =
            created.into_iter().flat_map(|created| created.elements_of(list)).collect();
        let expected: Vec<Value<'_>> = expected.elements_of(list).collect();
        equal(&format!("how many created {list}"), &ours.len(), &expected.len())?;
        // The case lists some members of the summary's message, and all members but times of everything else.
        for (ours, expected) in
            ours.iter().zip(&expected).filter(|(_, expected)| expected.get("summary").is_none())
        {
            let is_named = |key: &str| key == "time" || expected.get(key).is_some();
            if let Some((extra, _)) = ours.members().find(|(key, _)| !is_named(&key.decode())) {
                return Err(format!("created {list}: {:?} is not expected", extra.decode()));
            }
        }
        same_list(&format!("created {list}"), &ours, expected)?;
    }
    Ok(())
}

fn prune(case: &Case<'_>) -> Result<(), String> {
    same_members(&answer(case, "prune", "messages", &["config"])?, case.expected, &["prunedParts", "counted"])
}

/// Pruning as a plan, and as the system's own walk.
fn planned_prune(case: &Case<'_>) -> Result<(), String> {
    prune(case)?;
    let fail = |error: ebbline::Error| error.to_string();
    let mut policy = profiles::get("opencode@2026-01").map_err(fail)?;
    let configured = case.input.get("config").and_then(|config| config.get("compaction")?.get("prune"));
    let disabled = configured.is_some_and(|prune| prune.source() == "false");
    policy.set("prune.enabled", if disabled { "false" } else { "true" }).map_err(fail)?;
    let options = ReadOptions::new().format(Format::Opencode);
    let messages = case.input.get("messages").map_or("[]", Value::source);
    let session = SessionText::read_with(messages, &options).map_err(fail)?;
    let plan = session.plan(&policy);

    // Messages may have been reordered, so they are found by their spans.
    let source: Vec<Value<'_>> = case.input.elements_of("messages").collect();
    let offset = case.input.get("messages").map_or(0, |messages| messages.span().start);
    let mut pruned: Vec<String> = Vec::new();
    for message in source.iter().rev() {
        let at = (0..plan.messages.len())
            .find(|index| session.span(*index).start + offset == message.span().start);
        let Some(planned) = at.and_then(|at| plan.messages.get(at)) else { continue };
        let results: Vec<_> = planned.parts.iter().filter(|part| part.kind == PartKind::ToolResult).collect();
        let tools: Vec<_> = message.elements_of("parts").filter(|part| answers(*part)).collect();
        equal("results of a message", &results.len(), &tools.len())?;
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
    let is_off = plan.decision.prune.reason == VerdictReason::Disabled;
    equal("switched off", &is_off, &counted.is_none())?;
    let Some(counted) = counted else { return Ok(()) };
    equal("total", &Some(plan.decision.prune.counted as i64), &whole(counted, "total"))?;
    equal("prunable", &Some(plan.decision.prune.candidates as i64), &whole(counted, "prunable"))
}

/// Whether a part contains a result: the tool completed or failed.
fn answers(part: Value<'_>) -> bool {
    let status = part.get("state").and_then(|state| state.text_of("status"));
    part.text_of("type").is_some_and(|kind| kind.is("tool"))
        && status.is_some_and(|status| status.is("completed") || status.is("error"))
}
