import OpenAI from 'openai';

import { createCompactor } from 'ebbline';
import { compacting } from 'ebbline/openai';

const client = new OpenAI({ apiKey: 'none' });
const create = compacting(client, createCompactor({ model: { context: 200_000 } }), {
  limits: ({ model }) => (model === 'small' ? { context: 8_000 } : { context: 200_000 }),
});

export async function chat(messages: OpenAI.Chat.ChatCompletionMessageParam[], signal: AbortSignal): Promise<string | null> {
  const answer = await create({ model: 'm', messages }, { signal });
  messages.push(answer.choices[0]!.message);
  for await (const chunk of await create({ model: 'm', messages, stream: true })) chunk.choices[0]?.delta.content;
  const { data, response, request_id } = await create({ model: 'm', messages }).withResponse();
  response.headers.get(request_id ?? '');
  return data.choices[0]!.message.content;
}

export async function responses(input: OpenAI.Responses.ResponseInputItem[]): Promise<string> {
  const answer = await create({ model: 'm', input });
  input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]));
  for await (const event of await create({ model: 'm', input, stream: true })) event.type satisfies string;
  return answer.output_text;
}

// @ts-expect-error a compactor is needed
compacting(client);
// @ts-expect-error no such option
compacting(client, createCompactor(), { cache: true });
// @ts-expect-error a message has a role
create({ model: 'm', messages: [{ content: 'Hello' }] });
