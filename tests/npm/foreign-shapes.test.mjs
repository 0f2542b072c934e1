// What other agents, libraries and data sets write (tests/foreign-shapes.json): as a file, as a live list, as JSON of the list and line
// by line it is refused with what was seen and what to do, and nothing of it is deleted.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { run } from './command.mjs';
import { ebbline, inTurn } from './package.mjs';

const { compact, createCompactor, detect, plan, repair, validate } = ebbline;

/** @type {{ shape: string, lines?: any[], document?: any, text?: string, live?: any[] }[]} */
const SHAPES = JSON.parse(readFileSync(new URL('../foreign-shapes.json', import.meta.url), 'utf8'));
/** Lists whose messages are those of a chat, until the agent's own entries stand among them: a file says more than they do. */
const CHAT_WHEN_LIVE = ['gptme markdown'];

const onLines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
/** @param {{ text?: string, lines?: any[], document?: any }} shape */
const fileOf = ({ text, lines, document }) => text ?? (lines === undefined ? JSON.stringify(document) : onLines(lines));
/** @param {{ lines?: any[], document?: any, live?: any[] }} shape */
const listOf = ({ lines, document, live = lines ?? document }) => (Array.isArray(live) ? live : undefined);

function isRefused(error) {
  assert.match(error.code, /^(no_messages|unsupported_format)$/);
  return error.message.includes('docs/convert.md') || error.message.includes('which is read as text only');
}

/** Whether a list is said to be of a format whose messages are read as text only, or of none. */
function isUnsupported(list) {
  try {
    return !detect(list).supported;
  } catch (error) {
    return isRefused(error);
  }
}

for (const [turn, shape] of SHAPES.entries()) {
  test(`refused: ${shape.shape}`, async () => {
    const list = listOf(shape);
    const { text: isText, lines, document } = shape;
    // Of some, the files are read; their messages as a live list are not.
    const isFile = [isText, lines, document].some((given) => given !== undefined);
    const texts = list === undefined || !isFile ? [] : [JSON.stringify(list), onLines(list)];
    for (const text of isFile ? [fileOf(shape), ...texts] : []) {
      for (const asked of [detect, plan, validate, repair]) assert.throws(() => asked(text), isRefused, text);
    }
    if (list !== undefined && !CHAT_WHEN_LIVE.includes(shape.shape)) {
      for (const asked of [plan, validate]) assert.throws(() => asked(list), isRefused);
      if (isFile) assert.throws(() => detect(list), isRefused);
      else assert.ok(isUnsupported(list));
      await assert.rejects(createCompactor({ model: { context: 200_000 } }).prepare(list));
    }
    for (const command of isFile ? inTurn(['compact', 'repair', 'detect'], turn) : []) await stays(command, fileOf(shape));
  });
}

/** The command line refuses a file, says what to do, and leaves it as it is. */
async function stays(command, text) {
  const folder = mkdtempSync(join(tmpdir(), 'ebbline-foreign-'));
  const file = join(folder, 'session');
  writeFileSync(file, text);
  const { code, errors } = await run([command, file, ...(command === 'detect' ? [] : ['-o', file])]);
  assert.equal(code, 1, errors);
  assert.match(errors, /docs\/convert\.md/);
  assert.equal(readFileSync(file, 'utf8'), text);
  rmSync(folder, { recursive: true });
}

test('what an agent shows points to the file of its session', () => {
  const ui = SHAPES.find(({ shape }) => shape === 'Cline ui');
  assert.throws(() => detect(fileOf(ui)), { message: /api_conversation_history\.json/ });
});

test('an archive of Inspect AI says where its sessions are, and they are read with the names of their calls', () => {
  const archive = Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0xff, 0xfe, 0xc3, 0x28);
  assert.throws(() => detect(archive), { message: /zip archive.*inspect log convert --to json/ });
  const output = 'what the page says '.repeat(4_000);
  const call = (id, name) => [
    {
      id: `m${id}`,
      role: 'assistant',
      content: '',
      source: 'generate',
      tool_calls: [{ id, function: name, arguments: {}, type: 'function' }],
    },
    { id: `r${id}`, role: 'tool', tool_call_id: id, function: name, content: output },
  ];
  const messages = [
    { id: 'a', role: 'user', content: 'Look.', source: 'input' },
    ...call('c1', 'skill'),
    ...call('c2', 'web'),
    ...call('c3', 'web'),
  ];
  const sample = JSON.stringify({ id: 1, epoch: 1, input: 'Look.', target: 'x', messages, scores: {} });
  assert.equal(detect(sample).format, 'inspect_ai');
  const set = { 'prune.protect': 0, 'prune.protectedTurns': 0, 'prune.minimum': 0, 'prune.protectedTools': ['skill'] };
  const contents = JSON.parse(compact(sample, { force: true, set }).text).messages.map(({ content }) => content);
  // The skill's output stays, which only the names of the calls tell.
  assert.deepEqual([contents[2] === output, contents[4] === output], [true, false]);
});

test('a block whose type is what every object has is of no format', () => {
  for (const type of ['constructor', 'toString', '__proto__']) {
    const list = [{ role: 'tool_result', content: [{ type }] }];
    for (const asked of [detect, plan])
      assert.throws(() => asked(list), { code: 'no_messages', message: new RegExp(`has the type ${type}`) });
  }
});
