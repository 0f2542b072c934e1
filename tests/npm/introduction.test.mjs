// What a summary is introduced with: it stands once, behind the line by which ebbline knows the summary, and no summarizer is given it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SHAPES } from './agent.mjs';
import { ebbline, required } from './package.mjs';

const { compact, createCompactor, introductions, plan, read, validate } = ebbline;
const OPTIONS = { model: { context: 200_000 }, set: { 'prune.enabled': false, 'retain.keep': 1_000 }, accept: false };
const OPTIONS_OF_PLAN = { model: { context: 200_000 }, set: { 'prune.enabled': false, 'retain.keep': 100 }, force: true };
const ROUNDS = 10;
const OWN = 'Notes that you took yourself.';

const bedrock = {
  person: (text) => ({ role: 'user', content: [{ text }] }),
  step: (id, output) => [
    { role: 'assistant', content: [{ toolUse: { toolUseId: id, name: 'read', input: { path: `src/${id}.rs` } } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: id, content: [{ text: output }] } }] },
  ],
};
/** @type {Record<string, any>} */
const ALL = { ...SHAPES, bedrock_converse: bedrock };
/** What the model says at the end of a turn. */
const ENDS = {
  gemini_contents: { role: 'model', parts: [{ text: 'Done.' }] },
  bedrock_converse: { role: 'assistant', content: [{ text: 'Done.' }] },
  openai_responses: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
};
const ended = (format) => ENDS[format] ?? { role: 'assistant', content: 'Done.' };

function grow(history, { person, step }, round, end = ended('openai_chat')) {
  for (let at = 0; at < 12; at += 1) history.push(...step(`r${round}-${at}`, `line ${at} of the log\n`.repeat(30)));
  history.push(end, person(`Request ${round}.`));
}

const textOf = (value) => JSON.stringify(value).replaceAll('\\n', '\n');
const times = (text, part) => text.split(part).length - 1;

for (const [format, shape] of Object.entries(ALL)) {
  for (const [who, introduction] of Object.entries({ default: undefined, own: OWN, codex: introductions.codex })) {
    for (const keeps of ['history', 'view']) {
      test(`${format}: it stands once after ten compactions (${who}), the agent keeps its ${keeps}`, async () => {
        const expected = introduction ?? introductions.default;
        const requests = [];
        // A summarizer that repeats what it is given would hand an introduction on.
        const summarize = async ({ messages }) => {
          requests.push(messages[0].content);
          return /<previous-summary>\n([\s\S]*)\n<\/previous-summary>/.exec(messages[0].content)?.[1] ?? 'The work goes on.';
        };
        const how = { ...OPTIONS, format, summarize, ...(introduction && { introduction }) };
        let compactor = createCompactor(how);
        let history = [shape.person('Mend the login test.')];
        for (let round = 0; round < ROUNDS; round += 1) {
          grow(history, shape, round, ended(format));
          const view = await compactor.compactNow(history);
          assert.deepEqual(validate(view, { format, also: format === 'bedrock_converse' ? ['alternation'] : [] }).violations, []);
          const text = textOf(view);
          assert.equal(times(text, expected), 1, `round ${round}`);
          assert.equal(times(text, '[Compaction summary: '), 1);
          assert.match(text, /\[ref [a-p]{8}\]\n\n/);
          assert.ok(text.indexOf(expected) < text.indexOf('The work goes on.'));
          if (keeps === 'history') continue;
          compactor.free();
          compactor = createCompactor(how);
          history = [...view];
        }
        assert.equal(requests.length, ROUNDS);
        for (const request of requests) assert.ok(!request.includes(expected));
        for (const request of requests.slice(1)) assert.match(request, /<previous-summary>\nThe work goes on\./);
      });
    }
  }
}

const ROLES = {
  openai_chat: ['user', 'system', 'developer', 'assistant'],
  openai_responses: ['user', 'system', 'developer'],
  openai_agents: ['user', 'system'],
};

