import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI, type LiveConnectConfig } from '@google/genai';
import OpenAI from 'openai';

import { createCompactor, providerCompaction, type AnthropicEdit } from 'ebbline';

const options = { model: { context: 200_000, output: 32_000 } };

/** What the client's types allow, and what a provider's parameters must not contain beyond it. */
type Params = Anthropic.Beta.Messages.MessageCreateParamsNonStreaming;
type Edit = NonNullable<NonNullable<Params['context_management']>['edits']>[number];
type IsExact<T, U> = [Exclude<keyof T, keyof U>] extends [never] ? true : false;
type Exact<E> = E extends { type: infer T } ? IsExact<E, Extract<Edit, { type: T }>> : false;
true satisfies Exact<AnthropicEdit>;

export async function anthropic(messages: Anthropic.Beta.BetaMessageParam[]): Promise<void> {
  const { parameters, cannot, beside } = providerCompaction('anthropic', { ...options, thinking: true, instructions: 'Name all files.' });
  const client = new Anthropic({ apiKey: 'none' });
  const answer = await client.beta.messages.create({ model: 'm', max_tokens: 100, messages, ...parameters });
  parameters satisfies Partial<Params>;
  for (const { knob, why } of cannot) `${knob}: ${why}` satisfies string;
  if (beside === null) return;
  const compactor = createCompactor({ ...options, set: beside.set });
  await client.beta.messages.create({ model: 'm', max_tokens: 100, messages, ...beside.parameters });
  compactor.usage(answer);
  // What the compactor reads of the answer.
  answer.context_management?.applied_edits.map(({ cleared_input_tokens }) => cleared_input_tokens satisfies number);
  answer.usage.iterations?.filter(({ type }) => type === 'compaction' || type === 'message');
  for (const block of answer.content) if (block.type === 'compaction') block.content satisfies string | null;
}

export async function openai(input: OpenAI.Responses.ResponseInputItem[]): Promise<void> {
  const { parameters } = providerCompaction('openai_responses', options);
  parameters satisfies Partial<OpenAI.Responses.ResponseCreateParams>;
  type Entry = NonNullable<NonNullable<OpenAI.Responses.ResponseCreateParams['context_management']>[number]>;
  type Ours = NonNullable<typeof parameters.context_management>[number];
  true satisfies IsExact<Ours, Entry>;
  const answer = await new OpenAI({ apiKey: 'none' }).responses.create({ model: 'm', input, ...parameters });
  for (const item of answer.output) if (item.type === 'compaction') item.encrypted_content satisfies string;
}

export async function gemini(): Promise<void> {
  const { parameters, beside } = providerCompaction('gemini', options);
  parameters satisfies LiveConnectConfig;
  true satisfies IsExact<typeof parameters, LiveConnectConfig>;
  beside?.parameters.contextWindowCompression;
  await new GoogleGenAI({ apiKey: 'none' }).live.connect({ model: 'm', config: parameters, callbacks: { onmessage: () => {} } });
}

// @ts-expect-error no such provider
providerCompaction('cohere');
// @ts-expect-error no such option
providerCompaction('anthropic', { thinkin: true });
