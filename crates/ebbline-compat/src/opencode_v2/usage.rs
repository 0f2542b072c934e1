//! The size of the context in the later version: the reported usage, and an estimate of the messages after it.

use ebbline::json::{Text, Value};
use ebbline::notation::javascript::{Utf16, stringify};

use super::compaction::checkpoint_text;
use super::serialize::is;
use super::tail::is_completed_checkpoint;
use super::version::{Limits, Settings, greatest, least, number, tokens, tokens_of};

/// The largest answer for which room is kept free.
const LARGEST_OUTPUT: f64 = 32_000.0;
const IMAGE_TOKENS: f64 = 1_500.0;
const PDF_TOKENS: f64 = 2_000.0;

/// Whether the next request must be compacted first: the estimate reaches `min(input - buffer, context - max(output,
/// buffer))`. Never twice in succession.
///
/// `system` and `tools` belong to the request; they count only while no usage is known.
#[must_use]
pub fn is_required(
    messages: &[Value<'_>],
    limits: Limits,
    settings: Settings,
    system: Option<Value<'_>>,
    tools: Option<Value<'_>>,
) -> bool {
    let just_compacted = messages.last().is_some_and(|last| is_completed_checkpoint(*last));
    let Some(context) = limits.window().filter(|_| settings.auto && !just_compacted) else { return false };
    let output = least(limits.output.unwrap_or(0.0), LARGEST_OUTPUT);
    let input = limits.input.map_or(f64::INFINITY, |input| input - settings.buffer);
    estimate(messages, system, tools) >= least(input, context - greatest(output, settings.buffer))
}

/// The tokens of a session as it would be sent.
///
/// If an answer has a known usage (no error, a prompt of more than 0 tokens), the size is its usage plus an estimate
/// of everything after it, including its own tool results; otherwise it is an estimate of everything.
#[must_use]
pub fn estimate(messages: &[Value<'_>], system: Option<Value<'_>>, tools: Option<Value<'_>>) -> f64 {
    let anchor = messages.iter().rposition(|message| is_anchor(*message));
    let after = messages.get(anchor.unwrap_or(0)..).unwrap_or_default();
    let estimated: f64 = after
        .iter()
        .enumerate()
        .map(|(index, message)| message_tokens(*message, anchor.is_some() && index == 0))
        .sum();
    match anchor.and_then(|at| messages.get(at)?.get("tokens")) {
        Some(usage) => {
            let of = |key: &str| number(usage.get(key)).unwrap_or(0.0);
            estimated + prompt_tokens(usage) + of("output") + of("reasoning")
        }
        None => estimated + system_tokens(system) + tools.map_or(0.0, tool_tokens),
    }
}

fn is_anchor(message: Value<'_>) -> bool {
    is(message, "assistant")
        && !message.get("error").is_some_and(Value::is_truthy)
        && message.present("tokens").is_some_and(|usage| prompt_tokens(usage) > 0.0)
}

fn prompt_tokens(usage: Value<'_>) -> f64 {
    let cache = |key: &str| number(usage.get("cache").and_then(|cache| cache.get(key))).unwrap_or(0.0);
    number(usage.get("input")).unwrap_or(0.0) + cache("read") + cache("write")
}

/// The tokens of a message as sent; for the anchor, only of its tool results.
fn message_tokens(message: Value<'_>, is_the_anchor: bool) -> f64 {
    let text = |key: &str| message.text_of(key).map_or(0.0, text_tokens);
    match message.text_of("type").map(Text::decode).as_deref() {
        Some("user") => text("text") + message.elements_of("files").map(file_tokens).sum::<f64>(),
        Some("synthetic" | "skill" | "system") => text("text"),
        Some("shell") => {
            let output = message.get("output").and_then(|output| output.text_of("output"));
            let units = |text: Option<Text<'_>>| text.map_or(0, |text| text.length().utf16 as usize);
            tokens("Shell command: \n\n".len() + units(message.text_of("command")) + units(output))
        }
        Some("assistant") => {
            message.elements_of("content").map(|part| part_tokens(part, is_the_anchor)).sum::<f64>()
        }
        // The size of an encrypted checkpoint is unknown, so its text counts.
        Some("compaction") if is_completed_checkpoint(message) => {
            let of = |key: &str| message.text_of(key).map(Utf16::from).unwrap_or_default();
            tokens_of(&checkpoint_text(&of("summary"), &of("recent")))
        }
        _ => 0.0,
    }
}

fn part_tokens(part: Value<'_>, only_results: bool) -> f64 {
    if is(part, "text") || is(part, "reasoning") {
        return if only_results { 0.0 } else { part.text_of("text").map_or(0.0, text_tokens) };
    }
    let Some(state) = part.present("state") else { return 0.0 };
    let mut call = part.text_of("name").map(Utf16::from).unwrap_or_default();
    match state.get("input") {
        Some(input) if input.is_string() => call.push(&input.text().map(Utf16::from).unwrap_or_default()),
        Some(input) => call.push(&stringify(input)),
        None => {}
    }
    let call = if only_results { 0.0 } else { tokens_of(&call) };
    call + result_tokens(state)
}

fn result_tokens(state: Value<'_>) -> f64 {
    let status = state.text_of("status").map(Text::decode);
    let content = || {
        state.elements_of("content").map(|item| match item.text_of("text") {
            Some(text) if is(item, "text") => text_tokens(text),
            _ => media_tokens(item),
        })
    };
    match status.as_deref() {
        Some("completed") if content().next().is_some() => content().sum(),
        Some("completed") => state.present("structured").map_or(0.0, |value| tokens_of(&stringify(value))),
        Some("error") => {
            let members = ["error", "content", "structured"].into_iter().filter_map(|key| state.get(key));
            members.map(|value| tokens_of(&stringify(value))).sum()
        }
        _ => 0.0,
    }
}

/// A text file counts by its text, which is a quarter shorter than its base64; other files by their kind.
fn file_tokens(file: Value<'_>) -> f64 {
    let is_text = file.text_of("mime").is_some_and(|mime| mime.is("text/plain"));
    let data = file.text_of("data").filter(|_| is_text);
    data.map_or_else(|| media_tokens(file), |data| tokens(data.length().utf16 as usize / 4 * 3))
}

fn media_tokens(file: Value<'_>) -> f64 {
    let mime = file.text_of("mime").map(|mime| mime.decode().to_ascii_lowercase()).unwrap_or_default();
    match mime.as_str() {
        "application/pdf" => PDF_TOKENS,
        image if image.starts_with("image/") => IMAGE_TOKENS,
        _ => 0.0,
    }
}

fn system_tokens(system: Option<Value<'_>>) -> f64 {
    let of = |part: Value<'_>| part.text().or_else(|| part.text_of("text")).map_or(0.0, text_tokens);
    system.map_or(0.0, |system| of(system) + system.elements().map(of).sum::<f64>())
}

fn tool_tokens(tools: Value<'_>) -> f64 {
    tools
        .elements()
        .map(|tool| {
            let mut text = tool.text_of("name").map(Utf16::from).unwrap_or_default();
            text.push(&tool.text_of("description").map(Utf16::from).unwrap_or_default());
            text.push(&tool.get("inputSchema").map(stringify).unwrap_or_default());
            tokens_of(&text)
        })
        .sum()
}

fn text_tokens(text: Text<'_>) -> f64 {
    tokens(text.length().utf16 as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencode_v2::Version;
    use ebbline::json::Document;

    const ANSWER: &str = r#"{"type":"assistant","tokens":{"input":100,"output":20,"reasoning":3,"cache":{"read":10,
        "write":1}},"content":[{"type":"text","text":"not counted"},{"type":"tool","name":"t","state":
        {"status":"completed","input":{},"content":[{"type":"text","text":"12345678"},{"mime":"image/png"}]}}]}"#;

    fn of(messages: &str) -> u64 {
        let document = Document::parse(messages).unwrap();
        let messages: Vec<_> = document.root().elements().collect();
        estimate(&messages, None, None) as u64
    }

    #[test]
    fn usage_counts_and_what_it_does_not_cover_is_estimated() {
        let user = r#"{"type":"user","text":"12345678","files":[{"mime":"application/pdf"}]}"#;
        assert_eq!(of(&format!("[{user}]")), 2_002);
        assert_eq!(of(&format!("[{user},{ANSWER}]")), 134 + 2 + 1_500);
        assert_eq!(of(&format!("[{ANSWER},{user}]")), 134 + 1_502 + 2_002);
        let failed = ANSWER.replacen('{', r#"{"error":{"name":"x"},"#, 1);
        // Its own estimate: 11 and 3 units of text and call, then the results.
        assert_eq!(of(&format!("[{failed}]")), 3 + 1 + 1_502);
    }

    #[test]
    fn system_and_tools_count_while_there_is_no_usage() {
        let [system, tools] = [r#"["12345678"]"#, r#"[{"name":"ab","description":"cd","inputSchema":{}}]"#];
        let (system, tools) = (Document::parse(system).unwrap(), Document::parse(tools).unwrap());
        assert_eq!(estimate(&[], Some(system.root()), Some(tools.root())) as u64, 2 + 2);
        let answer = Document::parse(ANSWER).unwrap();
        let with = estimate(&[answer.root()], Some(system.root()), Some(tools.root()));
        assert_eq!(with as u64, of(&format!("[{ANSWER}]")));
    }

    #[test]
    fn the_lower_of_two_ceilings_requires_compaction_but_not_twice_in_a_row() {
        let settings = Settings { buffer: 100.0, ..Version::Later.settings() };
        let checkpoint = r#"{"type":"compaction","status":"completed","summary":"s","recent":"r"}"#;
        let user = format!(r#"{{"type":"user","text":"{}"}}"#, "x".repeat(4_000));
        for (messages, context, input, output, required) in [
            (&user, 1_100.0, None, 0.0, true),
            (&user, 1_101.0, None, 0.0, false),
            (&user, 1_101.0, None, 101.0, true),
            (&user, 9_000.0, Some(1_100.0), 0.0, true),
            (&user, 33_000.0, None, 900_000.0, true),
            (&user, 33_001.0, None, 900_000.0, false),
            (&user, 0.0, None, 0.0, false),
            (&format!("{user},{checkpoint}"), 1_100.0, None, 0.0, false),
        ] {
            let document = format!("[{messages}]");
            let document = Document::parse(&document).unwrap();
            let messages: Vec<_> = document.root().elements().collect();
            let limits = Limits { context: Some(context), input, output: Some(output) };
            assert_eq!(is_required(&messages, limits, settings, None, None), required, "{context} {output}");
        }
    }
}
