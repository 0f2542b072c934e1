//! A context as messages of a chat completion, which every server of OpenAI's protocol reads.

use std::collections::HashMap;

use serde::Serialize;

/// A message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Said {
    /// `system`, `user`, `assistant` or `tool`.
    pub role: &'static str,
    /// What it says.
    pub content: Option<String>,
    /// The calls of an answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<Call>,
    /// The call whose output this is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    /// Its id.
    pub id: String,
    /// Always `function`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The function.
    pub function: Function,
}

/// What is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Function {
    /// The name of the tool.
    pub name: String,
    /// Its arguments as JSON.
    pub arguments: String,
}

impl Said {
    /// Words of one of both sides.
    #[must_use]
    pub fn words(role: &'static str, content: impl Into<String>) -> Self {
        Self { role, content: Some(content.into()), ..Self::default() }
    }
}

/// The id that a call has in a chat.
pub(super) fn id_of(call: u32) -> String {
    format!("call_{call}")
}

/// A call as a server takes it: the name of a tool has no other signs, and arguments are an object.
pub(super) fn call(number: u32, tool: &str, arguments: &str) -> Call {
    let sign =
        |sign: char| if sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-') { sign } else { '_' };
    let name: String = tool.chars().take(64).map(sign).collect();
    let name = if name.is_empty() { "tool".to_owned() } else { name };
    let is_object = crate::json::Document::parse(arguments).is_ok_and(|document| document.root().is_object());
    let arguments = if is_object {
        arguments.to_owned()
    } else {
        format!("{{\"input\":{}}}", crate::json::quote(arguments))
    };
    Call { id: id_of(number), kind: "function", function: Function { name, arguments } }
}

/// Puts the output of each call behind the answer that made it: a server refuses every other order. `outputs` are those of the
/// context, by their calls.
pub(super) fn ordered(said: Vec<Said>, mut outputs: HashMap<String, String>) -> Vec<Said> {
    let mut ordered = Vec::with_capacity(said.len());
    for message in said {
        let ids: Vec<String> = message.tool_calls.iter().map(|call| call.id.clone()).collect();
        ordered.push(message);
        for id in ids {
            let output = outputs.remove(&id).unwrap_or_else(|| "(no output)".to_owned());
            ordered.push(Said { tool_call_id: Some(id), ..Said::words("tool", output) });
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_stand_behind_their_calls() {
        let calls = vec![call(1, "read file", r#"{"path":"a"}"#), call(2, "", "ls")];
        let said = vec![
            Said { role: "assistant", tool_calls: calls, ..Said::default() },
            Said::words("user", "Go on."),
        ];
        let outputs = HashMap::from([("call_2".to_owned(), "a b".to_owned())]);
        let json = serde_json::to_string(&ordered(said, outputs)).unwrap();
        assert_eq!(
            json,
            concat!(
                r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}},"#,
                r#"{"id":"call_2","type":"function","function":{"name":"tool","arguments":"{\"input\":\"ls\"}"}}]},"#,
                r#"{"role":"tool","content":"(no output)","tool_call_id":"call_1"},{"role":"tool","content":"a b","tool_call_id":"call_2"},{"role":"user","content":"Go on."}]"#
            )
        );
    }
}