for (const [format, roles] of Object.entries(ROLES)) {
  for (const role of roles) {
    for (const keeps of ['history', 'view']) {
      test(`${format}: a summary has the role ${role}, and the next one takes its place, the agent keeps its ${keeps}`, async () => {
        const shape = ALL[format];
        const requests = [];
        const summarize = async ({ messages }) => {
          requests.push(messages[0].content);
          return 'The work goes on.';
        };
        const how = { ...OPTIONS, format, summarize, introduction: { role } };
        let compactor = createCompactor(how);
        // What the application says stays in front of it.
        let history = [{ ...shape.person('Be brief.'), role: 'system' }, shape.person('Mend the login test.')];
        for (let round = 0; round < 4; round += 1) {
          grow(history, shape, round, ended(format));
          const view = await compactor.compactNow(history);
          assert.deepEqual(validate(view, { format }).violations, []);
          const told = view.filter((message) => textOf(message).includes('[Compaction summary: '));
          assert.deepEqual([view[0], told], [history[0], [view[1]]]);
          assert.equal(told[0].role, role);
          assert.equal(times(textOf(view), introductions.default), 1);
          // Whoever reads it, as an array or as text, knows it as a summary.
          for (const given of [view, JSON.stringify(view)]) {
            const { role: as, summary, kept } = read(given, { format }).messages[1];
            assert.deepEqual([as, summary, kept], ['user', true, view.length - 2]);
          }
          assert.equal(plan(view, { ...OPTIONS_OF_PLAN, format }).messages[1].reason, 'before_window');
          assert.deepEqual(await compactor.prepare(history), view);
          const record = structuredClone(compactor.record);
          assert.deepEqual(await createCompactor({ ...how, record }).prepare(history), view);
          if (keeps === 'history') continue;
          compactor.free();
          compactor = createCompactor(how);
          history = [...view];
        }
        for (const request of requests.slice(1)) assert.match(request, /<previous-summary>\nThe work goes on\./);
      });
    }
  }
}

const ANSWERING = ['openai_chat', 'anthropic_messages', 'gemini_contents', 'vercel_model'];

for (const format of ANSWERING) {
  for (const keeps of ['history', 'view']) {
    test(`${format}: with an answer, the roles around a summary are in turn, the agent keeps its ${keeps}`, async () => {
      const shape = ALL[format];
      const said = (text) => JSON.parse(JSON.stringify(ended(format)).replace('Done.', text));
      const how = { ...OPTIONS, format, summarize: async () => 'The work goes on.', introduction: { answer: true } };
      let compactor = createCompactor(how);
      let history = [];
      let answers = 0;
      for (let round = 0; round < 12; round += 1) {
        for (let turn = 0; turn < 6; turn += 1) {
          history.push(shape.person(`Part ${round}.${turn} of the work. ${'It is long. '.repeat(40 + turn * 7)}`));
          history.push(said(`Part ${round}.${turn} is done. ${'It was long. '.repeat(30 + round * 5)}`));
        }
        history.push(shape.person(`Go on with ${round + 1}.`));
        const view = await compactor.compactNow(history);
        assert.deepEqual(validate(view, { format }).violations, []);
        for (let at = 1; at < view.length; at += 1) assert.notEqual(view[at].role, view[at - 1].role, `round ${round}, message ${at}`);
        assert.equal(times(textOf(view), '[Compaction summary: '), 1);
        assert.ok(times(textOf(view), 'Understood.') <= 1);
        answers += times(textOf(view), 'Understood.');
        for (const given of [view, JSON.stringify(view)]) assert.equal(read(given, { format }).messages[0].summary, true);
        assert.deepEqual(await compactor.prepare(history), view);
        const record = structuredClone(compactor.record);
        assert.deepEqual(await createCompactor({ ...how, record }).prepare(history), view);
        history.push(said('Done.'));
        if (keeps === 'history') continue;
        compactor.free();
        compactor = createCompactor(how);
        history = [...view, said('Done.')];
      }
      assert.ok(answers > 0, 'no summary was in front of a message of the user');
    });
  }
}

