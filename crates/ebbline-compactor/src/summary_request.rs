//! The request for a summary, with the members that every chat API has.

use ebbline::json::Writer;
use ebbline::summary::SummaryTask;

/// What a model is asked to summarize.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SummaryRequest {
    /// The system prompt.
    pub system: String,
    /// The messages, in order.
    pub messages: Vec<SummaryMessage>,
    /// The most tokens of the answer; `None` for the model's own limit.
    pub max_tokens: Option<u64>,
    /// Whether the agent may go on before the answer is there.
    pub is_background: bool,
    /// Whether a request in the background has to be answered now: nothing is sent before.
    pub is_awaited: bool,
}

/// A message of a request for a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SummaryMessage {
    /// `user` or `assistant`.
    pub role: &'static str,
    /// Its text.
    pub content: String,
}

impl SummaryRequest {
    /// The request of a task of the engine.
    #[must_use]
    pub fn of(task: &SummaryTask) -> Self {
        let message = |message: &ebbline::summary::RequestMessage| SummaryMessage {
            role: message.role,
            content: message.text.to_text(),
        };
        Self {
            system: task.request.system.clone(),
            messages: task.request.messages.iter().map(message).collect(),
            max_tokens: task.request.max_tokens,
            ..Self::default()
        }
    }

    /// The request with what is wrong about the answer. An answer without words is no message that a provider takes.
    #[must_use]
    pub fn reminded(mut self, answer: &str, reminder: &str) -> Self {
        let last = self.messages.last_mut().filter(|_| answer.trim().is_empty());
        if let Some(last) = last {
            *last = SummaryMessage { role: "user", content: [&last.content, "\n\n", reminder].concat() };
            return self;
        }
        let message = |role, content: &str| SummaryMessage { role, content: content.to_owned() };
        self.messages.extend([message("assistant", answer), message("user", reminder)]);
        self
    }

    /// All that it says: the system prompt and the messages, each in a line of its own.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.messages.iter().map(|message| message.content.as_str());
        std::iter::once(self.system.as_str()).chain(texts).collect::<Vec<_>>().join("\n")
    }

    /// The request as JSON: `{"system", "messages": [{"role", "content"}], "maxTokens"}`, with `"background"` and `"awaited"`
    /// in front where they are true.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        out.raw("{");
        for (name, is_so) in [("background", self.is_background), ("awaited", self.is_awaited)] {
            if is_so {
                out.string(name).raw(":true,");
            }
        }
        out.raw("\"system\":").string(&self.system).raw(",\"messages\":[");
        for (at, SummaryMessage { role, content }) in self.messages.iter().enumerate() {
            out.raw(if at == 0 { "{\"role\":" } else { ",{\"role\":" }).string(role);
            out.raw(",\"content\":").string(content).raw("}");
        }
        out.raw("],\"maxTokens\":");
        match self.max_tokens {
            Some(tokens) => out.number(tokens),
            None => out.raw("null"),
        };
        out.raw("}");
        out.finish()
    }

    /// The same request, that may be answered later, or has to be awaited now.
    pub(crate) fn in_background(&self, is_awaited: bool) -> Self {
        Self { is_background: true, is_awaited, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reminder_comes_behind_the_answer() {
        let request = SummaryRequest {
            system: "S".to_owned(),
            messages: vec![SummaryMessage { role: "user", content: "U".to_owned() }],
            max_tokens: Some(5),
            ..SummaryRequest::default()
        };
        assert_eq!(
            request.clone().reminded("A", "R").to_json(),
            r#"{"system":"S","messages":[{"role":"user","content":"U"},{"role":"assistant","content":"A"},{"role":"user","content":"R"}],"maxTokens":5}"#
        );
        let alone = r#"{"system":"S","messages":[{"role":"user","content":"U\n\nR"}],"maxTokens":5}"#;
        assert_eq!(request.reminded(" \n", "R").to_json(), alone);
    }
}
