// Snapshots: the checksum detects every flipped bit, and every field is checked before it is used, even in forged snapshots.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline, fixture, internal, lists } from './package.mjs';
import { randomness } from './random-sessions.mjs';

const { EbblineError, Session, plan } = ebbline;
const { crcOfWords } = await internal('checksum.js');

const refused = { name: 'EbblineError', code: 'mismatch' };
const FORGERIES = process.env.EBBLINE_HOSTILE === 'long' ? 1_000_000 : 100_000;

function snapshotOf(messages, options = {}) {
  const session = new Session(options);
  session.push(messages);
  const bytes = session.snapshot();
  session.free();
  return bytes;
}

/** The snapshot with a correct checksum, which a forger can compute too. */
function corrected(bytes) {
  const words = new Uint32Array(bytes.slice().buffer);
  words[2] = crcOfWords(words.subarray(3), crcOfWords(words.subarray(0, 2)));
  return new Uint8Array(words.buffer);
}

function withHeader(bytes, change) {
  const words = new Uint32Array(bytes.slice().buffer);
  const end = 4 + words[3] / 4;
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(words.buffer, 16, words[3])));
  const text = new TextEncoder().encode(JSON.stringify(change(header) ?? header));
  const length = Math.ceil(text.length / 4);
  const forged = new Uint32Array(4 + length + words.length - end);
  const view = new Uint8Array(forged.buffer);
  view.fill(0x20, 16, 16 + length * 4);
  view.set(text, 16);
  forged.set(words.subarray(end), 4 + length);
  forged.set([words[0], words[1], 0, length * 4]);
  return corrected(view);
}

test('CRC-32C gives the sums that are published for it', () => {
  const words = (bytes) => new Uint32Array(Uint8Array.from(bytes).buffer);
  const repeated = (byte) => words(new Array(32).fill(byte));
  assert.equal(crcOfWords(repeated(0x00)), 0x8a9136aa);
  assert.equal(crcOfWords(repeated(0xff)), 0x62a8ab43);
  assert.equal(crcOfWords(words(Array.from({ length: 32 }, (_, at) => at))), 0x46dd794e);
  assert.equal(crcOfWords(words(Array.from({ length: 32 }, (_, at) => 31 - at))), 0x113fdb5c);
  assert.equal(crcOfWords(words([...'12345678'].map((letter) => letter.charCodeAt(0)))), 0x6087809a);
});

test('no flip of one or two bits is taken for a snapshot', () => {
  Error.stackTraceLimit = 0;
  const bytes = snapshotOf([{ role: 'user', content: 'x' }]);
  const words = new Uint32Array(bytes.buffer);
  const sum = (changed) => crcOfWords(changed.subarray(3), crcOfWords(changed.subarray(0, 2)));
  const bits = words.length * 32;
  let accepted = 0;
  for (let one = 0; one < bits; one += 1) {
    words[one >>> 5] ^= 1 << (one & 31);
    assert.throws(() => Session.restore(bytes), refused);
    for (let two = one + 1; two < bits; two += 1) {
      words[two >>> 5] ^= 1 << (two & 31);
      if (words[2] === sum(words)) accepted += 1;
      words[two >>> 5] ^= 1 << (two & 31);
    }
    words[one >>> 5] ^= 1 << (one & 31);
  }
  Error.stackTraceLimit = 10;
  assert.equal(accepted, 0);
  // The pairs that a sum of words does not detect.
  for (let one = 0; one < words.length; one += 1) {
    for (let two = one + 1; two < words.length; two += 1) {
      words[one] ^= 0x8000_0000;
      words[two] ^= 0x8000_0000;
      assert.throws(() => Session.restore(bytes), refused);
      words[one] ^= 0x8000_0000;
      words[two] ^= 0x8000_0000;
    }
  }
  Session.restore(bytes).free();
});

