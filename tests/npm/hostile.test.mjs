// Every function of the package and every method of its classes, with hostile values in every argument: the result is a value
// or an EbblineError with a documented code, and afterwards everything works as before. With EBBLINE_HOSTILE=long, each call
// has two hostile values.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { HOSTILE, Thrown } from './hostile-values.mjs';
import { ebbline, fixture, lists, packageFolder } from './package.mjs';

const { EbblineError, Session, compat } = ebbline;
const isLong = process.env.EBBLINE_HOSTILE === 'long';
Error.stackTraceLimit = isLong ? 10 : 3;

const types = ['dist/generated/words.d.ts', 'dist/tokenizers/tokenizer-error.d.ts'].map((name) =>
  readFileSync(join(packageFolder, name), 'utf8'),
);
const CODES = new Set(
  types.flatMap((text) => {
    const [, list] = /export type (?:Tokenizer)?ErrorCode =([^;]*);/u.exec(text);
    return [...list.matchAll(/^\s*(?:\| )?["'](\w+)["']$/gmu)].map(([, code]) => code);
  }),
);

/** The messages of the language's own errors when it reads such values. */
const LANGUAGE =
  /revoked|proxy|[Cc]annot convert|detached|call stack|not a function|Invalid array length|species|circular|trap|mix BigInt|may not be accessed|BigInt value/u;

/** Makes a call, and asserts that its outcome is documented. */
function attempt(what, call) {
  try {
    const value = call();
    if (typeof value?.then === 'function') return value.then(undefined, (error) => assertDocumented(what, error));
    return value;
  } catch (error) {
    return assertDocumented(what, error);
  }
}

let refusals = 0;

let drawn = 0;
/** Whether to make a call: one of `oneOf`, but all of them over many runs. A prime number reaches every value and
 * place. */
const isDrawn = (oneOf) => {
  drawn += 1;
  return isLong || drawn % oneOf === 0;
};

function assertDocumented(what, error) {
  refusals += 1;
  assert.ok(error instanceof EbblineError, `${what}: ${error?.stack ?? String(error)}`);
  assert.ok(CODES.has(error.code), `${what}: ${error.code}`);
  assert.ok(typeof error.message === 'string' && error.message.length > 5 && error.message.length < 2000, `${what}: ${error.message}`);
  if (error.code !== 'unreadable') return undefined;
  // The error does not come from the package's own reading.
  const { cause } = error;
  const isTheirs = cause === undefined || cause instanceof Thrown || LANGUAGE.test(String(cause?.message));
  assert.ok(isTheirs, `${what}: ${cause?.stack}`);
  return undefined;
}

const CHAT = [
  { role: 'user', content: 'Read it.' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"a":1}' } }] },
  { role: 'tool', tool_call_id: 'c1', content: 'x'.repeat(400) },
  { role: 'assistant', content: 'Done.' },
];
const TIGHT = {
  set: {
    'prune.protect': 0,
    'prune.minimum': 1,
    'prune.onlyWhenFull': false,
    'prune.downTo': 0,
    'prune.preview': 0,
    'prune.protectedTurns': 0,
    'retain.keep': 1,
    'model.context': 300,
  },
  force: true,
};
const OPTIONS = [
  'profile',
  'policy',
  'model',
  'set',
  'format',
  'force',
  'strict',
  'conversation',
  'knownTokens',
  'now',
  'freeBytes',
  'summary',
  'also',
  'except',
  'countTokens',
  'focus',
  'budgetTokens',
  'verify',
  'provider',
  'contextWindow',
  'desiredMaxOutput',
  'special',
  'environment',
  'nothing',
  'overhead',
  'usage',
  'rates',
  'prices',
  'cache',
  'loss',
  'windows',
  'policies',
  'moments',
  'cacheCheck',
];
const OF_POLICY = { set: TIGHT.set };
const TIGHT_COMPACTOR = { ...OF_POLICY, timeout: 1_000, accept: /** @type {false} */ (false) };
const ROOMY = { ...TIGHT, budgetTokens: 5_000 };
const requested = ebbline.summaryRequest(CHAT, ROOMY);

/** Every function with valid arguments. */
const FUNCTIONS = {
  plan: [CHAT, TIGHT],
  compact: [CHAT, { ...TIGHT, summary: 'So far.' }],
  providerCompaction: ['anthropic', { ...OF_POLICY, thinking: true, instructions: 'Be short.' }],
  createCompactor: [
    {
      ...OF_POLICY,
      auto: true,
      failures: 2,
      cooldown: 2,
      summarize: () => 'So far.',
      accept: { facts: 1 },
      timeout: 9,
      fallback: 'history',
      pins: [{ contains: 'x' }],
      when: { messages: 9 },
      store: { get: () => undefined, put: () => undefined },
      originals: 'record',
      onEvent: () => undefined,
      signal: new AbortController().signal,
      record: { version: 1, messages: 0, overhead: null, controller: [], changes: [], originals: [] },
      background: false,
      hooks: {},
      overlap: 'wait',
    },
  ],
  recallTool: ['mcp'],
  read: [CHAT, TIGHT],
  detect: [CHAT],
  audit: [JSON.stringify(CHAT), { strict: false }],
  replay: [CHAT, { ...OF_POLICY, overhead: 10, rates: { cached: 0.5 }, cache: { minimum: 10 } }],
  compare: [CHAT, ['pi@1.5', OF_POLICY], { prices: { input: 1, output: 2 } }],
  sweep: [
    [JSON.stringify(CHAT)],
    { policy: 'ebbline@2', set: { 'prune.minimum': [1, 2] }, windows: [400], policies: ['pi@1.5'] },
    { overhead: 5 },
  ],
  repair: [JSON.stringify(CHAT), { format: 'openai_chat' }],
  validate: [CHAT, { also: ['last_role'] }],
  summaryRequest: [CHAT, ROOMY],
  finishSummary: [requested, '## Goal\n\nx'],
  reviewSummary: [requested, '## Goal\n\nx'],
  classifyError: [new Error('prompt is too long'), { contextWindow: 9 }],
  policyFromSettings: ['pi@1.5', '{}', { environment: {} }],
  profiles: [],
};

/** The calls with a hostile value in each place: as each argument, and as each member of the options. */
function* placed(args, value, options = OPTIONS) {
  for (let at = 0; at < args.length; at += 1) {
    yield [`argument ${at}`, args.with(at, value())];
    if (typeof args[at] !== 'object' || Array.isArray(args[at]) || ArrayBuffer.isView(args[at])) continue;
    for (const name of new Set([...options, ...Object.keys(args[at])])) {
      yield [`argument ${at}, ${name}`, args.with(at, { ...args[at], [name]: value() })];
    }
  }
  yield ['one argument more', [...args, value(), value()]];
}

/** Values that lie or throw are tested in two places at once. */
const SHARP = Object.entries(HOSTILE).filter(([name]) => /proxy|traps|throw|revoked|lie/u.test(name));

test('every function that can be called is called here', () => {
  const names = Object.keys(ebbline).filter((name) => typeof ebbline[name] === 'function');
  assert.deepEqual(names.sort(), [...Object.keys(FUNCTIONS), 'EbblineError', 'Session', 'init'].sort());
});

for (const [name, args] of Object.entries(FUNCTIONS)) {
  test(`${name} of anything`, () => {
    const before = refusals;
    const known = JSON.stringify(attempt(name, () => ebbline[name](...args)));
    for (const [what, value] of Object.entries(HOSTILE)) {
      for (const [place, given] of placed(args, value)) {
        attempt(`${name}: ${what} as ${place}`, () => ebbline[name](...given));
        if (!isLong) continue;
        for (const [also, other] of SHARP) {
          for (let at = 0; at < given.length; at += 1) {
            attempt(`${name}: ${what} as ${place}, and ${also} as ${at}`, () => ebbline[name](...given.with(at, other())));
          }
        }
      }
    }
    assert.ok(args.length === 0 || refusals > before);
    assert.equal(JSON.stringify(attempt(name, () => ebbline[name](...args))), known, 'it works as before');
  });
}

/** A message of each format in which each member in turn is hostile, at any depth. */
function* damaged(message, value, depth = 0) {
  yield value();
  if (typeof message !== 'object' || message === null || depth > 4) return;
  for (const key of Object.keys(message)) {
    for (const inner of damaged(message[key], value, depth + 1)) {
      const copy = Array.isArray(message) ? [...message] : { ...message };
      copy[key] = inner;
      yield copy;
    }
  }
}

/** The first messages of a fixture that differ in shape. */
function shapes(messages) {
  const seen = new Set();
  return messages.filter((message) => {
    const shape = JSON.stringify(message, (_, value) => (typeof value === 'string' && value.length > 20 ? '' : value)).slice(0, 120);
    return !seen.has(shape) && seen.add(shape) && seen.size <= (isLong ? 30 : 2);
  });
}

/** Hostile values that a walk reads into; it treats the others as texts and numbers. */
const INNER = Object.entries(HOSTILE).filter(([name]) => {
  // A list that grows forever is read forever, like a getter that does not return.
  if (name === 'a list that grows without end') return false;
  return isLong || !/weak map|date|expression|promise|boxed|globalThis|zero|negative/u.test(name);
});

for (const [name, format] of Object.entries(lists)) {
  test(`messages of ${name} with anything inside`, () => {
    const messages = JSON.parse(fixture(name));
    let calls = 0;
    for (const message of shapes(messages)) {
      for (const [what, value] of INNER) {
        for (const bad of damaged(message, value)) {
          if (!isDrawn(7)) continue;
          calls += 1;
          const list = [bad, ...messages.slice(0, 3)];
          attempt(`${format}: ${what}`, () => ebbline.compact(list, { ...TIGHT, format, summary: 'So far.' }));
          if (!isLong && calls % 17 !== 0) continue;
          attempt(`${format}: ${what}`, () => ebbline.plan(list, TIGHT).messages);
          attempt(`${format}: ${what}`, () => ebbline.validate(list));
          attempt(`${format}: ${what}`, () => ebbline.read(list));
          attempt(`${format}: ${what}`, () => ebbline.summaryRequest(list, TIGHT));
          attempt(`${format}: ${what}`, () => ebbline.plan(list, { ...TIGHT, profile: 'pi@1.5', countTokens: (text) => text.length }));
        }
      }
    }
    assert.ok(calls > 20, `${calls} calls`);
    assert.deepEqual(ebbline.plan(messages, { format }).messages.length, messages.length);
  });
}

const SESSION_CALLS = {
  push: [{ role: 'user', content: 'More.' }],
  sync: [CHAT],
  truncate: [2],
  check: [{ force: true }],
  plan: [{ force: true }],
  apply: [{ summary: 'So far.', force: true }],
  summaryRequest: [{ force: true }],
  snapshot: [],
};

test('sessions of anything, asked anything', () => {
  const members = Object.getOwnPropertyNames(Session.prototype).filter((name) => name !== 'constructor');
  const expected = JSON.stringify(ebbline.plan(CHAT, TIGHT));
  assert.deepEqual(members.sort(), [...Object.keys(SESSION_CALLS), 'format', 'free', 'length', 'messages'].sort());
  for (const [what, value] of Object.entries(HOSTILE)) {
    for (const [place, given] of placed([TIGHT], value, isLong ? OPTIONS : ['format', 'verify']))
      attempt(`Session: ${what} as ${place}`, () => new Session(...given).free());
    for (const [name, args] of Object.entries(SESSION_CALLS)) {
      for (const [place, given] of placed(args, value, isLong ? OPTIONS : [])) {
        if (!isDrawn(5)) continue;
        const session = new Session(TIGHT);
        session.push(CHAT);
        attempt(`${name}: ${what} as ${place}`, () => session[name](...given));
        for (const member of ['length', 'format', 'messages']) attempt(`${name}, ${member}: ${what}`, () => session[member]);
        attempt(`${name}, then check: ${what}`, () => session.check());
        attempt(`${name}, then snapshot: ${what}`, () => session.snapshot());
        session.truncate(0);
        session.sync(CHAT);
        assert.equal(JSON.stringify(session.plan()), expected, `${name}, then as before: ${what} as ${place}`);
        session.free();
      }
    }
    for (const name of members) {
      const { get, value: method } = Object.getOwnPropertyDescriptor(Session.prototype, name);
      assert.throws(
        () => (get ?? method).call(value()),
        (error) => error instanceof EbblineError,
        `${name} of ${what}`,
      );
    }
  }
});

/** A call of each method of a compactor. */
const COMPACTOR_CALLS = {
  prepare: [CHAT, { idle: 1, focus: 'the fault' }],
  recover: [new Error('prompt is too long: 213462 tokens > 200000 maximum'), CHAT, { focus: 'the fault' }],
  compactNow: [CHAT, { focus: 'the fault' }],
  usage: [{ input_tokens: 7 }],
  contextUsage: [],
  undo: [],
  redo: [],
  recall: ['call_1'],
};

test('compactors of anything, asked anything', async () => {
  const { createCompactor } = ebbline;
  const made = createCompactor(OF_POLICY);
  const members = Object.getOwnPropertyNames(Object.getPrototypeOf(made)).filter((name) => name !== 'constructor');
  assert.deepEqual(members.sort(), [...Object.keys(COMPACTOR_CALLS), 'begunAnew', 'free', 'record'].sort());
  const expected = JSON.stringify(await made.prepare(CHAT));
  for (const [what, value] of Object.entries(HOSTILE)) {
    for (const [name, args] of Object.entries(COMPACTOR_CALLS)) {
      for (const [place, given] of placed(args, value, isLong ? OPTIONS : [])) {
        if (!isDrawn(3)) continue;
        const compactor = createCompactor(OF_POLICY);
        const call = () => compactor[name](...given);
        try {
          await call();
        } catch (error) {
          // An error that is no overflow is thrown again as it is.
          if (!Object.is(error, given[0])) assertDocumented(`${name}: ${what} as ${place}`, error);
        }
        attempt(`${name}, then contextUsage: ${what}`, () => compactor.contextUsage());
        attempt(`${name}, then record: ${what}`, () => compactor.record);
        compactor.free();
        const other = createCompactor(OF_POLICY);
        assert.equal(JSON.stringify(await other.prepare(CHAT)), expected);
        other.free();
      }
    }
  }
});

test('sessions restored from anything', () => {
  const session = new Session(TIGHT);
  session.push(CHAT);
  const bytes = session.snapshot();
  for (const [what, value] of Object.entries(HOSTILE)) {
    for (const [place, given] of placed([bytes, CHAT, {}], value, ['countTokens', 'nothing'])) {
      attempt(`restore: ${what} as ${place}`, () => Session.restore(...given).free());
    }
  }
  assert.deepEqual(Session.restore(bytes, CHAT).plan(), session.plan());
});

test('compat of anything', async () => {
  await ebbline.init({ compat: true });
  const known = compat.pi.estimate([]);
  for (const [system, questions] of Object.entries(compat)) {
    for (const [name, ask] of Object.entries(questions)) {
      for (const [what, value] of Object.entries(HOSTILE)) {
        for (const [place, given] of placed([[], {}], value, isLong ? OPTIONS : ['model']))
          if (isDrawn(7)) attempt(`compat.${system}.${name}: ${what} as ${place}`, () => ask(...given));
      }
    }
  }
  assert.deepEqual(compat.pi.estimate([]), known);
});

test('tokenizers of anything', async () => {
  const { load, loadSync } = await import(pathToFileURL(join(packageFolder, 'dist/tokenizers/o200k-node.js')).href);
  for (const [what, value] of Object.entries(HOSTILE)) {
    for (const [place, given] of placed([{}], value, ['wasm', 'ranks', 'nothing'])) {
      const loaded = [
        attempt(`loadSync: ${what} as ${place}`, () => loadSync(...given)),
        await attempt(`load: ${what} as ${place}`, () => load(...given)),
      ];
      for (const tokenizer of loaded) tokenizer?.free();
    }
  }
  const tokenizer = await load();
  const tokens = tokenizer.encode('hello world');
  for (const [what, value] of Object.entries(HOSTILE)) {
    for (const [name, args] of Object.entries({ count: ['x', {}], encode: ['x', {}], decode: [tokens] })) {
      for (const [place, given] of placed(args, value, ['special', 'strict', 'nothing']))
        attempt(`${name}: ${what} as ${place}`, () => tokenizer[name](...given));
    }
  }
  assert.equal(tokenizer.decode(tokens), 'hello world');
  assert.equal(tokenizer.count('hello world'), tokens.length);
  assert.throws(
    () =>
      tokenizer.count('x', {
        get special() {
          tokenizer.free();
          return 'none';
        },
      }),
    { code: 'freed' },
  );
});

test('compactors with anything inside their options', async () => {
  const { createCompactor } = ebbline;
  for (const [what, value] of Object.entries(HOSTILE)) {
    const changes = [{ at: 1, cause: 'asked', replaced: [{ message: 2, checksum: 1, becomes: value() }] }];
    const record = { version: 1, messages: 4, controller: [], changes, originals: value() };
    for (const [place, options] of Object.entries({
      pins: { pins: [value()] },
      tool: { pins: [{ tool: value() }] },
      contains: { pins: [{ contains: value() }] },
      path: { pins: [{ path: value() }] },
      message: { pins: [{ message: () => value() }] },
      when: { when: { any: [value()] } },
      'when, all': { when: { all: value() } },
      idle: { when: { idle: value() } },
      'an answer': { summarize: () => value() },
      'a wish': { summarize: () => 'So far.', hooks: { before: () => value() } },
      'what a store returns': { store: { get: () => value(), put: () => value() }, record },
      'originals of a record': { record },
      'an original': { record: { ...record, originals: [{ message: 2, original: value() }] } },
      now: { now: () => value() },
    })) {
      if (!isDrawn(2)) continue;
      const compactor = attempt(`${place}: ${what}`, () => createCompactor({ ...TIGHT_COMPACTOR, ...options }));
      if (compactor === undefined) continue;
      for (const name of ['prepare', 'compactNow']) {
        await compactor[name](CHAT).catch((error) => {
          // What hooks and stores throw is passed on as it is.
          const isTheirs = error instanceof Thrown || (error instanceof TypeError && LANGUAGE.test(error.message));
          if (!(isTheirs && /wish|store/u.test(place))) assertDocumented(`${place}: ${what}, ${name}`, error);
        });
      }
      attempt(`${place}: ${what}, record`, () => compactor.record);
      compactor.free();
    }
  }
});