test('with an answer, what the application says behind a summary is in front of whoever speaks next', async () => {
  const { person } = SHAPES.openai_chat;
  // What the user says is carried: a summary makes room only for what the model said.
  const answer = { role: 'assistant', content: 'It is long. '.repeat(60) };
  const talk = Array.from({ length: 12 }, (_, at) => [person(`Part ${at}.`), answer]).flat();
  for (const role of ['system', 'developer']) {
    const history = [...talk, { role, content: 'Answer in one sentence.' }, person('Go on.')];
    const set = { ...OPTIONS.set, 'retain.keep': 1 };
    const how = {
      ...OPTIONS,
      set,
      format: 'openai_chat',
      summarize: async () => 'The parts are long, and the work goes on.',
      introduction: { answer: true },
    };
    const view = await createCompactor(/** @type {any} */ (how)).compactNow(history);
    assert.equal(times(textOf(view), 'Understood.'), 1, role);
    assert.ok(view.some((message) => message.role === role));
    assert.deepEqual(validate(view, { format: 'openai_chat' }).violations, []);
  }
});

test('a format that cannot answer a summary says so', () => {
  for (const format of Object.keys(ALL).filter((one) => ![...ANSWERING, 'bedrock_converse'].includes(one))) {
    assert.throws(() => createCompactor(/** @type {any} */ ({ format, introduction: { answer: true } })), {
      code: 'invalid_option',
      message: new RegExp(`format ${format} cannot have an answer`),
    });
  }
});

test('where nothing behind it proves it, a summary is a message of the user, so that it is known as one', async () => {
  for (const role of /** @type {const} */ (['system', 'developer', 'assistant'])) {
    const { person } = SHAPES.openai_chat;
    const history = [person('Mend the login test.')];
    grow(history, SHAPES.openai_chat, 0);
    const set = { ...OPTIONS.set, 'retain.keep': 1 };
    const compactor = createCompactor({ ...OPTIONS, set, introduction: { role }, summarize: async () => 'It goes on.' });
    const view = await compactor.compactNow(history);
    assert.deepEqual([view.length, view[0].role, read(view).messages[0].summary], [2, 'user', true]);
    history.push(...SHAPES.openai_chat.step('late', 'It is here.'), person('Go on.'));
    const again = await compactor.compactNow(history);
    assert.equal(times(textOf(again), '[Compaction summary: '), 1);
  }
});

test('a role that a format cannot have is refused with those that it can have', async () => {
  const all = ROLES.openai_chat;
  for (const [format, shape] of Object.entries(ALL)) {
    const history = [shape.person('Mend the login test.')];
    grow(history, shape, 0, ended(format));
    for (const role of all.filter((one) => !(ROLES[format] ?? ['user']).includes(one))) {
      const refusal = {
        code: 'invalid_option',
        message: new RegExp(`format ${format} cannot have the role "${role}"; it may have "user"`),
      };
      assert.throws(() => createCompactor(/** @type {any} */ ({ format, introduction: { role } })), refusal);
      if (format === 'mastra') continue;
      const compactor = createCompactor({
        ...OPTIONS,
        introduction: { role: /** @type {any} */ (role) },
        summarize: async () => 'It goes on.',
      });
      await assert.rejects(compactor.prepare(history), refusal);
    }
  }
});

test('summaries by rule do not hand it on either', async () => {
  const compactor = createCompactor({ ...OPTIONS, summarize: 'deterministic' });
  const history = [SHAPES.openai_chat.person('Mend the login test.')];
  for (let round = 0; round < ROUNDS; round += 1) {
    grow(history, SHAPES.openai_chat, round);
    const text = textOf(await compactor.compactNow(history));
    assert.equal(times(text, introductions.default), 1, `round ${round}`);
    assert.ok(!text.includes('## Before'));
  }
});