test('a header that nobody writes is refused, whatever its checksum', () => {
  const messages = JSON.parse(fixture('openai-chat.json'));
  const bytes = snapshotOf(messages, { format: 'openai_chat' });
  assert.deepEqual(
    Session.restore(
      withHeader(bytes, () => undefined),
      messages,
    ).plan(),
    plan(messages, { format: 'openai_chat' }),
  );
  const values = [
    null,
    -1,
    1.5,
    2 ** 53,
    1e300,
    '',
    'x',
    '__proto__',
    [],
    [null],
    [-1],
    ['x', 'x'],
    ['\ud800'],
    {},
    { open: null },
    true,
    [[]],
  ];
  for (const name of ['given', 'isCounted', 'format', 'length', 'base', 'bits', 'tools', 'ids', 'state', 'other']) {
    for (const value of [...values, undefined]) {
      const forged = withHeader(bytes, (header) => ({ ...header, [name]: value }));
      try {
        const session = Session.restore(forged);
        // Values that a session could have had are accepted.
        session.push({ role: 'user', content: 'And now?' });
        session.plan().messages;
        session.free();
        assert.ok(['base', 'isCounted', 'given', 'tools', 'other'].includes(name), `${name}: ${JSON.stringify(value)}`);
      } catch (error) {
        assert.ok(error instanceof EbblineError, `${name}, ${JSON.stringify(value)}: ${error.stack}`);
      }
    }
  }
  for (const change of [
    (header) => void (header.length += 1),
    (header) => void (header.length = 2 ** 31),
    (header) => void header.ids.push('one more'),
    (header) => void header.ids.pop(),
    (header) => void header.bits.pop(),
    (header) => void (header.state.made = -1),
    (header) => void (header.state.open = []),
    (header) => void (header.state = undefined),
    (header) => void (header.format = 'pi'),
    (header) => void (header.more = 1),
    () => [],
    () => 'x',
  ]) {
    assert.throws(() => Session.restore(withHeader(bytes, change)), refused, String(change));
  }
});

test('the state of every format is looked at', () => {
  for (const [name, format] of Object.entries(lists)) {
    const messages = JSON.parse(fixture(name));
    const bytes = snapshotOf(messages, { format });
    Session.restore(
      withHeader(bytes, () => undefined),
      messages,
    ).free();
    for (const state of [
      null,
      1,
      'x',
      [],
      { compaction: 1e9 },
      { removal: 'x' },
      { made: 1 },
      { row: -2 },
      { open: { x: 1 } },
      { more: 1 },
    ]) {
      assert.throws(
        () => Session.restore(withHeader(bytes, (header) => ({ ...header, state }))),
        refused,
        `${format}: ${JSON.stringify(state)}`,
      );
    }
  }
});

test(`${FORGERIES} forgeries with a right checksum are refused or restored`, () => {
  Error.stackTraceLimit = 0;
  const random = randomness(11);
  const upTo = (limit) => Math.floor(random() * limit);
  const originals = Object.entries(lists).map(([name, format]) => snapshotOf(JSON.parse(fixture(name)).slice(0, 6), { format }));
  let restored = 0;
  for (let round = 0; round < FORGERIES; round += 1) {
    const bytes = originals[round % originals.length].slice();
    // The header is text that a change usually makes invalid JSON, so most changes are to the records.
    const header = 16 + new Uint32Array(bytes.buffer)[3];
    for (let change = upTo(3); change >= 0; change -= 1) {
      const first = upTo(4) === 0 ? 4 : header;
      const at = Math.min(first + upTo(bytes.length - first), bytes.length - 1);
      if (upTo(2) === 0) bytes[at] = upTo(256);
      else bytes[at] ^= 1 << upTo(8);
    }
    try {
      const session = Session.restore(corrected(bytes));
      restored += 1;
      if (restored % 8 === 0) {
        session.check({ force: true });
        session.plan({ force: true }).messages;
        session.snapshot();
      }
      session.free();
    } catch (error) {
      assert.ok(error instanceof EbblineError && error.code !== 'unreadable', error.stack ?? String(error));
    }
  }
  Error.stackTraceLimit = 10;
  assert.ok(restored > FORGERIES / 20 && restored < FORGERIES, `${restored}`);
  assert.deepEqual(plan(JSON.parse(fixture('openai-chat.json'))).messages.length, JSON.parse(fixture('openai-chat.json')).length);
});
