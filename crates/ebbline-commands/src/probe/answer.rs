//! What a command answers a chat completion request with: a completion of OpenAI's form, or a bare text.

use ebbline::binding::probe::RECALL;
use ebbline::json::{Document, Value};

/// The tool by which the package's own agents have an output back.
const TOOL: &str = "recall";

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) text: String,
    /// The tokens of the request, as the server counted them.
    pub(crate) counted: Option<u64>,
}

/// Reads an answer.
///
/// # Errors
///
/// A sentence, if it is none.
pub(crate) fn read(said: &str) -> Result<Answer, String> {
    if said.trim().is_empty() {
        return Err("the command answered nothing".to_owned());
    }
    let document = if said.trim_start().starts_with('{') { Document::parse(said.trim()).ok() } else { None };
    let Some(root) = document.as_ref().map(Document::root) else { return Ok(bare(said)) };
    if let Some(error) = root.get("error").filter(|error| error.is_object() || error.text().is_some()) {
        let why = error.text().or_else(|| error.text_of("message"));
        let why = why.map_or_else(|| error.source().to_owned(), |why| why.decode().into_owned());
        return Err(format!("the server answered with an error: {}", why.lines().next().unwrap_or_default()));
    }
    let Some(choices) = root.get("choices") else { return Ok(bare(said)) };
    let message = choices.elements().next().and_then(|choice| choice.get("message"));
    let Some(message) = message else { return Err("the server answered without a message".to_owned()) };
    let counted = root.get("usage").and_then(|usage| usage.get("prompt_tokens")).and_then(Value::number);
    let counted = counted.filter(|tokens| *tokens >= 0.0).map(|tokens| tokens as u64);
    Ok(Answer { text: recall_of(message).unwrap_or_else(|| content_of(message)), counted })
}

fn bare(said: &str) -> Answer {
    Answer { text: said.trim().to_owned(), counted: None }
}

/// The words of a message: a text, or the texts of its parts.
fn content_of(message: Value<'_>) -> String {
    let Some(content) = message.get("content") else { return String::new() };
    if let Some(text) = content.text() {
        return text.decode().trim().to_owned();
    }
    let texts = content.elements().filter_map(|part| part.text_of("text"));
    texts.map(|text| text.decode().into_owned()).collect::<String>().trim().to_owned()
}

/// A call of a tool that has an output back, in the words in which a model asks for it.
fn recall_of(message: Value<'_>) -> Option<String> {
    let calls = message.get("tool_calls")?.elements();
    let mut functions = calls.filter_map(|call| call.get("function"));
    let function = functions
        .find(|function| function.text_of("name").is_some_and(|name| name.decode().starts_with(TOOL)))?;
    let arguments = function.text_of("arguments")?.decode().into_owned();
    let document = Document::parse(&arguments).ok()?;
    let reference = document.root().members().find_map(|(_, value)| value.text())?;
    Some(format!("{RECALL} {}", reference.decode()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_completion_or_a_text() {
        for (said, text, counted) in [
            ("48213\n", "48213", None),
            (r#"{"port": 48213}"#, r#"{"port": 48213}"#, None),
            (
                r#"{"choices":[{"message":{"role":"assistant","content":" 48213 "}}],"usage":{"prompt_tokens":71}}"#,
                "48213",
                Some(71),
            ),
            (
                r#"{"choices":[{"message":{"content":[{"type":"text","text":"482"},{"type":"text","text":"13"}]}}]}"#,
                "48213",
                None,
            ),
            (r#"{"choices":[{"message":{"content":null}}]}"#, "", None),
            (
                r#"{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"name":"recall_output","arguments":"{\"ref\":\"kpbmgken\"}"}}]}}]}"#,
                "RECALL kpbmgken",
                None,
            ),
        ] {
            assert_eq!(read(said), Ok(Answer { text: text.to_owned(), counted }), "{said}");
        }
    }

    #[test]
    fn what_is_no_answer_is_said_in_a_sentence() {
        for (said, sentence) in [
            (" \n", "the command answered nothing"),
            (
                r#"{"error":{"message":"no such model\nsorry"}}"#,
                "the server answered with an error: no such model",
            ),
            (r#"{"error":"busy"}"#, "the server answered with an error: busy"),
            (r#"{"choices":[]}"#, "the server answered without a message"),
        ] {
            assert_eq!(read(said), Err(sentence.to_owned()), "{said}");
        }
    }
}