test('a changed introduction takes the place of the one before, if that is one of the known ones', async () => {
  let view = [SHAPES.openai_chat.person('Mend the login test.')];
  for (const [round, introduction] of [introductions.default, introductions.pi, introductions.claude_code, OWN].entries()) {
    grow(view, SHAPES.openai_chat, round);
    const summarize = async ({ messages }) => /<previous-summary>\n([\s\S]*)\n<\/previous/.exec(messages[0].content)?.[1] ?? 'It goes on.';
    view = [...(await createCompactor({ ...OPTIONS, introduction, summarize }).compactNow(view))];
    const text = textOf(view);
    const there = [...Object.values(introductions), OWN].filter((known) => text.includes(known));
    assert.deepEqual(there, [introduction]);
  }
});

for (const format of ['anthropic_messages', 'gemini_contents', 'bedrock_converse']) {
  test(`${format}: wherever the boundary is, roles alternate as the provider demands`, async () => {
    const shape = ALL[format];
    for (const keep of [1, 60, 150, 300, 700, 1_000, 2_000]) {
      const history = [shape.person('Mend the login test.')];
      const set = { ...OPTIONS.set, 'retain.keep': keep };
      const compactor = createCompactor({ ...OPTIONS, set, format, summarize: async () => 'It goes on.' });
      for (let round = 0; round < 4; round += 1) {
        grow(history, shape, round, ended(format));
        const also = format === 'bedrock_converse' ? ['alternation'] : [];
        assert.deepEqual(validate(await compactor.compactNow(history), { format, also }).violations, [], `${keep}, ${round}`);
      }
    }
  });
}

test('an empty one introduces nothing: the same message as `compact` writes', async () => {
  const history = [SHAPES.openai_chat.person('Mend the login test.')];
  grow(history, SHAPES.openai_chat, 0);
  const { model, set } = OPTIONS;
  const alone = compact(history, { model, set, force: true, summary: 'It goes on.' });
  const view = await createCompactor({ ...OPTIONS, introduction: '', summarize: async () => 'It goes on.' }).compactNow(history);
  assert.deepEqual(textOf(view).replace(/<read-files>[\s\S]*?<\/read-files>\n*/, ''), textOf(alone.messages));
  assert.ok(!textOf(alone.messages).includes(introductions.default));
});

test('a person who writes the same sentence keeps it', async () => {
  const requests = [];
  const summarize = async ({ messages }) => {
    requests.push(messages[0].content);
    return 'It goes on.';
  };
  const history = [SHAPES.openai_chat.person(`${introductions.default}\n\nMend the login test.`)];
  grow(history, SHAPES.openai_chat, 0);
  await createCompactor({ ...OPTIONS, summarize }).compactNow(history);
  assert.ok(requests[0].includes(introductions.default));
});

test('an agent with its own field for summaries introduces them itself', async () => {
  const text = (content) => [{ type: 'text', text: content }];
  const history = [{ role: 'user', content: text('Mend the login test.'), timestamp: 1 }];
  for (let at = 0; at < 30; at += 1) {
    history.push(
      /** @type {any} */ ({
        role: 'assistant',
        content: [{ type: 'toolCall', id: `c${at}`, name: 'read', arguments: { path: `src/${at}.rs` } }],
        timestamp: at + 2,
        stopReason: 'toolUse',
      }),
      /** @type {any} */ ({
        role: 'toolResult',
        toolCallId: `c${at}`,
        toolName: 'read',
        content: text('line\n'.repeat(200)),
        isError: false,
        timestamp: at + 2,
      }),
    );
  }
  const compactor = createCompactor({ ...OPTIONS, format: 'pi', summarize: async () => 'It goes on.' });
  const view = await compactor.compactNow(history);
  assert.equal(view[0].role, /** @type {any} */ ('compactionSummary'));
  assert.match(/** @type {any} */ (view[0]).summary, /^It goes on\./);
});

test('the sentences are data that nobody can change, for import and require, and the option is checked', () => {
  assert.ok(Object.isFrozen(introductions));
  assert.deepEqual(required.introductions, introductions);
  for (const introduction of [3, null, 'x'.repeat(5_000), { role: 'tool' }, { text: 7 }, { roles: 'user' }, { text: 'x'.repeat(5_000) }]) {
    assert.throws(() => createCompactor(/** @type {any} */ ({ introduction })), { code: 'invalid_option' });
  }
});
