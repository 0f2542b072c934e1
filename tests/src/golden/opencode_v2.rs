//! OpenCode's event-based core.

use ebbline::json::{Document, Value};

use super::answers::{ask, options, same, same_text};
use super::{Case, expand, instructions};

/// The adapter for `v2-<version>-<function>`; `None` if it is not covered yet.
pub(super) fn adapter(rest: &str) -> Option<super::Adapter> {
    match rest {
        "v2-2026-06-compact" => Some(compact),
        _ => None,
    }
}

pub(super) fn compact(case: &Case<'_>) -> Result<(), String> {
    let entries = case.input.get("entries").map_or("[]", Value::source);
    let keys = ["mode", "limits", "request", "config", "reply"];
    let options = options(case.input, &keys, &[("version", "\"2026-06\"")]);
    let Some(answer) = ask("opencodeV2", "compact", entries, &options, case.expected)? else { return Ok(()) };
    let answer = Document::parse(&answer).map_err(|error| error.to_string())?;
    let (ours, expected) = (answer.root(), case.expected);
    for key in ["compacted", "events"] {
        same(key, member(ours, key)?, member(expected, key)?, &[])?;
    }
    both("request", ours, expected, |ours, expected| {
        let prompt = member(ours, "messages")?.elements().next().ok_or("no message")?;
        let prompt = prompt.text_of("text").map(|text| text.decode().into_owned()).unwrap_or_default();
        let wanted = expand(member(expected, "prompt")?);
        let wanted = Document::parse(&wanted).map_err(|error| error.to_string())?;
        instructions::prompt(&prompt, wanted.root())?;
        same("maxTokens", member(ours, "maxTokens")?, member(expected, "maxTokens")?, &[])
    })?;
    both("checkpoint", ours, expected, |ours, expected| {
        for key in ["reason", "summary"] {
            same_text(key, member(ours, key)?, member(expected, key)?)?;
        }
        same_text("recent", member(ours, "recent")?, member(expected, "recent")?)
    })
}

/// Checks a member that is `null` if there is no value.
fn both(
    key: &str,
    ours: Value<'_>,
    expected: Value<'_>,
    check: impl FnOnce(Value<'_>, Value<'_>) -> Result<(), String>,
) -> Result<(), String> {
    match (ours.present(key), expected.present(key)) {
        (Some(ours), Some(expected)) => check(ours, expected),
        (None, None) => Ok(()),
        (ours, _) => Err(format!("{key} is {}", if ours.is_some() { "not expected" } else { "missing" })),
    }
}

fn member<'v>(value: Value<'v>, key: &str) -> Result<Value<'v>, String> {
    value.get(key).ok_or_else(|| format!("no {key}"))
}
