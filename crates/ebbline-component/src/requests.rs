//! Requests for summaries as they leave: with the members that every chat API has.

use ebbline::json::{Document, Value, Writer};
use ebbline::summary::SummaryTask;

/// The request of a task: `{"system", "messages": [{"role", "content"}], "maxTokens"}`.
pub(crate) fn request(task: &SummaryTask) -> String {
    let mut out = Writer::default();
    out.raw("{\"system\":").string(&task.request.system).raw(",\"messages\":");
    for (at, message) in task.request.messages.iter().enumerate() {
        write(out.raw(if at == 0 { "[" } else { "," }), message.role, &message.text.to_text());
    }
    out.raw("],\"maxTokens\":");
    match task.request.max_tokens {
        Some(tokens) => out.number(tokens),
        None => out.raw("null"),
    };
    out.raw("}");
    out.finish()
}

/// A task: its request, and the context that an answer is judged by.
pub(crate) fn task(task: &SummaryTask) -> String {
    let whole = task.to_json();
    let document = Document::parse(&whole);
    let context = document.as_ref().ok().and_then(|document| document.root().get("context"));
    let context = context.map(|context| context.source()).unwrap_or_default();
    format!("{{\"request\":{},\"context\":{context}}}", request(task))
}

fn write(out: &mut Writer, role: &str, content: &str) {
    out.raw("{\"role\":").string(role).raw(",\"content\":").string(content).raw("}");
}

/// What a request says: its system prompt and its messages.
pub(crate) fn texts(request: &str) -> Vec<String> {
    let Ok(document) = Document::parse(request) else { return Vec::new() };
    let root = document.root();
    let contents = root.get("messages").into_iter().flat_map(Value::elements);
    let said = contents.filter_map(|message| message.text_of("content"));
    root.text_of("system").into_iter().chain(said).map(|text| text.decode().into_owned()).collect()
}

/// The request with what is wrong about the answer. An answer without words is no message that a provider takes.
pub(crate) fn reminded(request: &str, answer: &str, reminder: &str) -> String {
    let Ok(document) = Document::parse(request) else { return request.to_owned() };
    let mut out = Writer::default();
    out.raw("{");
    for (at, (name, value)) in document.root().members().enumerate() {
        out.raw(if at == 0 { "" } else { "," }).string(&name.decode()).raw(":");
        if !name.is("messages") {
            out.raw(value.source());
            continue;
        }
        let is_blank = answer.trim().is_empty();
        let count = value.elements().count();
        for (at, message) in value.elements().enumerate() {
            out.raw(if at == 0 { "[" } else { "," });
            let said = message.get("content").and_then(Value::text).filter(|_| is_blank && at + 1 == count);
            match said {
                Some(said) => write(&mut out, "user", &[&said.decode(), "\n\n", reminder].concat()),
                None => _ = out.raw(message.source()),
            }
        }
        if !is_blank {
            write(out.raw(","), "assistant", answer);
            write(out.raw(","), "user", reminder);
        }
        out.raw("]");
    }
    out.raw("}");
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reminder_comes_behind_the_answer() {
        let request = r#"{"system":"S","messages":[{"role":"user","content":"U"}],"maxTokens":5}"#;
        assert_eq!(
            reminded(request, "A", "R"),
            r#"{"system":"S","messages":[{"role":"user","content":"U"},{"role":"assistant","content":"A"},{"role":"user","content":"R"}],"maxTokens":5}"#
        );
        let alone = r#"{"system":"S","messages":[{"role":"user","content":"U\n\nR"}],"maxTokens":5}"#;
        assert_eq!(reminded(request, " \n", "R"), alone);
    }
}
