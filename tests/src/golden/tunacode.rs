//! TunaCode: the pruning of January 2026 and the controller of 0.2.3.

use ebbline::json::{Document, Value};
use ebbline::{Fate, Format, Plan, PlanOptions, Policy, ReadOptions, SessionText, profiles};

use super::answers::{ask, options, same, same_member, same_text};
use super::{Case, as_whole, equal, instructions, pairs, throws, whole};

fn read(case: &Case<'_>) -> Result<SessionText<'static>, ebbline::Error> {
    let messages = case.input.get("messages").map_or("[]", |messages| messages.source());
    // The controller's functions receive messages that the loader has validated.
    let strict = case.file.starts_with("tunacode-0.2");
    SessionText::read_with(messages.to_owned(), &ReadOptions::new().format(Format::Tunacode).strict(strict))
}

/// The adapter for `<version>-<function>`; `None` if it is not covered yet.
pub(super) fn adapter(rest: &str) -> Option<super::Adapter> {
    match rest {
        "2026-01-prune" => Some(prune),
        "0.2.3-estimate" => Some(estimate),
        "0.2.3-boundary" => Some(boundary),
        "0.2.3-threshold" => Some(threshold),
        "0.2.3-compact" => Some(compact),
        "0.2.3-inject" => Some(inject),
        "0.2.3-record" => Some(record),
        "0.2.3-serialize" => Some(serialize),
        "0.2.3-overflow" => Some(super::overflow::tunacode),
        _ => None,
    }
}

pub(super) fn prune(case: &Case<'_>) -> Result<(), String> {
    let local = case.input.get("localMode").is_some_and(|local| local.is_truthy());
    let profile = if local { "tunacode@2026-01/local" } else { "tunacode@2026-01" };
    let policy = profiles::get(profile).map_err(|error| error.to_string())?;
    let session = read(case).map_err(|error| error.to_string())?;
    let plan = session.plan(&policy);

    // The plan counts parts as the engine sees them; the vectors count parts of the file.
    let mut tokens = Vec::new();
    let mut cleared = Vec::new();
    for (index, message) in case.input.elements_of("messages").enumerate() {
        let planned = plan.messages.get(index).map(|message| message.parts.as_slice()).unwrap_or_default();
        let mut results =
            planned.iter().filter(|part| part.kind == ebbline::transcript::PartKind::ToolResult);
        for (at, part) in message.elements_of("parts").enumerate() {
            let kind = part.text_of("part_kind");
            let is = |name: &str| kind.is_some_and(|kind| kind.is(name));
            let is_result = is("tool-return") || (is("retry-prompt") && part.present("tool_name").is_some());
            let Some(planned) = is_result.then(|| results.next()).flatten() else { continue };
            if is("tool-return") {
                tokens.push([index as i64, at as i64, planned.tokens_before as i64]);
            }
            if planned.fate == Fate::Pruned {
                cleared.push([index as i64, at as i64]);
            }
        }
    }
    let turns = session.transcript().messages().iter().filter(|message| message.begins_turn()).count();
    equal("user turns", &Some(turns as i64), &whole(case.expected, "userTurns"))?;
    equal("tokens", &tokens, &rows(case, "toolReturnTokens"))?;
    equal("cleared", &cleared, &rows(case, "clearedParts"))?;
    equal("reclaimed", &Some(plan.decision.prune.reclaimed as i64), &whole(case.expected, "reclaimedTokens"))
}

fn rows<const N: usize>(case: &Case<'_>, key: &str) -> Vec<[i64; N]> {
    let row = |row: ebbline::json::Value<'_>| {
        row.elements().filter_map(as_whole).collect::<Vec<_>>().try_into().ok()
    };
    case.expected.elements_of(key).filter_map(row).collect()
}

fn controller(keep: Option<i64>, reserve: Option<i64>) -> Result<Policy, ebbline::Error> {
    let mut policy = profiles::get("tunacode@0.2")?;
    if let Some(keep) = keep {
        policy.set("retain.keep", &keep.to_string())?;
    }
    if let Some(reserve) = reserve {
        policy.set("trigger.reserve", &reserve.to_string())?;
    }
    Ok(policy)
}

pub(super) fn estimate(case: &Case<'_>) -> Result<(), String> {
    let Some(plan) = outcome(case, || Ok(read(case)?.plan(&controller(None, None)?)))? else {
        return Ok(());
    };
    let per_message: Vec<i64> = plan.messages.iter().map(|message| message.tokens_before as i64).collect();
    let expected: Vec<i64> = case.expected.elements_of("perMessage").filter_map(as_whole).collect();
    equal("per message", &per_message, &expected)?;
    equal("total", &Some(plan.decision.tokens_before as i64), &whole(case.expected, "total"))
}

/// Runs `call`; an error is the correct answer if the system raised an exception.
fn outcome(
    case: &Case<'_>,
    call: impl FnOnce() -> Result<Plan, ebbline::Error>,
) -> Result<Option<Plan>, String> {
    match (call(), throws(case.expected)) {
        (Ok(plan), false) => Ok(Some(plan)),
        (Err(_), true) => Ok(None),
        (Ok(_), true) => Err("the system raised an exception, we did not".to_owned()),
        (Err(error), false) => Err(error.to_string()),
    }
}

