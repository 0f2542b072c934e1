// Runs a scripted session in npm's compactor, and prints what it says. alike.mjs says what a session is.

import { SHAPES } from '../npm/agent.mjs';
import { ebbline } from '../npm/package.mjs';

const { createCompactor } = ebbline;
const NOW = 1_767_225_600_000;
/** After so many turns of the event loop, a call that has not returned waits for the model. */
const TURNS = 30;
export const LIMITS = { model: { context: 16_000, output: 2_000 }, set: { 'prune.enabled': false, 'retain.keep': 2_000 } };
export const SMALL = { ...LIMITS, accept: false };
/** Functions that count tokens; test_alike.py has the same. */
export const COUNTERS = {
  words: (text) => text.split(' ').length * 1.3,
  letters: (text) => text.length * 0.37,
};
const { openai_chat, openai_responses, ...others } = SHAPES;
// A message of Mastra holds a date, which JSON has not.
const { mastra: _, ...more } = others;
export const FORMATS = { openai_chat, openai_responses, ...(process.env.EBBLINE_LONG === '1' && more) };

const turns = async (count) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** What happened, without what only one of the packages says. */
function told({ type, plan: _, error, code = type === 'overflow' ? undefined : (error?.code ?? (error && 'summary_failed')), ...event }) {
  const { cause, messages, tokens, part, parts, pruned, summarized, orders, pins, byRule = false, tokensBefore, tokensAfter } = event;
  return { type, cause, messages, tokens, part, parts, pruned, summarized, orders, pins, byRule, tokensBefore, tokensAfter, code };
}

/** Runs the steps of a session, and prints them with what npm says. */
export async function run(name, { fails, ...options }, steps, answers = ['The agent read some files.']) {
  const pool = [];
  const places = new Map();
  const placed = (history) =>
    history.map((message) => {
      if (!places.has(message)) places.set(message, pool.push(message) - 1);
      return places.get(message);
    });
  const requests = [];
  const events = [];
  let open;
  const summarize = (request, { signal }) => {
    requests.push(request.messages.map(({ content }) => content));
    return new Promise((resolve, reject) => {
      const mine = { resolve, reject };
      open = mine;
      signal?.addEventListener('abort', () => {
        if (open === mine) open = undefined;
        reject(signal.reason);
      });
    });
  };
  const texts = new Map();
  const puts = [];
  const store = {
    get: async (key) => texts.get(key),
    put: async (key, text) => {
      puts.push([key, text]);
      if (fails.includes(puts.length)) throw new Error('the disk is full');
      texts.set(key, text);
    },
  };
  let answered = 0;
  const answer = () => {
    const { resolve, reject } = open;
    const text = answers[answered % answers.length];
    answered += 1;
    open = undefined;
    if (text === null) reject(new Error('the model is down'));
    else resolve(`${text} (${answered})`.replace(/^ .*/, ''));
  };
  const asks = options.summarize === 'deterministic' ? {} : { summarize };
  const stores = fails === undefined ? {} : { store };
  const { countTokens } = options;
  const counts = countTokens === undefined ? {} : { countTokens: COUNTERS[countTokens] };
  const given = { ...options, ...asks, ...stores, ...counts, now: () => NOW, onEvent: (event) => events.push(told(event)) };
  let compactor = createCompactor(given);
  let last = [];
  const written = [];
  for (const { do: what, history, ...how } of steps) {
    let view;
    let code;
    if (what === 'answer') {
      if (open !== undefined) answer();
      await turns(TURNS);
    } else if (what === 'undo' || what === 'redo') compactor[what]();
    else if (what === 'undoAll') while (compactor.undo());
    else if (what === 'usage') compactor.usage(...(how.answer === undefined ? [] : [how.answer]), how.reported);
    else {
      // An agent that kept only what was sent goes on in another process.
      const kept = what === 'keep' ? [...JSON.parse(JSON.stringify(last)), ...history] : history;
      if (what === 'keep') compactor = createCompactor({ ...given, record: JSON.parse(JSON.stringify(compactor.record)) });
      const made = what === 'keep' ? 'prepare' : what;
      const { error, ...wishes } = how;
      const call = what === 'recover' ? compactor.recover(new Error(error), history, wishes) : compactor[made](kept, wishes);
      let isDone = false;
      const settled = call.then(
        (messages) => {
          view = messages;
          last = messages;
          isDone = true;
        },
        (error) => {
          code = error.code ?? 'error';
          isDone = true;
        },
      );
      while (!isDone) {
        await turns(TURNS);
        if (!isDone && open !== undefined) answer();
      }
      await settled;
    }
    const { overhead } = compactor.record;
    const said = { view, code, events: events.splice(0), isOpen: open !== undefined, overhead };
    written.push({ do: what, ...(history && { history: placed(history) }), ...how, said });
  }
  const { controller, ...record } = compactor.record;
  console.log(JSON.stringify({ name, options, answers, fails, pool, steps: written, requests, puts, record }));
}

export const prepare = (history, how) => ({ do: 'prepare', history, ...how });
export const ANSWER = { do: 'answer' };
