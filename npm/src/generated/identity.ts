// Written by `cargo xtask gen` from the engine's definitions. Change those, not this file.

/** The members of a message that a model sees, in the order in which they are written. */
export const MESSAGE = [
  'audio', 'command', 'content', 'customType', 'encrypted_content', 'function_call', 'isError', 'is_error', 'kind',
  'name', 'output', 'parts', 'refusal', 'role', 'summary', 'toolCallId', 'toolInvocations', 'toolName', 'tool_call_id',
  'tool_calls', 'tool_name', 'type',
] as const;

/** The members of a part, and of an item that is no message, that no model sees. */
export const UNSEEN = [
  'annotations', 'cacheControl', 'cachePoint', 'cache_control', 'callProviderMetadata', 'caller', 'citations',
  'createdAt', 'created_at', 'experimental_providerMetadata', 'index', 'logprobs', 'messageID', 'metadata',
  'providerData', 'providerMetadata', 'providerOptions', 'resultProviderMetadata', 'sessionID', 'signature', 'status',
  'textSignature', 'thinkingSignature', 'thoughtSignature', 'thought_signature', 'time', 'timestamp',
] as const;

/** The members whose values are data of a tool: all that is in them is seen. */
export const DATA = [
  'args', 'arguments', 'input', 'json', 'response', 'result', 'value',
] as const;

/** The types of outputs that are written in parts. */
export const OUTPUTS = [
  'text', 'input_text', 'output_text', 'image', 'input_image', 'file', 'input_file', 'audio', 'input_audio',
  'computer_screenshot', 'content', 'json', 'error-text', 'error-json', 'execution-denied',
] as const;

/** The types of texts. */
export const TEXTS = [
  'text', 'input_text', 'output_text',
] as const;

/** The types of thoughts. */
export const THOUGHTS = [
  'reasoning', 'thinking',
] as const;

/** Other names of the id of a call: where one stands, `id` is that of the item. */
export const CALL_IDS = [
  'call_id', 'callId', 'callID', 'toolCallId', 'tool_use_id', 'toolUseId',
] as const;

/** The types of items and parts whose id others refer to. */
export const REFERRED = [
  'item_reference', 'mcp_approval_request', 'toolRequest', 'frontendToolRequest', 'toolResponse',
] as const;
