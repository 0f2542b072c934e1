// Plan a live array: what would happen to each message, and why, without changing anything.

import { plan } from 'ebbline';

import { history } from './model.mjs';

const messages = history(12, 20_000);
const planned = plan(messages, { model: { context: 40_000, output: 4_000 } });

console.log(`${planned.verdict}, because of ${planned.reason}`);
console.log(`${planned.tokensBefore > planned.tokensAfter ? 'smaller' : 'as large'} afterwards, fits: ${planned.fits}`);
const { fate, reason } = planned.messages[0];
console.log(`the first message is ${fate}: ${reason}`);

// It prints:
// → prune, because of outputs_beyond_protection
// → smaller afterwards, fits: true
// → the first message is kept: not_tool_output
