//! The tool with which a model gets a cleared output back, as each provider has it spelled.

/// What the tool is called.
const NAME: &str = "recall_output";
/// What a model is told of it.
const DESCRIPTION: &str = "Returns the whole output of an earlier tool call whose output was cleared from the conversation. \
Such an output ends with a reference, as in [ref abcdefgh].";
/// Its arguments, as a JSON schema.
const PARAMETERS: &str = r#"{"type":"object","properties":{"ref":{"type":"string","description":"The eight letters of the reference, or the id of the tool call."}},"required":["ref"],"additionalProperties":false}"#;

/// The definition of the tool in each spelling, as JSON. An agent answers a call of it with
/// [`Compactor::recall`](crate::Compactor::recall) of its argument `ref`.
#[must_use]
pub fn recall_tools() -> [(&'static str, String); 6] {
    let told = format!(r#""name":"{NAME}","description":"{DESCRIPTION}""#);
    let with = |member: &str| format!(r#"{{{told},"{member}":{PARAMETERS}}}"#);
    [
        ("openai_chat", format!(r#"{{"type":"function","function":{}}}"#, with("parameters"))),
        (
            "openai_responses",
            format!(r#"{{"type":"function",{told},"parameters":{PARAMETERS},"strict":true}}"#),
        ),
        ("anthropic_messages", with("input_schema")),
        ("gemini_contents", format!(r#"{{"functionDeclarations":[{}]}}"#, with("parametersJsonSchema"))),
        ("bedrock_converse", format!(r#"{{"toolSpec":{{{told},"inputSchema":{{"json":{PARAMETERS}}}}}}}"#)),
        ("mcp", with("inputSchema")),
    ]
}

#[cfg(test)]
mod tests {
    use ebbline::json::Document;

    use super::*;

    #[test]
    fn every_spelling_is_json_that_names_the_tool() {
        for (spelling, tool) in recall_tools() {
            assert!(Document::parse(&tool).is_ok() && tool.contains(NAME), "{spelling}");
        }
    }
}
