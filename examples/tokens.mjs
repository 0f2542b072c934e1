// Exact token counts instead of an estimate. Nothing of the tokenizer is loaded before `load` is called.

import { plan } from 'ebbline';
import { load } from 'ebbline/tokenizers/o200k';

import { history } from './model.mjs';

const o200k = await load();
console.log(`"hello world" is ${o200k.count('hello world')} tokens`);

const messages = history(4);
const model = { context: 40_000, output: 4_000 };
const estimated = plan(messages, { model });
const counted = plan(messages, { model, countTokens: (text) => o200k.count(text) });
const off = Math.abs(estimated.tokensBefore / counted.tokensBefore - 1);
console.log(`the estimate is less than 15 % off: ${off < 0.15}`);

// It prints:
// → "hello world" is 2 tokens
// → the estimate is less than 15 % off: true
