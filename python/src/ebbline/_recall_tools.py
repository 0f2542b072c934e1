"""Written by `cargo xtask gen` from the engine's definitions. Change those, not this file."""

from __future__ import annotations

from typing import Literal

Spelling = Literal["openai_chat", "openai_responses", "anthropic_messages", "gemini_contents", "bedrock_converse", "mcp"]

# The tool that gets a cleared output back as JSON, in each provider's spelling.
RECALL_TOOLS: dict[Spelling, str] = {
    "openai_chat": '{"type":"function","function":{"name":"recall_output","description":"Returns the whole output of an earlier tool call whose output was cleared from the conversation. Such an output ends with a reference, as in [ref abcdefgh].","parameters":{"type":"object","properties":{"ref":{"type":"string","description":"The eight letters of the reference, or the id of the tool call."}},"required":["ref"],"additionalProperties":false}}}',
    "openai_responses": '{"type":"function","name":"recall_output","description":"Returns the whole output of an earlier tool call whose output was cleared from the conversation. Such an output ends with a reference, as in [ref abcdefgh].","parameters":{"type":"object","properties":{"ref":{"type":"string","description":"The eight letters of the reference, or the id of the tool call."}},"required":["ref"],"additionalProperties":false},"strict":true}',
    "anthropic_messages": '{"name":"recall_output","description":"Returns the whole output of an earlier tool call whose output was cleared from the conversation. Such an output ends with a reference, as in [ref abcdefgh].","input_schema":{"type":"object","properties":{"ref":{"type":"string","description":"The eight letters of the reference, or the id of the tool call."}},"required":["ref"],"additionalProperties":false}}',
    "gemini_contents": '{"functionDeclarations":[{"name":"recall_output","description":"Returns the whole output of an earlier tool call whose output was cleared from the conversation. Such an output ends with a reference, as in [ref abcdefgh].","parametersJsonSchema":{"type":"object","properties":{"ref":{"type":"string","description":"The eight letters of the reference, or the id of the tool call."}},"required":["ref"],"additionalProperties":false}}]}',
    "bedrock_converse": '{"toolSpec":{"name":"recall_output","description":"Returns the whole output of an earlier tool call whose output was cleared from the conversation. Such an output ends with a reference, as in [ref abcdefgh].","inputSchema":{"json":{"type":"object","properties":{"ref":{"type":"string","description":"The eight letters of the reference, or the id of the tool call."}},"required":["ref"],"additionalProperties":false}}}}',
    "mcp": '{"name":"recall_output","description":"Returns the whole output of an earlier tool call whose output was cleared from the conversation. Such an output ends with a reference, as in [ref abcdefgh].","inputSchema":{"type":"object","properties":{"ref":{"type":"string","description":"The eight letters of the reference, or the id of the tool call."}},"required":["ref"],"additionalProperties":false}}',
}
