import { bytesIn } from './bytes.js';
import * as core from './core.js';
import { engineMemory } from './engine.js';
import { guarded } from './guard.js';
import type { Classification, ClassifyOptions } from './classification.js';
import { checkedForErrors } from './options.js';
import { policyOf } from './ready-policy.js';
import { putText } from './text-buffer.js';

/** What the engine reads of an error. Requests, headers and sockets, which errors often contain, are not copied. */
const MEMBERS = [
  'name',
  'message',
  'errorMessage',
  'error_message',
  'errorText',
  'error_description',
  'msg',
  'title',
  'statusText',
  'Message',
  'statusMessage',
  'originalMessage',
  'description',
  'exception_message',
  'err_msg',
  'error_msg',
  'code',
  'type',
  'errorCode',
  'error_code',
  '__type',
  'error_type',
  'errorType',
  'Code',
  'Type',
  'errcode',
  'err_code',
  'status_msg',
  'status',
  'statusCode',
  'status_code',
  'httpStatus',
  'httpStatusCode',
  'error',
  'cause',
  'responseBody',
  'body',
  'data',
  'response',
  'detail',
  'details',
  'errors',
  'lastError',
  'reason',
  'metadata',
  'raw',
  'value',
  '$metadata',
  '$response',
  'innererror',
  'innerError',
  'inner_error',
  'Error',
  'exceptions',
  'originalError',
  'original_error',
  'original_exception',
  'exception',
  'failure',
  'rawResponse',
  'rawMessage',
  'incomplete_details',
  'base_resp',
  'fault',
  'parsed_body',
  'n_ctx',
  'context_length',
  'max_context_length',
  'context_window',
  'max_model_len',
  'url',
  'provider',
  'providerID',
  'providerId',
  'provider_name',
  'stopReason',
  'stop_reason',
  'finishReason',
  'finish_reason',
  'done_reason',
  'choices',
  'candidates',
  'response_metadata',
  'usageMetadata',
  'usage_metadata',
  'totalUsage',
  'usage',
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'input_tokens',
  'output_tokens',
  'prompt_tokens',
  'completion_tokens',
  'inputTokens',
  'outputTokens',
  'total',
  'promptTokens',
  'completionTokens',
  'promptTokenCount',
  'candidatesTokenCount',
  'prompt_eval_count',
  'eval_count',
  'cacheReadInputTokens',
  'cacheWriteInputTokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
];
const DEEPEST = 12;
const MOST_ELEMENTS = 64;
/** How many members are read, in an error and everything inside it. */
const MOST_MEMBERS = 20_000;
/** How many characters of one text, and of all texts together, are read. */
const LONGEST_TEXT = 65_536;
const MOST_CHARACTERS = 1 << 20;

/**
 * Says whether an error means that the context was too large, so that compacting and sending the request again helps.
 *
 * It takes any value that a client throws: errors of the AI SDK and of the OpenAI, Anthropic, Google and AWS clients, responses
 * of `fetch` (not their unread bodies), texts, errors inside errors and in JSON bodies, and also an assistant message of pi.
 * It distinguishes rate limits, throttling and limits of other things. An error that is not understood has the kind `other`;
 * nothing is thrown for it.
 *
 * @throws {@link EbblineError} for options that do not exist
 *
 * @example
 * ```js
 * try {
 *   return await generate(messages);
 * } catch (error) {
 *   if (classifyError(error).kind !== 'context_overflow') throw error;
 *   messages = compact(messages, { ...options, force: true }).messages;
 *   return await generate(messages);
 * }
 * ```
 */
export const classifyError = guarded(function classifyError(error: unknown, options?: ClassifyOptions): Classification {
  const given = checkedForErrors(options);
  engineMemory();
  const { named, ...ofModel } = ofPolicy(given);
  const { profile, provider, contextWindow = ofModel.contextWindow, desiredMaxOutput = ofModel.desiredMaxOutput } = given;
  const { buffer, length } = putText(JSON.stringify(new Look().at(error)) ?? 'null');
  return JSON.parse(core.classifyFailure(buffer, length, profile, named, provider, contextWindow, desiredMaxOutput));
});

