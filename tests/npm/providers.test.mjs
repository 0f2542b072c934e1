// Providers that compact by themselves: a policy as their parameters, what comes back from them, and a compactor beside them.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SHAPES, historyOf } from './agent.mjs';
import { ClearingProvider } from './clearing-provider.mjs';
import { ebbline } from './package.mjs';

const { compact, createCompactor, plan, policyFromSettings, providerCompaction, summaryRequest, validate } = ebbline;
const NAMES = /** @type {const} */ (['anthropic', 'openai_responses', 'gemini']);
const MODEL = { context: 200_000, output: 32_000 };
const ANTHROPIC = SHAPES.anthropic_messages;
const RESPONSES = SHAPES.openai_responses;

/** Everything that a policy can do is on. */
const EVERYTHING = {
  'estimator.separator': 1,
  'estimator.nativeNotation': true,
  'prune.protect': 1_000,
  'prune.minimum': 2_000,
  'prune.minimumContext': 100_000,
  'prune.onlyWhenFull': false,
  'prune.coldAfter': 300_000,
  'prune.breaksAtMost': 4,
  'prune.minimumTurns': 2,
  'prune.stopAtSummary': true,
  'prune.stopAtPruned': true,
  'prune.repeated': true,
  'prune.superseded': true,
  'prune.thinking': 3,
  'prune.arguments': 500,
  'prune.images': 2,
  'prune.excerpt': 100,
  'retain.keepShare': '50%',
  'retain.keepFloor': 500,
  'retain.turns': 3,
  'retain.forcedKeepsNothing': true,
};
/** Another value of each knob that is no number, switch or list. */
const OTHERS = {
  'estimator.unit': 'utf16',
  'estimator.rounding': 'floor',
  'estimator.rounded': 'message',
  'estimator.calls': 'arguments',
  'prune.minimumIs': 'above',
  'prune.placeholder': '[gone]',
  'retain.fill': 'at_most',
  'retain.snap': 'older',
  'retain.cut': 'before_turn',
  'retain.keepShare': '40%',
};

function otherThan(path, value) {
  if (Object.hasOwn(OTHERS, path)) return OTHERS[path];
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  assert.ok(Array.isArray(value), `${path}: ${value}`);
  return ['other'];
}

test('every knob that is turned changes the parameters, or is among those that cannot be said', () => {
  const whole = policyFromSettings('ebbline@2', {});
  for (const name of NAMES) {
    const before = providerCompaction(name, { model: MODEL, set: EVERYTHING });
    const unsaid = new Set(before.cannot.map(({ knob }) => knob));
    for (const group of ['estimator', 'prune', 'retain']) {
      for (const [knob, value] of Object.entries(whole[group])) {
        const path = `${group}.${knob}`;
        const set = { ...EVERYTHING, [path]: otherThan(path, EVERYTHING[path] ?? value) };
        const { parameters, cannot } = providerCompaction(name, { model: MODEL, set });
        const isSaid = JSON.stringify(parameters) !== JSON.stringify(before.parameters);
        const isListed = unsaid.has(path) || cannot.some((each) => each.knob === path);
        assert.ok(isSaid || isListed, `${name}: ${path}`);
      }
    }
    for (const { knob, why } of before.cannot) assert.match(why, /^[A-Z].{20,}\.$/, knob);
    assert.equal(unsaid.size, before.cannot.length);
  }
});

test('the newest thinking that a policy keeps is said', () => {
  const { parameters } = providerCompaction('anthropic', { model: MODEL, set: { 'prune.thinking': 2 } });
  assert.deepEqual(parameters.context_management.edits[0], { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 2 } });
});

test('the trigger is the threshold of the policy', () => {
  for (const set of [
    {},
    { 'trigger.reserve': 50_000 },
    { 'trigger.limit': 'less_output' },
    { 'trigger.lessKeep': true },
    { 'trigger.reserve': 60_000, 'trigger.reserveWithinOutput': true },
    { 'trigger.outputCap': 10_000, 'trigger.limit': 'less_output' },
    { 'trigger.reserve': 190_000, 'trigger.floor': 70_000, 'trigger.floorBelow': 0 },
  ]) {
    const options = { model: MODEL, set: /** @type {any} */ (set) };
    const { threshold } = plan([ANTHROPIC.person('Begin.')], { format: 'anthropic_messages', ...options }).trigger;
    const [clearing, compaction] = providerCompaction('anthropic', options).parameters.context_management.edits;
    assert.deepEqual([clearing.trigger.value, compaction.trigger.value], [threshold, threshold]);
    assert.equal(providerCompaction('openai_responses', options).parameters.context_management[0].compact_threshold, threshold);
    assert.equal(providerCompaction('gemini', options).parameters.contextWindowCompression.triggerTokens, String(threshold));
  }
});

