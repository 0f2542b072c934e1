// Scripted models for the AI SDK 6 and 7, which refuse what is larger than their window with the error of a real provider.

import assert from 'node:assert/strict';

import * as ai6 from 'ai';
import { MockLanguageModelV3, convertArrayToReadableStream } from 'ai/test';
import * as ai7 from 'ai7';
import { MockLanguageModelV4 } from 'ai7/test';
import { z } from 'zod';

import { WINDOW } from './compacting.mjs';
import { tokensOf } from './tokens.mjs';

/** The versions under test, each with its model and how it names a few things. */
export const SDKS = {
  'AI SDK 6': { ai: ai6, Model: MockLanguageModelV3, system: 'system', specificationVersion: 'v3' },
  'AI SDK 7': { ai: ai7, Model: MockLanguageModelV4, system: 'instructions', specificationVersion: 'v4' },
};

/** The tokens that are sent beside the messages. */
const BESIDE = 3_000;
export const STEPS = 200;

/** The error that a provider gives for a prompt of this size. */
export function overflow(ai, size, window) {
  const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${size} tokens.`;
  const responseBody = JSON.stringify({ error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } });
  return new ai.APICallError({ message, url: 'https://example.test/v1', requestBodyValues: {}, statusCode: 400, responseBody });
}

/**
 * A model that calls a tool in each of `steps` requests and then answers, and what it was sent.
 *
 * @param {typeof SDKS['AI SDK 6']} sdk
 * @param {{ steps?: number, window?: number, inStream?: boolean, tellsUsage?: boolean }} [options] `inStream`: whether an overflow is reported
 *   inside the stream
 */
export function scripted({ ai, Model }, { steps = STEPS, window = WINDOW, inStream = false, tellsUsage = true } = {}) {
  const seen = { requests: 0, refused: 0, changes: 0, prompts: [] };
  let before = [];
  const answer = ({ prompt }) => {
    assertValid(prompt);
    const size = tokensOf(prompt) + BESIDE;
    if (size > window) {
      seen.refused += 1;
      throw overflow(ai, size, window);
    }
    seen.requests += 1;
    const now = prompt.map((message) => JSON.stringify(message));
    if (before.some((message, at) => message !== now[at])) seen.changes += 1;
    before = now;
    seen.prompts.push(prompt);
    const total = tellsUsage ? size : undefined;
    const usage = {
      inputTokens: { total, cacheRead: 0, cacheWrite: 0, noCache: total },
      outputTokens: { total: 90, text: 90, reasoning: 0 },
    };
    if (seen.requests % (steps + 1) === 0) {
      return { content: [{ type: 'text', text: 'It is found.' }], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] };
    }
    const text = 'The fault may be in the next file, because the last one did not have it. '.repeat(4);
    const call = { type: 'tool-call', toolCallId: `c${seen.requests}`, toolName: 'read', input: JSON.stringify({ at: seen.requests }) };
    return { content: [{ type: 'text', text }, call], finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage, warnings: [] };
  };
  const parts = (options) => {
    const start = { type: 'stream-start', warnings: [] };
    try {
      const { content, finishReason, usage } = answer(options);
      return [start, ...content.flatMap(streamed), { type: 'finish', finishReason, usage }];
    } catch (error) {
      if (!inStream) throw error;
      return [start, { type: 'error', error }];
    }
  };
  const model = new Model({
    doGenerate: async (options) => answer(options),
    doStream: async (options) => ({ stream: convertArrayToReadableStream(parts(options)) }),
  });
  return { model: /** @type {any} */ (model), seen };
}

/** Every result must follow its call, and every call must have its result, or a provider would refuse the prompt. */
function assertValid(prompt) {
  const open = new Set();
  for (const { role, content } of prompt) {
    if (role !== 'tool') assert.equal(open.size, 0, 'a call has no result');
    for (const { type, toolCallId } of typeof content === 'string' ? [] : content) {
      if (type === 'tool-call') open.add(toolCallId);
      if (type === 'tool-result') assert.ok(open.delete(toolCallId), 'a result has no call');
    }
  }
  assert.equal(open.size, 0, 'a call has no result');
}

function streamed(part) {
  if (part.type !== 'text') return [part];
  return [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: part.text },
    { type: 'text-end', id: 't' },
  ];
}

export const tools = {
  read: ai6.tool({ inputSchema: z.object({ at: z.number() }), execute: async ({ at }) => `line ${at} of the file\n`.repeat(60) }),
};
