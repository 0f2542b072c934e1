import * as core from './core.js';
import { engineMemory } from './engine.js';
import { checkedForErrors } from './options.js';
import { putText } from './text.js';

/** What the engine looks at in an error. Requests, headers and sockets, which errors often hold too, stay where they are. */
const MEMBERS = [
  'name', 'message', 'errorMessage', 'error_message', 'errorText', 'error_description', 'msg', 'title', 'statusText',
  'code', 'type', 'errorCode', 'error_code', '__type', 'status', 'statusCode', 'status_code', 'httpStatus', 'httpStatusCode',
  'error', 'cause', 'responseBody', 'body', 'data', 'response', 'detail', 'details', 'errors', 'lastError', 'reason', 'metadata',
  'raw', 'value', '$metadata', '$response', 'url', 'provider', 'providerID', 'providerId', 'provider_name',
  'stopReason', 'stop_reason', 'finishReason', 'finish_reason', 'usage',
  'input', 'output', 'cacheRead', 'cacheWrite', 'input_tokens', 'output_tokens', 'prompt_tokens', 'completion_tokens',
  'inputTokens', 'outputTokens', 'cachedInputTokens', 'cache_read_input_tokens', 'cache_creation_input_tokens',
];
const DEEPEST = 12;
const MOST_ELEMENTS = 64;
const LONGEST_TEXT = 65_536;

/** Whether an error means that the context was too large, or something that compacting would not help. */
export function classifyError(error, options) {
  const { profile, provider, contextWindow, desiredMaxOutput } = checkedForErrors(options);
  engineMemory();
  const { buffer, length } = putText(JSON.stringify(plain(error, 0, new Set())) ?? 'null');
  return JSON.parse(core.classifyFailure(buffer, length, profile, provider, contextWindow, desiredMaxOutput));
}

/** What was thrown as plain JSON: whatever its class, its getters and its circles. */
function plain(value, depth, seen) {
  if (typeof value === 'string') return value.slice(0, LONGEST_TEXT);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? value : undefined;
  if (depth > DEEPEST || seen.has(value)) return undefined;
  seen.add(value);
  if (Array.isArray(value)) return value.slice(0, MOST_ELEMENTS).map((element) => plain(element, depth + 1, seen) ?? null);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return decoded(value);
  const members = {};
  for (const name of MEMBERS) members[name] = plain(read(value, name), depth + 1, seen);
  return members;
}

/** A member; getters and proxies of a broken error may throw. */
function read(object, name) {
  try {
    return object[name];
  } catch {
    return undefined;
  }
}

/** A body that was kept as bytes. */
function decoded(bytes) {
  const view = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
  return new TextDecoder().decode(view.subarray(0, LONGEST_TEXT));
}
