import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { generateText } from 'ai';
import { generateText as generateText7 } from 'ai7';
import { MockLanguageModelV3 } from 'ai/test';
import OpenAI from 'openai';

import { createCompactor } from 'ebbline';
import { bySize, firstOf, fromAISDK, fromAnthropic, fromGoogle, fromOpenAI } from 'ebbline/summarize';

const openai = new OpenAI({ apiKey: 'none' });
const model = new MockLanguageModelV3();

const small = fromOpenAI(openai, { model: 'small', temperature: 0 });
const large = fromAnthropic(new Anthropic({ apiKey: 'none' }), { model: 'large' });

export const compactors = [
  createCompactor({ summarize: small }),
  createCompactor({ summarize: fromOpenAI(openai, { model: 'small', api: 'responses', reasoning: { effort: 'low' } }) }),
  createCompactor({ summarize: fromAISDK(generateText, { model }) }),
  createCompactor({ summarize: fromAISDK(generateText7, { model: 'openai/small' }) }),
  createCompactor({ summarize: fromAISDK(model) }),
  createCompactor({ summarize: fromGoogle(new GoogleGenAI({ apiKey: 'none' }), { model: 'small', config: { temperature: 0 } }) }),
  createCompactor({
    summarize: bySize([
      { upTo: 32_000, summarize: small },
      { upTo: 200_000, summarize: large, price: 3 },
    ]),
  }),
  createCompactor({ summarize: firstOf([small, large, () => 'The session so far.']) }),
];

// @ts-expect-error a model is needed
fromOpenAI(openai, {});
// @ts-expect-error no client of OpenAI
fromOpenAI(new Anthropic(), { model: 'small' });
