//! pi: the requests for summaries, the results of their answers, and leaving a branch.

use ebbline::json::{Document, Value};
use ebbline_compat as compat;

use super::super::{Case, equal, expand, instructions, pairs, throws};
use super::session::same_text;

/// Asks `name` with the options and version of the case.
fn ask(case: &Case<'_>, name: &str, options: &[Value<'_>]) -> Result<String, String> {
    let version = case.file.split('-').nth(1).unwrap_or_default();
    let mut written = format!(r#"{{"version":"{version}""#);
    for (key, value) in options.iter().flat_map(|options| options.members()) {
        if !key.is("entries") && !key.is("runs") {
            written.push_str(&format!(r#","{}":{}"#, key.raw(), value.source()));
        }
    }
    written.push('}');
    let entries = case.input.get("entries").ok_or("there are no entries")?;
    compat::ask("pi", name, entries.source(), &written).map_err(|error| error.to_string())
}

pub(super) fn branch(case: &Case<'_>) -> Result<(), String> {
    let expected = expand(case.expected);
    let expected = Document::parse(&expected).map_err(|error| error.to_string())?;
    let runs = case.input.get("runs").ok_or("there are no runs")?;
    let results = expected.root().get("results").ok_or("there are no results")?;
    for (run, expected) in pairs("results", runs, results)? {
        let answer = ask(case, "branch", &[case.input, run]);
        let Some(answer) = given(answer, throws(expected))? else { continue };
        let ours = Document::parse(&answer).map_err(|error| error.to_string())?;
        equal(run.source(), &sorted(ours.root()), &sorted(expected))?;
    }
    Ok(())
}

pub(super) fn compact(case: &Case<'_>) -> Result<(), String> {
    exchange(case, "compact")
}

pub(super) fn branch_summary(case: &Case<'_>) -> Result<(), String> {
    exchange(case, "branchSummary")
}

fn exchange(case: &Case<'_>, name: &str) -> Result<(), String> {
    let expected = expand(case.expected);
    let expected = Document::parse(&expected).map_err(|error| error.to_string())?;
    let result = expected.root().get("result").unwrap_or(expected.root());
    let answer = ask(case, name, &[case.input]);
    let refused = answer.is_err() && throws(result);
    let Some(answer) = given(answer, refused || throws(expected.root()))? else { return Ok(()) };
    let ours = Document::parse(&answer).map_err(|error| error.to_string())?;
    let ours = ours.root();
    let option = |key: &str| case.input.get(key).is_some_and(Value::is_truthy);
    let is_ours = !(option("replaceInstructions") && option("customInstructions"));
    same_requests(ours, expected.root(), is_ours)?;
    if let Some(failure) = result.get("throws") {
        let told = ours.get("failure").ok_or("the system raised an exception, we did not")?;
        return equal("failure", &sorted(told), &sorted(failure));
    }
    let told = ours.get("result").ok_or_else(|| format!("there is no result: {}", ours.source()))?;
    same_result(told, result)
}

/// The answer, or `None` if the system raised an exception and the engine refused.
fn given(answer: Result<String, String>, throws: bool) -> Result<Option<String>, String> {
    match (answer, throws) {
        (Ok(answer), false) => Ok(Some(answer)),
        (Err(_), true) => Ok(None),
        (Ok(_), true) => Err("the system raised an exception, we did not".to_owned()),
        (Err(error), false) => Err(error),
    }
}

fn same_requests(ours: Value<'_>, expected: Value<'_>, is_ours: bool) -> Result<(), String> {
    let (ours, expected) = (ours.elements_of("requests"), expected.elements_of("requests"));
    equal("requests", &ours.clone().count(), &expected.clone().count())?;
    for (ours, expected) in ours.zip(expected) {
        for key in ["maxTokens", "reasoning", "cacheRetention"] {
            if let Some(expected) = expected.get(key) {
                equal(key, &ours.get(key).map(sorted), &Some(sorted(expected)))?;
            }
        }
        if let Some(system) = expected.text_of("systemPrompt") {
            let told = ours.text_of("system").map(|text| text.decode()).unwrap_or_default();
            instructions::follows(&told, &system.decode()).map_err(|why| format!("system prompt {why}"))?;
        }
        let (told, wanted) = (ours.elements_of("messages"), expected.elements_of("messages"));
        equal("messages", &told.clone().count(), &wanted.clone().count())?;
        for (told, wanted) in told.zip(wanted) {
            equal("role", &told.get("role").map(sorted), &wanted.get("role").map(sorted))?;
            let text = told.get("text").ok_or("a message has no text")?;
            if is_ours { same_prompt(text, wanted) } else { same_text(text, wanted) }
                .map_err(|why| format!("prompt {why}"))?;
        }
    }
    Ok(())
}

/// The texts between the transcript and the instructions.
const ENDS: [&str; 3] = ["</previous-summary>\n\n", "</conversation>\n\n", "\n\n# Instructions\n"];
const FOCUS: &str = "\n\nAdditional focus: ";

/// Compares a prompt with instructions. The vectors mask the lines of the instructions, except for some that the end
/// of a digest's head or tail cuts off, and those of requests that update a summary.
fn same_prompt(ours: Value<'_>, expected: Value<'_>) -> Result<(), String> {
    let ours = ours.text().map(|text| text.decode()).unwrap_or_default();
    if let Some(whole) = expected.text_of("text") {
        return instructions::follows(&ours, &masked(&whole.decode()));
    }
    let part = |key: &str| expected.text_of(key).map(|part| part.decode().into_owned()).unwrap_or_default();
    let (head, tail) = (masked(&part("head")), part("tail"));
    let begins = head.split("(instruction)").next().unwrap_or_default();
    let focus = tail.rfind(FOCUS).and_then(|at| tail.get(at..)).unwrap_or_default();
    let ends = if focus.contains("(instruction)") { "" } else { focus };
    match (ours.starts_with(begins), ours.ends_with(ends)) {
        (true, true) => Ok(()),
        (false, _) => Err(format!("does not begin {begins:?}")),
        (_, false) => Err(format!("does not end {ends:?}")),
    }
}

/// Masks every line after the transcript that is neither a heading nor the user's focus.
fn masked(prompt: &str) -> String {
    let Some(at) = ENDS.iter().filter_map(|end| Some(prompt.rfind(end)? + end.len())).max() else {
        return prompt.to_owned();
    };
    let (transcript, instructions) = prompt.split_at(at);
    let (instructions, focus) =
        instructions.split_at(instructions.rfind(FOCUS).unwrap_or(instructions.len()));
    let lines: Vec<&str> = instructions
        .split('\n')
        .map(|line| if line.is_empty() || line.starts_with('#') { line } else { "(instruction)" })
        .collect();
    format!("{transcript}{}{focus}", lines.join("\n"))
}

fn same_result(ours: Value<'_>, expected: Value<'_>) -> Result<(), String> {
    let Some(summary) = expected.get("summary").filter(|summary| summary.is_object()) else {
        return equal("result", &sorted(ours), &sorted(expected));
    };
    same_text(ours.get("summary").ok_or("there is no summary")?, summary)?;
    for (key, expected) in expected.members().filter(|(key, _)| !key.is("summary")) {
        equal(&key.decode(), &ours.get(&key.decode()).map(sorted), &Some(sorted(expected)))?;
    }
    equal("members", &ours.members().count(), &expected.members().count())
}

/// A value as text, with the members of objects sorted by key.
fn sorted(value: Value<'_>) -> String {
    if value.is_object() {
        let mut members: Vec<_> =
            value.members().map(|(key, member)| format!("{:?}: {}", key.decode(), sorted(member))).collect();
        members.sort();
        return format!("{{{}}}", members.join(", "));
    }
    if value.is_array() {
        let elements: Vec<_> = value.elements().map(sorted).collect();
        return format!("[{}]", elements.join(", "));
    }
    match (value.text(), value.number()) {
        (Some(text), _) => format!("{:?}", text.decode()),
        (None, Some(number)) => number.to_string(),
        (None, None) => value.source().to_owned(),
    }
}
