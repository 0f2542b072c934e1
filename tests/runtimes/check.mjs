// What the package must do in every runtime. This file runs in all of them, so it uses no runtime's own modules; its
// answers are compared with Node's.

/** OpenCode's rules estimate from lengths alone, so the totals below can be computed by hand. */
const OPTIONS = { profile: 'opencode@2026-01', model: { context: 200_000, output: 32_000 } };
const PLACEHOLDER = '[Old tool result content cleared]';
const OVERFLOW = 'prompt is too long: 213462 tokens > 200000 maximum';

/** Letters of one, two, three and four bytes in UTF-8. */
const SPOKEN = 'Grüße, 世界 👋';
const HELLO_WORLD = { o200k: [24_912, 2_375], cl100k: [15_339, 1_917] };

const call = (id) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
});
const result = (id, content) => ({ role: 'tool', tool_call_id: id, content });

/** 4 code units are one token: 3 + 4 + 25,000 + 4 + 30,000 + 1 + 1 + 1 + 1. */
const MESSAGES = [
  { role: 'user', content: SPOKEN },
  call('old'),
  result('old', 'é'.repeat(100_000)),
  call('new'),
  result('new', '世'.repeat(120_000)),
  { role: 'assistant', content: 'done' },
  { role: 'user', content: 'next' },
  { role: 'assistant', content: 'yes.' },
  { role: 'user', content: 'more' },
];
const BEFORE = 55_015;
/** The older output lies outside the 40,000 protected tokens; its placeholder counts 8. */
const AFTER = BEFORE - 25_000 + 8;

/** How a runtime loads the module for texts. */
export const AT_ONCE = 'texts at once';
export const AFTER_INIT = 'texts after init({ files: true })';

/**
 * Calls everything that the package exports and that every runtime supports.
 *
 * @param {typeof import('ebbline')} ebbline
 * @param {{ source?: unknown, tokenizers?: object }} [with_]  what `init` gets; the tokenizers, if the package has any
 * @returns {Promise<{ checked: string[], answers: object }>}
 */
export async function check(ebbline, { source, tokenizers = {} } = {}) {
  const checked = [];
  const answers = {};
  const done = (what, answer) => {
    checked.push(what);
    answers[what] = answer;
  };

  equal(await ebbline.init(source && { engine: source }), undefined, 'init resolves to nothing');
  equal(await ebbline.init(), undefined, 'a second init does nothing');

  done('live array', liveArray(ebbline));
  checked.push(await loadedTexts(ebbline));
  done('text', text(ebbline));
  done('errors', errors(ebbline));
  done('compat', await compat(ebbline));
  if ('Session' in ebbline) done('Session', session(ebbline));
  for (const [name, tokenizer] of Object.entries(tokenizers)) done(name, await tokens(name, tokenizer, ebbline));
  return { checked, answers };
}

/** Whether texts are read at once, or once `init` has loaded their module. */
async function loadedTexts({ EbblineError, init, plan }) {
  const plain = JSON.stringify(MESSAGES);
  try {
    plan(plain);
    return AT_ONCE;
  } catch (error) {
    equal([error instanceof EbblineError, error.code], [true, 'not_initialized'], 'what a text needs is said');
    equal(/`await init\(\{ files: true \}\)` first/.test(error.message), true, 'and how to load it');
  }
  await init({ files: true });
  plan(plain);
  return AFTER_INIT;
}

function liveArray({ compact, plan, summaryRequest }) {
  const forced = { ...OPTIONS, force: true, set: { 'retain.keep': 1 }, profile: 'pi@1.5' };
  equal(summaryRequest(MESSAGES, forced).request.messages.length, 1, 'the request for a summary of live messages');
  const planned = plan(MESSAGES, OPTIONS);
  equal([planned.verdict, planned.tokensBefore, planned.tokensAfter], ['prune', BEFORE, AFTER], 'the plan of the live array');
  const { messages } = compact(MESSAGES, OPTIONS);
  equal(messages[2], result('old', PLACEHOLDER), 'the older output gives way');
  equal(messages.map((message, at) => message === MESSAGES[at]).indexOf(false), 2, 'the others are the very same objects');
  return [planned, plan(MESSAGES), plan(MESSAGES, { profile: 'pi@1.5', model: { context: 50_000 } })];
}