test('the parameters are those of the provider, with the header of each beta', () => {
  const options = { model: MODEL, set: { 'prune.protectedTools': ['read'] }, thinking: true, instructions: 'Name all files.' };
  assert.deepEqual(providerCompaction('anthropic', options).parameters, {
    betas: ['context-management-2025-06-27', 'compact-2026-01-12'],
    context_management: {
      edits: [
        { type: 'clear_thinking_20251015', keep: 'all' },
        {
          type: 'clear_tool_uses_20250919',
          trigger: { type: 'input_tokens', value: 168_000 },
          keep: { type: 'tool_uses', value: 3 },
          clear_at_least: { type: 'input_tokens', value: 20_000 },
          exclude_tools: ['read'],
          clear_tool_inputs: false,
        },
        {
          type: 'compact_20260112',
          trigger: { type: 'input_tokens', value: 168_000 },
          pause_after_compaction: false,
          instructions: 'Name all files.',
        },
      ],
    },
  });
  assert.deepEqual(providerCompaction('gemini', { model: MODEL }).parameters, {
    contextWindowCompression: { triggerTokens: '168000', slidingWindow: { targetTokens: '20000' } },
  });
});

test('what a policy does not do is not asked of the provider', () => {
  const never = [{ 'prune.enabled': false, 'retain.enabled': false }, { 'trigger.enabled': false }];
  for (const name of NAMES) {
    for (const set of never) assert.deepEqual(providerCompaction(name, { model: MODEL, set }).parameters, {}, name);
    assert.deepEqual(providerCompaction(name, { model: { context: 0 } }).parameters, {}, name);
    assert.equal(providerCompaction(name, { model: MODEL, set: never[0] }).beside, null);
  }
  const { parameters } = providerCompaction('anthropic', { model: MODEL, set: { 'prune.enabled': false } });
  assert.deepEqual(parameters.betas, ['compact-2026-01-12']);
});

test('a window in which Anthropic would refuse the trigger is told apart', () => {
  const { parameters, cannot } = providerCompaction('anthropic', { model: { context: 32_000 } });
  assert.deepEqual(parameters.betas, ['context-management-2025-06-27']);
  assert.deepEqual(cannot[0], {
    knob: 'retain.enabled',
    why: 'The provider compacts from 50000 tokens on, and the context of this policy is full at 27200.',
  });
});

test('wrong arguments are refused with a sentence', () => {
  const wrong = /** @type {any} */ (providerCompaction);
  assert.throws(() => wrong('cohere'), { code: 'invalid_option', message: /one of anthropic, openai_responses, gemini/ });
  assert.throws(() => wrong('anthropic', { thinkin: true }), { code: 'invalid_option', message: /thinking/ });
  assert.throws(() => wrong('anthropic', { thinking: 'yes' }), { code: 'invalid_option' });
  assert.throws(() => wrong('anthropic', { profile: 'nobody@1' }), { code: 'unknown_profile' });
});

/** A history in which Anthropic compacted in the answer in the middle. */
function compactedBy(block) {
  const history = historyOf(ANTHROPIC, 4);
  const [call, result] = ANTHROPIC.step('after', 'line after\n'.repeat(90));
  const content = [block, { type: 'text', text: 'I go on.' }, ...call.content];
  return [...history, { role: 'assistant', content }, result, ...historyOf(ANTHROPIC, 4, 10)];
}

const BLOCK = { type: 'compaction', content: 'The fault is in src/c2.rs, line 40.', encrypted_content: 'gAAAA', signature: 'EqQB' };

test("what Anthropic's compaction stands for is neither counted nor changed, and the block stays as it is", () => {
  const history = compactedBy(BLOCK);
  assert.deepEqual(validate(history).violations, []);
  const planned = plan(history, { model: MODEL });
  const fates = planned.messages.map(({ fate }) => fate);
  assert.ok(fates.slice(0, 9).every((fate) => fate === 'inactive') && !fates.slice(9).includes('inactive'));
  const pruned = compact(history, { model: { context: 3_000 }, force: true });
  assert.ok(pruned.applied.pruned > 0);
  assert.deepEqual(pruned.messages.slice(0, 10), history.slice(0, 10));
  assert.deepEqual(validate(pruned.messages).violations, []);
});

test("a summary takes Anthropic's compaction into its request, and leaves nothing behind that the server would send again", () => {
  const history = compactedBy(BLOCK);
  const options = { model: { context: 3_000 }, force: true, set: { 'prune.enabled': false, 'retain.keep': 300 } };
  const request = summaryRequest(history, options);
  assert.match(JSON.stringify(request), /The fault is in src\/c2\.rs, line 40\./);
  const { messages, applied } = compact(history, { ...options, summary: 'The fault is in src/c2.rs, line 40.' });
  assert.ok(applied.summarized > 0);
  assert.equal(messages[0].role, 'user');
  assert.doesNotMatch(JSON.stringify(messages), /"compaction"|line 0 of the file/);
  assert.deepEqual(validate(messages).violations, []);
});