interface ToldByPolicy {
  named?: string;
  contextWindow?: number | undefined;
  desiredMaxOutput?: number | undefined;
}

/** What a policy tells: its name, and the limits of its model if they are given. A profile alone is only a name. */
function ofPolicy({ profile, policy, model, set }: ClassifyOptions): ToldByPolicy {
  if (policy === undefined && model === undefined && set === undefined) return {};
  const { profile: named } = JSON.parse(policyOf({ profile, policy, model, set }).json);
  const limits = { ...policy?.model, ...model };
  return { named, contextWindow: limits.context || undefined, desiredMaxOutput: limits.output || undefined };
}

/** What represents a value: plain JSON. */
type Plain = string | number | boolean | undefined | PlainObject | (Plain | null)[];
interface PlainObject {
  [name: string]: Plain;
}

/** An object that is still to be read, and what represents it. */
interface Waiting {
  value: object;
  plain: PlainObject | (Plain | null)[];
  depth: number;
}

/**
 * Converts a thrown value to plain JSON, whatever its class, getters and cycles. It reads breadth first, so that
 * errors that create new errors endlessly end at the limit.
 */
class Look {
  #members = MOST_MEMBERS;
  #characters = MOST_CHARACTERS;
  #seen = new Set<object>();
  #waiting: Waiting[] = [];

  at(thrown: unknown) {
    const top = this.#plain(thrown, 0);
    for (let next = 0; next < this.#waiting.length && this.#members > 0; next += 1) this.#into(this.#waiting[next]);
    return top;
  }

  /** The plain representation of a value; its members are read later. */
  #plain(value: unknown, depth: number): Plain {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'bigint':
        return value < LARGEST && value > -LARGEST ? String(value) : undefined;
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'boolean':
        return value;
      case 'object':
        return value === null ? undefined : this.#object(value, depth);
      default:
        return undefined;
    }
  }

  #object(value: object, depth: number): Plain {
    if (depth > DEEPEST || this.#seen.has(value)) return undefined;
    this.#seen.add(value);
    const bytes = bytesIn(value);
    if (bytes !== undefined) return this.#text(decoded(bytes));
    const isList = attempt(() => Array.isArray(value));
    if (isList === undefined || ArrayBuffer.isView(value)) return undefined;
    const plain = isList ? [] : {};
    this.#waiting.push({ value, plain, depth: depth + 1 });
    return plain;
  }

  #into({ value, plain, depth }: Waiting) {
    if (Array.isArray(plain)) {
      const length = attempt(() => (value as { length?: unknown }).length);
      const end = typeof length === 'number' ? Math.min(length, MOST_ELEMENTS) : 0;
      for (let at = 0; at < end; at += 1) plain.push(this.#member(value, at, depth) ?? null);
    } else {
      for (const name of MEMBERS) plain[name] = this.#member(value, name, depth);
    }
  }

  #member(object: object, name: string | number, depth: number) {
    if (this.#members === 0) return undefined;
    this.#members -= 1;
    return this.#plain(
      attempt(() => (object as Record<string | number, unknown>)[name]),
      depth,
    );
  }

  /** As much of a text as the limit allows, half from each end: the error message is before a log or after it. */
  #text(text: string) {
    const most = Math.min(LONGEST_TEXT, this.#characters);
    const shown = text.length <= most ? text : `${text.slice(0, most / 2)}\n${text.slice(text.length - most / 2 + 1)}`;
    this.#characters -= Math.min(shown.length, most);
    return shown;
  }
}

/** The result of a call, unless it throws: getters and proxies of a broken error may do anything. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** A body of bytes as text; its two ends are enough. */
function decoded(bytes: Uint8Array) {
  if (bytes.length <= LONGEST_TEXT) return attempt(() => decoder.decode(bytes.slice())) ?? '';
  const half = LONGEST_TEXT / 2;
  return attempt(() => `${decoder.decode(bytes.slice(0, half))}\n${decoder.decode(bytes.slice(-half))}`) ?? '';
}

const decoder = new TextDecoder();
/** The largest number that an error may contain; writing a larger one would take long. */
const LARGEST = 2n ** 64n;
