// Fourteen turns of the user in three processes, through the real packages of hosts: what each process gets is JSON that the one before wrote.
// The system prompt holds the time, and no message counts as changed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { strict } from './lives/life.mjs';
import { startProvider } from './provider.mjs';

const PROGRAM = fileURLToPath(new URL('turns-agent.mjs', import.meta.url));
const PROCESSES = [5, 5, 4];
const STEPS = 6;

async function run(...given) {
  const child = spawn(process.execPath, [PROGRAM, ...given], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes) => {
    said += bytes;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(code, 0, said);
}

/** The answer to request `number`, the first of which is 1. */
function answerTo(number) {
  if (number % STEPS === 0) return { text: `The part is done after request ${number}.` };
  const text = `I read file ${number}, because the one before does not round. `.repeat(8).trim();
  return { text, calls: [{ id: `call_${number}`, name: 'read', arguments: { at: number, which: 0 } }] };
}

for (const host of [
  'LangChain with a checkpointer',
  'Agents SDK, Responses',
  'Agents SDK, Chat',
  'AI SDK, UI messages',
  'AI SDK, model messages',
  'AI SDK, model messages, Anthropic',
  'Anthropic client with moving cache marks',
  'OpenAI client',
]) {
  test(`${host}: 14 turns in three processes, and no message counts as changed`, { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ebbline-turns-'));
    const file = join(folder, 'state.json');
    writeFileSync(file, JSON.stringify({ turn: 0, events: [], anew: [] }));
    const provider = await startProvider({ answer: ({ number }) => answerTo(number), faults: strict() });
    try {
      for (const turns of PROCESSES) await run(host, provider.url, file, String(turns));
    } finally {
      await provider.close();
    }
    const { events, anew } = JSON.parse(readFileSync(file, 'utf8'));
    rmSync(folder, { recursive: true });
    const { violations, requests, bodies } = provider.seen;
    assert.deepEqual(violations, []);
    assert.equal(requests, 14 * STEPS);
    assert.deepEqual(anew, []);
    const isOver = (type) => type === 'over_window';
    assert.deepEqual(new Set(events.filter((type) => !isOver(type))), new Set(['compacted', 'summary_requested']));
    // With the AI SDK and Anthropic, what has to stay in turn 5 is a little more than the 8,000 tokens of the window, and that is told.
    assert.ok(events.filter(isOver).length <= (host === 'AI SDK, model messages, Anthropic' ? 2 : 0));
    // Every turn had a system prompt of its own.
    const times = bodies.map((body) => /It is (2026-[^"]+Z)/.exec(JSON.stringify(body))?.[1]);
    assert.deepEqual([new Set(times).size, times.includes(undefined)], [14, false]);
  });
}