test("Anthropic's compaction that failed stands for nothing: what is before it is sent, counted and summarized", () => {
  for (const content of [null, undefined]) {
    const history = compactedBy({ type: 'compaction', content, encrypted_content: null });
    const planned = plan(history, { model: MODEL });
    assert.ok(planned.messages.every(({ fate }) => fate === 'kept'));
    const without = history.map((message, at) => (at === 9 ? { ...message, content: message.content.slice(1) } : message));
    assert.ok(planned.tokensBefore >= plan(without, { model: MODEL }).tokensBefore);
    const options = { model: { context: 5_000 }, force: true, set: { 'prune.enabled': false, 'retain.keep': 300 } };
    assert.equal(compact(history, { ...options, summary: 'So far.' }).applied.summarized, history.length - 2);
  }
});

test("a block of Anthropic's own compaction request stands first and stays first", () => {
  const history = [{ role: 'assistant', content: [BLOCK] }, ANTHROPIC.person('Go on.'), ...historyOf(ANTHROPIC, 6, 10)];
  const { messages, applied } = compact(history, { model: { context: 3_000 }, force: true });
  assert.ok(applied.pruned > 0);
  assert.deepEqual(messages[0], history[0]);
});

const ITEM = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA' };

test('behind a compaction item of OpenAI stands the summary, and the item is never touched', () => {
  const history = [...historyOf(RESPONSES, 4), ITEM, ...historyOf(RESPONSES, 5, 10)];
  assert.deepEqual(validate(history).violations, []);
  const fates = plan(history, { model: MODEL }).messages.map(({ fate }) => fate);
  // As long as they are sent, they are read and billed.
  assert.ok(fates.every((fate) => fate !== 'inactive'));
  for (const prunes of [true, false]) {
    const set = { 'prune.enabled': prunes, 'retain.keep': 300 };
    const { messages } = compact(history, { profile: 'ebbline@2', model: { context: 2_000 }, force: true, set, summary: 'So far.' });
    const at = messages.indexOf(ITEM);
    assert.equal(at, 0);
    if (!prunes) assert.match(messages[at + 1].content[0].text, /So far\./);
    assert.deepEqual(validate(messages).violations, []);
  }
});

test('the output of `/responses/compact` is a history: the words of the user, then the item', async () => {
  const history = [RESPONSES.person('Mend the login test.'), RESPONSES.person('Be quick.'), ITEM, ...historyOf(RESPONSES, 40, 10)];
  const compactor = createCompactor({ model: { context: 16_000, output: 1_000 } });
  const view = await compactor.prepare(history);
  assert.notEqual(view, history);
  assert.deepEqual(view.slice(0, 3), history.slice(0, 3));
  assert.deepEqual(validate(view).violations, []);
});

/** The answer to a request of so many tokens, of which the provider cleared some. */
function answered(tokens, cleared) {
  const edits = cleared > 0 ? [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 5, cleared_input_tokens: cleared }] : [];
  const usage = { input_tokens: tokens, output_tokens: 10 };
  return { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], usage, context_management: { applied_edits: edits } };
}

test('after the provider cleared tool uses, the context is as large as the provider says, and the overhead is right', async () => {
  const history = historyOf(ANTHROPIC, 20);
  const compactor = createCompactor({ model: MODEL });
  await compactor.prepare(history);
  const { tokens: sent } = compactor.contextUsage();
  compactor.usage(answered(sent + 2_000 - 6_000, 6_000));
  const { overhead, tokens } = compactor.contextUsage();
  assert.equal(overhead, 2_000);
  assert.equal(tokens, sent + 2_000 - 6_000);
  history.push(...historyOf(ANTHROPIC, 1, 20));
  await compactor.prepare(history);
  assert.ok(compactor.contextUsage().tokens > tokens);
  // The same with the message and its usage, and nothing is cleared any longer.
  compactor.usage(answered(1, 0), answered(sent + 2_500, 0));
  assert.equal(compactor.contextUsage().overhead, sent + 2_500 - (compactor.contextUsage().tokens - compactor.contextUsage().overhead));
});