pub(super) fn boundary(case: &Case<'_>) -> Result<(), String> {
    if throws(case.expected) {
        return outcome(case, || Ok(read(case)?.plan(&controller(None, None)?))).map(|_| ());
    }
    let session = read(case).map_err(|error| error.to_string())?;
    let proposed = |policy: &Policy, force: bool| {
        let plan = session.plan_with(policy, PlanOptions::new().force(force));
        Some(plan.decision.retain.proposed.unwrap_or(0) as i64)
    };
    let keeps = case.input.get("keepRecentTokens").ok_or("there is no keepRecentTokens")?;
    let boundaries = case.expected.get("boundaries").ok_or("there are no boundaries")?;
    for (keep, expected) in pairs("boundaries", keeps, boundaries)? {
        let keep = as_whole(keep).ok_or_else(|| format!("{} is no whole number", keep.source()))?;
        let ours = controller(Some(keep), None).ok().and_then(|policy| proposed(&policy, false));
        let expected = if throws(expected) { None } else { as_whole(expected) };
        equal(&format!("boundary for keep {keep}"), &ours, &expected)?;
    }
    let policy = controller(None, None).map_err(|error| error.to_string())?;
    equal("forced boundary", &proposed(&policy, true), &whole(case.expected, "force"))
}

pub(super) fn threshold(case: &Case<'_>) -> Result<(), String> {
    let input = case.input;
    let cached = input.get("sessionMessages").is_some_and(|live| live.is_truthy());
    let known = if cached { whole(input, "sessionTotalTokens").unwrap_or(0).max(0) } else { 0 };
    let Some(plan) = outcome(case, || {
        let reserve = whole(input, "reserveTokensArgument").or_else(|| whole(input, "reserveTokens"));
        let mut policy = controller(whole(input, "keepRecentTokens"), reserve)?;
        policy.set("model.context", &whole(input, "maxTokens").unwrap_or(0).max(0).to_string())?;
        Ok(read(case)?.plan_with(
            &policy,
            PlanOptions::new().known_tokens(Some(known as u64).filter(|known| *known > 0)),
        ))
    })?
    else {
        return Ok(());
    };
    let expected = case.expected.get("shouldCompact").map(|fires| fires.is_truthy());
    equal("fires", &Some(plan.decision.trigger.fires), &expected)?;
    let Some(after) = whole(case.expected, "sessionTotalTokensAfter") else { return Ok(()) };
    // The size that the plan compared, from the session or from its own count.
    equal("total after", &(plan.decision.trigger.tokens as i64), &after)
}

/// The scripted summarizer's answer if the case has none.
const USUAL_SUMMARY: &str = r###""## Goal\nsummary""###;

pub(super) fn compact(case: &Case<'_>) -> Result<(), String> {
    let mut replies: Vec<&str> = case.input.elements_of("replies").map(Value::source).collect();
    let calls = case.input.elements_of("calls").count();
    replies.resize(replies.len().max(calls), USUAL_SUMMARY);
    let replies = format!("[{}]", replies.join(","));
    let options = options(
        case.input,
        &["compaction", "settings", "sessionMessages", "calls"],
        &[("replies", &replies)],
    );
    let Some(answer) = ask("tunacode", "compact", messages(case), &options, case.expected)? else {
        return Ok(());
    };
    let answer = Document::parse(&answer).map_err(|error| error.to_string())?;
    let (ours, expected) = (answer.root(), case.expected);
    let prompts: Vec<_> = ours.elements_of("prompts").collect();
    equal("prompts", &prompts.len(), &expected.elements_of("prompts").count())?;
    for (ours, expected) in prompts.iter().zip(expected.elements_of("prompts")) {
        let ours = ours.text().map(|text| text.decode().into_owned()).unwrap_or_default();
        instructions::prompt(&ours, expected)?;
    }
    // The vectors leave out the time.
    same_member("outcomes", ours, expected, &["last_compacted_at"])?;
    same_member("statusCalls", ours, expected, &[])
}

pub(super) fn inject(case: &Case<'_>) -> Result<(), String> {
    answer(case, "inject", messages(case), |ours| same("injected", ours, case.expected, &[]))
}

pub(super) fn record(case: &Case<'_>) -> Result<(), String> {
    let data = case.input.get("compaction").map_or("null", Value::source);
    answer(case, "record", data, |ours| same("record", ours, case.expected, &[]))
}

pub(super) fn serialize(case: &Case<'_>) -> Result<(), String> {
    answer(case, "serialize", messages(case), |ours| same_text("transcript", ours, case.expected))
}

fn messages<'c>(case: &Case<'c>) -> &'c str {
    case.input.get("messages").map_or("[]", Value::source)
}

fn answer(
    case: &Case<'_>,
    name: &str,
    data: &str,
    check: impl FnOnce(Value<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let Some(answer) =
        ask("tunacode", name, data, &options(case.input, &["compaction"], &[]), case.expected)?
    else {
        return Ok(());
    };
    check(Document::parse(&answer).map_err(|error| error.to_string())?.root())
}
