import Anthropic from '@anthropic-ai/sdk';

import { createCompactor } from 'ebbline';
import { compacting } from 'ebbline/anthropic';

const client = new Anthropic({ apiKey: 'none' });
const create = compacting(client, createCompactor({ model: { context: 200_000 } }), { cache: '1h', limits: () => ({ context: 8_000 }) });

export async function run(messages: Anthropic.MessageParam[], signal: AbortSignal): Promise<string> {
  const message = await create({ model: 'm', max_tokens: 100, messages }, { signal });
  messages.push({ role: 'assistant', content: message.content });
  for await (const event of await create({ model: 'm', max_tokens: 100, messages, stream: true })) event.type satisfies string;
  const { data, response } = await create({ model: 'm', max_tokens: 100, messages }).withResponse();
  response.status satisfies number;
  data.stop_reason satisfies string | null;
  return create.stream({ model: 'm', max_tokens: 100, messages }).finalText();
}

export async function beta(messages: Anthropic.Beta.BetaMessageParam[]): Promise<Anthropic.Beta.BetaMessage> {
  const createBeta = compacting(client.beta, createCompactor());
  return createBeta({ model: 'm', max_tokens: 100, messages, betas: ['context-management-2025-06-27'] });
}

// @ts-expect-error no such time to live
compacting(client, createCompactor(), { cache: '1d' });
// @ts-expect-error the arguments are the other way round
compacting(createCompactor(), client);
