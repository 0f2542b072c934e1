// The life of an agent: turns of the user, a restart of the process behind each, overflows, and a summarizer that fails every third time.

import assert from 'node:assert/strict';

import { ebbline } from '../adapter.mjs';
import { startProvider } from '../provider.mjs';
import { Memory } from '../server/memory.mjs';
import { PROVIDERS } from '../server/provider.mjs';
import { TURN, WINDOW, answerTo, factsOf, ordersUntil, wordsOf } from './world.mjs';

const SUMMARY =
  '## Goal\nFind out why invoices are off by one cent.\n\n## Progress\n### Done\n- [x] Files were read; none has the fault.\n\n## Next Steps\n1. Read on.';

/** What the servers of this folder are stricter in than the providers. */
const UNSAID = /^request\.|missing a `thought_signature`/;

/**
 * A host: `open` makes the agent of a process with what the one before stored, which is JSON. `say` is one turn of the user, and
 * returns the last words of the model; `stored` is what the next process gets; `record` the compactor's.
 *
 * @typedef {object} Host
 * @property {string} name
 * @property {boolean} [isLate] whether its answers are streamed, and an overflow may come inside the stream
 * @property {boolean} [namesWindow] whether the provider's refusal says how large the window is; Responses does not
 * @property {boolean} [recovers] whether it has a way through an overflow; if not, it is told the true window
 * @property {(about: { url: string, compactorOf: (more?: object) => any, stored: any }) => Promise<{
 *   say: (text: string) => Promise<string>, stored: () => any }>} open
 */

/**
 * Lives through so many turns.
 *
 * @param {Host} host
 * @param {number} turns
 */
export async function liveThrough({ open, isLate = false, recovers = true }, turns) {
  const provider = await startProvider({ window: WINDOW, isLate, answer: ({ number }) => answerTo(number), faults: strict() });
  const told = { asked: 0, events: {}, edits: [] };
  const compactorOf = (more = {}) =>
    ebbline.createCompactor({
      // Too large where an overflow is survived: then only the provider's words say how large the window is.
      model: { context: recovers ? WINDOW * 2.5 : WINDOW, output: 1_000 },
      summarize: async () => {
        told.asked += 1;
        if (told.asked % 3 === 0) throw new Error('the model that writes summaries is overloaded');
        return SUMMARY;
      },
      onEvent: (event) => {
        told.events[event.type] = (told.events[event.type] ?? 0) + 1;
        if (event.type === 'edited') told.edits.push(event.reason);
      },
      ...more,
    });
  let stored;
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      const agent = await open({ url: provider.url, compactorOf, stored: stored === undefined ? undefined : JSON.parse(stored) });
      const said = await agent.say(wordsOf(turn));
      assert.match(said, new RegExp(`^Part ${turn + 1} is done`));
      stored = JSON.stringify(await agent.stored());
    }
  } catch (error) {
    if (provider.seen.violations.length > 0) error.message = `${provider.seen.violations[0]}\n${error.message}`;
    throw error;
  } finally {
    await provider.close();
  }
  const { seen } = provider;
  const last = JSON.stringify(seen.bodies.at(-1));
  const facts = Array.from({ length: turns }, (_, turn) => factsOf(turn));
  const lost = [...facts, ...ordersUntil(turns)].filter((fact) => !last.includes(JSON.stringify(fact).slice(1, -1)));
  return { seen, told, lost, steps: seen.requests };
}

/** What a strict provider refuses. What a client adds beside what was said is its own affair, and the scripted one signs no calls. */
export function strict() {
  const memory = new Memory();
  return (format, body) => PROVIDERS[format].violations(withoutNames(body), memory).filter((fault) => !UNSAID.test(fault));
}

/** Names of speakers are taken by OpenAI, and sent by LangChain. */
function withoutNames({ messages, ...body }) {
  return messages === undefined ? body : { ...body, messages: messages.map(({ name, ...message }) => message) };
}

/** What every life must show. */
export function assertWhole({ seen, told, lost, steps }, turns, { recovers = true, namesWindow = true } = {}) {
  assert.deepEqual(seen.violations, []);
  assert.equal(steps, turns * TURN);
  assert.deepEqual(lost, []);
  assert.deepEqual(told.edits, []);
  // Each refusal is one that the size explains, and each was recovered from. A window that is named is learnt at once, and the
  // record takes it to the next process; one that is not is found by halves, in the first process alone.
  const most = recovers ? (namesWindow ? 1 : 5) : 0;
  assert.ok(seen.refused <= most, `${seen.refused} refusals, at most ${most} are expected`);
  if (recovers) assert.equal(told.events.overflow ?? 0, seen.refused);
  assert.ok((told.events.compacted ?? 0) >= turns, `${told.events.compacted} compactions`);
  assert.ok(told.asked >= 1 && (seen.refused >= 1 || !recovers), `${told.asked} summaries, ${seen.refused} refusals`);
}
