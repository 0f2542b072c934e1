// Scripted models for LangChain.js, which refuse what is larger than their window with the error of a real provider.

import assert from 'node:assert/strict';

import { tool } from '@langchain/core/tools';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, isBaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { z } from 'zod';

import { WINDOW } from './compacting.mjs';
import { tokensOf } from './tokens.mjs';

/** The tokens that are sent beside the messages. */
const BESIDE = 3_000;
export const STEPS = 200;

/** A chat model that answers as `answer` says. */
export class ScriptedModel extends BaseChatModel {
  constructor(answer) {
    super({});
    this.answer = answer;
  }

  _llmType() {
    return 'scripted';
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    return { generations: [{ text: '', message: await this.answer(messages) }] };
  }

  async *_streamResponseChunks(messages) {
    const { content, tool_calls = [], usage_metadata } = await this.answer(messages);
    const tool_call_chunks = tool_calls.map(({ id, name, args }, index) => ({ id, name, args: JSON.stringify(args), index }));
    for (const part of content.split(/(?<=\. )/)) yield chunk({ content: part });
    yield chunk({ content: '', tool_call_chunks, usage_metadata });
  }
}

function chunk(fields) {
  return new ChatGenerationChunk({ text: fields.content, message: new AIMessageChunk(fields) });
}

/**
 * A model that calls a tool in each of `steps` requests and then answers, and what it was sent.
 *
 * @param {{ steps?: number, window?: number, call?: (request: number) => object }} [options]
 */
export function scripted({ steps = STEPS, window = WINDOW, call = (request) => ({ name: 'read', args: { at: request } }) } = {}) {
  const seen = { requests: 0, refused: 0, changes: 0, last: [] };
  const model = new ScriptedModel((messages) => {
    if (!messages.every(isBaseMessage)) throw new Error('The model got a message that is no instance.');
    assertValid(messages);
    const sent = messages.map(({ type, content, tool_calls, tool_call_id }) => ({ type, content, tool_calls, tool_call_id }));
    const size = tokensOf(sent) + BESIDE;
    if (size > window) {
      seen.refused += 1;
      const message = `400 This model's maximum context length is ${window} tokens. However, your messages resulted in ${size} tokens.`;
      throw Object.assign(new Error(message), { status: 400, code: 'context_length_exceeded' });
    }
    seen.requests += 1;
    const now = sent.map((message) => JSON.stringify(message));
    if (seen.last.some((message, at) => message !== now[at])) seen.changes += 1;
    seen.last = now;
    const usage_metadata = { input_tokens: size, output_tokens: 90, total_tokens: size + 90 };
    if (seen.requests % (steps + 1) === 0) return new AIMessage({ content: 'It is found.', usage_metadata });
    const content = 'The fault may be in the next file, because the last one did not have it. '.repeat(4);
    return new AIMessage({ content, tool_calls: [{ id: `c${seen.requests}`, ...call(seen.requests) }], usage_metadata });
  });
  return { model, seen };
}

/** Every result must follow its call, and every call must have its result, or a provider would refuse the request. */
function assertValid(messages) {
  const open = new Set();
  for (const { type, tool_calls = [], tool_call_id } of messages) {
    if (type === 'tool') assert.ok(open.delete(tool_call_id), 'a result has no call');
    else assert.equal(open.size, 0, 'a call has no result');
    for (const { id } of tool_calls) open.add(id);
  }
  assert.equal(open.size, 0, 'a call has no result');
}

export const read = tool(async ({ at }) => `line ${at} of the file\n`.repeat(60), {
  name: 'read',
  description: 'Reads a part of the file.',
  schema: z.object({ at: z.number() }),
});