test('an overflow shows that nothing was cleared', async () => {
  const history = historyOf(ANTHROPIC, 60);
  const compactor = createCompactor({ model: MODEL });
  await compactor.prepare(history);
  const { tokens } = compactor.contextUsage();
  compactor.usage(answered(tokens - 9_000, 9_000));
  const error = { status: 400, error: { error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' } } };
  await compactor.recover(error, history);
  assert.ok(compactor.contextUsage().tokens < tokens);
  assert.equal(compactor.contextUsage().source, 'estimate');
});

test('an answer in which the provider compacted teaches nothing about the overhead', async () => {
  const usage = { input_tokens: 900, output_tokens: 10 };
  /** @type {[any, any][]} */
  const answers = [
    [ANTHROPIC, { role: 'assistant', content: [BLOCK], usage }],
    [ANTHROPIC, { role: 'assistant', content: [], usage: { ...usage, iterations: [{ type: 'compaction', input_tokens: 5 }] } }],
    [RESPONSES, { output: [ITEM], usage }],
  ];
  for (const [shape, answer] of answers) {
    const compactor = createCompactor({ model: MODEL, overhead: 3_000 });
    await compactor.prepare(historyOf(shape, 20));
    compactor.usage(answer);
    assert.equal(compactor.contextUsage().overhead, 3_000);
  }
});

test('of several samplings in one answer, the first one got what was sent', async () => {
  const compactor = createCompactor({ model: MODEL });
  await compactor.prepare(historyOf(ANTHROPIC, 20));
  const { tokens } = compactor.contextUsage();
  const iterations = [tokens + 700, tokens + 5_000].map((input) => ({ type: 'message', input_tokens: input, cache_read_input_tokens: 0 }));
  compactor.usage({ input_tokens: 2 * tokens + 5_700, iterations });
  assert.equal(compactor.contextUsage().overhead, 700);
});

/** An agent with a compactor, beside a provider that clears tool uses by itself. */
async function besideProvider({ staysCleared, tellsWhole = true, acts = true }) {
  const options = { model: { context: 20_000, output: 1_000 } };
  const { parameters, set } = providerCompaction('anthropic', options).beside;
  const provider = new ClearingProvider(parameters.context_management.edits[0], { window: 20_000, staysCleared });
  const events = [];
  const seen = { views: [], requests: [], compactions: [], cleared: 0, overWindow: 0, both: 0, changedAlone: 0 };
  const compactor = createCompactor({
    ...options,
    set: acts ? set : { ...set, 'trigger.enabled': false },
    summarize: async () => 'The agent reads files until it finds the fault of the login test.',
    onEvent: (event) => events.push(event),
  });
  const history = [ANTHROPIC.person('Mend the login test.')];
  for (let at = 0; at < 150; at += 1) {
    const before = events.length;
    const view = await compactor.prepare(history);
    const isActing = events.slice(before).some(({ type }) => type === 'compacted');
    const isSame = seen.views.length === 0 || startsWith(view, seen.views.at(-1));
    if (!isActing && !isSame) seen.changedAlone += 1;
    assert.deepEqual(validate(view).violations, []);
    const { answer, isClearing, isOver } = provider.take(view);
    if (isActing) seen.compactions.push(at);
    if (isClearing) seen.cleared += 1;
    if (isActing && isClearing) seen.both += 1;
    if (isOver) seen.overWindow += 1;
    compactor.usage(tellsWhole ? answer : answer.usage);
    seen.views.push(view);
    const [call, result] = ANTHROPIC.step(`c${at}`, `line ${at} of the file\n`.repeat(90));
    history.push({ ...call, content: [{ type: 'text', text: `I read file ${at} now. `.repeat(8) }, ...call.content] }, result);
  }
  return { ...seen, breaks: provider.breaks };
}

function startsWith(view, earlier) {
  return earlier.every((message, at) => message === view[at]);
}

for (const staysCleared of [true, false]) {
  const way = staysCleared ? 'in batches' : 'anew in each request';
  test(`beside a provider that clears ${way}, the provider acts first, and the compactor only when that is not enough`, async () => {
    const seen = await besideProvider({ staysCleared });
    assert.ok(seen.cleared > 0);
    assert.equal(seen.changedAlone, 0);
    assert.equal(seen.overWindow, 0);
    assert.equal(seen.both, 0, 'never both in one request');
    assert.ok(seen.compactions.length > 0 && seen.compactions.length <= 4, `${seen.compactions}`);
    const untold = await besideProvider({ staysCleared, tellsWhole: false });
    assert.ok(untold.compactions.length > seen.compactions.length, `${untold.compactions.length}`);
  });
}

test('the prefix that the model sees changes only in requests in which one of both acts', async () => {
  const alone = await besideProvider({ staysCleared: true, acts: false });
  const both = await besideProvider({ staysCleared: true });
  assert.equal(alone.compactions.length, 0);
  assert.equal(alone.breaks, alone.cleared);
  assert.equal(both.breaks, both.cleared + both.compactions.length);
});
