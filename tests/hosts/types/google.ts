import { type Content, GoogleGenAI } from '@google/genai';

import { createCompactor } from 'ebbline';
import { compacting } from 'ebbline/google';

const ai = new GoogleGenAI({ apiKey: 'none' });
const models = compacting(ai, createCompactor({ model: { context: 1_000_000 } }), { limits: () => ({ context: 8_000 }) });

export async function run(contents: Content[], abortSignal: AbortSignal): Promise<string | undefined> {
  const answer = await models.generateContent({ model: 'm', contents, config: { abortSignal } });
  contents.push(answer.candidates![0]!.content!);
  for await (const chunk of await models.generateContentStream({ model: 'm', contents })) chunk.text satisfies string | undefined;
  return answer.text;
}

// @ts-expect-error a compactor is needed
compacting(ai);