function text({ compact, detect, plan, profiles, read, validate }) {
  const written = JSON.stringify(MESSAGES);
  const bytes = new TextEncoder().encode(written);
  const planned = plan(written, OPTIONS);
  equal([planned.verdict, planned.tokensBefore, planned.tokensAfter], ['prune', BEFORE, AFTER], 'the plan of the text');
  const expected = JSON.stringify([...MESSAGES.slice(0, 2), result('old', PLACEHOLDER), ...MESSAGES.slice(3)]);
  equal(compact(written, OPTIONS).text, expected, 'the compacted text');
  equal(new TextDecoder().decode(compact(bytes, OPTIONS).bytes), expected, 'the compacted bytes');
  equal(validate(written).valid, true, 'the text is a valid request');
  equal(profiles()[0].name, 'ebbline@3', 'the default profile');
  return [planned, detect(written), read(written).counts];
}

function errors({ EbblineError, classifyError, plan }) {
  const failures = [
    [() => plan('[{"role":"user","content":"日本"}'), 'torn_line', 35],
    [() => plan([], { profile: 'nobody@1' }), 'unknown_profile', undefined],
    [() => plan(42), 'no_messages', undefined],
  ].map(([run, code, byte]) => {
    const error = thrownBy(run);
    equal([error instanceof EbblineError, error instanceof Error, error.name], [true, true, 'EbblineError'], `the class of ${code}`);
    equal([error.code, error.byte], [code, byte], 'code and place');
    return error.message;
  });
  equal(classifyError(new Error(OVERFLOW)).kind, 'context_overflow', 'what a provider’s error means');
  return failures;
}

async function compat({ compat, init }) {
  await init({ compat: true });
  const answer = compat.opencode.isContextOverflow(OVERFLOW);
  equal(answer, true, 'OpenCode takes the error for an overflow');
  return [answer, compat.pi.estimate([{ role: 'user', content: SPOKEN, timestamp: 0 }])];
}

/** The handle that an agent keeps decides as the stateless calls do. */
function session({ EbblineError, Session, plan }) {
  const session = new Session(OPTIONS);
  session.push(MESSAGES.slice(0, 5));
  session.push(MESSAGES.slice(5));
  const planned = session.plan();
  equal(planned.tokensAfter, AFTER, 'the plan of the session');
  equal(planned, plan(MESSAGES, OPTIONS), 'the same plan as that of the array');
  const checked = session.check();
  if (Symbol.dispose) equal(typeof session[Symbol.dispose], 'function', 'it can be disposed of');
  session.free();
  const late = thrownBy(() => session.check());
  equal([late instanceof EbblineError, late.code], [true, 'freed'], 'after free it throws');
  return checked;
}

async function tokens(name, { EbblineError, load }, ebbline) {
  equal(EbblineError === ebbline.EbblineError, true, 'one class of errors');
  const tokenizer = await load();
  equal([...tokenizer.encode('hello world')], HELLO_WORLD[name], `hello world in ${name}`);
  const ids = tokenizer.encode(SPOKEN);
  equal(tokenizer.count(SPOKEN), ids.length, 'as many tokens are counted as written');
  equal(tokenizer.decode(ids), SPOKEN, 'the tokens are those of the text');
  tokenizer.free();
  return [...ids];
}

function thrownBy(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function equal(actual, expected, what) {
  const [found, wanted] = [actual, expected].map((value) => JSON.stringify(value) ?? 'undefined');
  if (found !== wanted) throw new Error(`${what}: found ${found.slice(0, 300)}, expected ${wanted.slice(0, 300)}`);
}
