// `ebbline/tokenizers/o200k` and `/cl100k`, from the packed package.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ebbline, packageFolder } from './package.mjs';
import { compare, encodeAll } from './tokenizers/equality.mjs';
import { entry, file, required, tokenizers } from './tokenizers/packaged.mjs';
import { randomness } from './random-sessions.mjs';

const o200k = await (await tokenizers('o200k')).load();
const cl100k = (await tokenizers('cl100k')).loadSync();
const both = { o200k, cl100k };
const { get_encoding: getEncoding } = await import('tiktoken');
const reference = { o200k: getEncoding('o200k_base'), cl100k: getEncoding('cl100k_base') };
const plain = (encoding, text) => reference[encoding].encode(text, [], []);

const code = (name) => (error) => {
  assert.ok(error instanceof ebbline.EbblineError, String(error));
  assert.equal(error.name, 'EbblineError');
  assert.equal(error.code, name, error.message);
  return true;
};

test('a text has the tokens that are known of it', () => {
  assert.deepEqual(o200k.encode('hello world'), Uint32Array.of(24_912, 2_375));
  assert.deepEqual(cl100k.encode('hello world'), Uint32Array.of(15_339, 1_917));
  assert.deepEqual([o200k.encoding, cl100k.encoding], ['o200k_base', 'cl100k_base']);
  for (const tokenizer of [o200k, cl100k]) {
    assert.equal(tokenizer.count(''), 0);
    assert.deepEqual(tokenizer.encode(''), new Uint32Array());
    assert.equal(tokenizer.decode([]), '');
  }
});

for (const encoding of ['o200k', 'cl100k']) {
  test(`${encoding}: every token of a mixed megabyte is that of tiktoken, counts agree, and the text comes back`, () => {
    const folders = [join(packageFolder, 'dist')];
    const checkedEncode = (text) => {
      const tokens = both[encoding].encode(text);
      assert.equal(both[encoding].count(text), tokens.length);
      assert.equal(both[encoding].decode(tokens), text.toWellFormed?.() ?? Buffer.from(text).toString());
      return tokens;
    };
    const { differences, texts } = compare({
      seed: 20_26,
      folders,
      bytes: 1_500_000,
      reference: encodeAll((text) => plain(encoding, text)),
      ours: encodeAll(checkedEncode),
    });
    assert.deepEqual(differences, []);
    assert.ok(texts > 100);
  });
}

test('a text that is longer than the buffer has the tokens of the whole, wherever the parts meet', () => {
  const random = randomness(3);
  // Texts that must not be split: words, contractions, numbers, white space, characters of two units.
  const blocks = ['word ', "don't ", "DON'T've", '1234567', '   \n\n  ', '日本語。', '👩‍👩‍👧‍👦', 'e\u0301', ';//\n/', '\ud83d', 'ABCdef'];
  for (const encoding of ['o200k', 'cl100k']) {
    for (let round = 0; round < 12; round += 1) {
      let text = 'x'.repeat(Math.floor(random() * 9));
      const length = 60_000 + Math.floor(random() * 100_000);
      while (text.length < length) text += blocks[Math.floor(random() * blocks.length)];
      const expected = plain(encoding, text);
      assert.deepEqual(both[encoding].encode(text), expected);
      assert.equal(both[encoding].count(text), expected.length);
    }
  }
});

test('a long run without spaces is taken whole, and the buffer is small again behind it', () => {
  for (const tokenizer of [o200k, cl100k]) {
    for (const run of [
      'x'.repeat(300_000),
      '日'.repeat(100_000),
      'aé日'.repeat(50_000),
      ' '.repeat(300_000),
      '\n'.repeat(200_000),
      '-'.repeat(200_000),
    ]) {
      const tokens = tokenizer.encode(`a ${run} b`);
      assert.equal(tokenizer.decode(tokens), `a ${run} b`);
      assert.equal(tokenizer.count(`a ${run} b`), tokens.length);
      assert.equal(tokenizer.count('hello world'), 2);
    }
  }
});

test('the work grows with the length of a run, not with its square', () => {
  const random = randomness(5);
  const letters = Array.from({ length: 400_000 }, () => String.fromCodePoint(0x4e00 + Math.floor(random() * 0x5000))).join('');
  for (const tokenizer of [o200k, cl100k]) {
    for (const run of ['x'.repeat(400_000), letters]) {
      const took = (length) => {
        const began = process.cpuUsage();
        tokenizer.count(run.slice(0, length));
        const { user, system } = process.cpuUsage(began);
        return user + system;
      };
      took(400_000);
      const least = (length) => Math.min(...Array.from({ length: 5 }, () => took(length)));
      // Sixteen times the length: n log n is 22 times the work, the square 256 times.
      const ratio = least(400_000) / Math.max(least(25_000), 1);
      assert.ok(ratio < 100, `16 times the length took ${ratio.toFixed(0)} times as long`);
    }
  }
});

test('special tokens are text unless they are asked for', () => {
  const text = 'a<|endoftext|>b <|endofprompt|><|endof<|endoftext|>';
  for (const encoding of ['o200k', 'cl100k']) {
    const tokenizer = both[encoding];
    const { encode } = { encode: (special) => tokenizer.encode(text, { special }) };
    assert.deepEqual(tokenizer.encode(text), plain(encoding, text));
    assert.deepEqual(encode('none'), plain(encoding, text));
    assert.deepEqual(encode([]), plain(encoding, text));
    assert.deepEqual(encode('all'), reference[encoding].encode(text, 'all', []));
    assert.deepEqual(encode(['<|endofprompt|>']), reference[encoding].encode(text, ['<|endofprompt|>'], []));
    assert.equal(tokenizer.count(text, { special: 'all' }), encode('all').length);
    assert.equal(tokenizer.decode(encode('all')), text);
  }
});

test('special tokens are found where two parts of a long text meet', () => {
  for (const encoding of ['o200k', 'cl100k']) {
    for (let shift = 0; shift < 16; shift += 1) {
      const text = `${'x'.repeat(shift)} ${'<|endoftext|>'.repeat(12_000)}<|endofprom`;
      const expected = reference[encoding].encode(text, 'all', []);
      assert.deepEqual(both[encoding].encode(text, { special: 'all' }), expected);
      assert.equal(both[encoding].count(text, { special: 'all' }), expected.length);
    }
  }
});

test('strict refuses a special token that is not asked for', () => {
  const text = 'what a user <|endoftext|> wrote';
  assert.throws(() => o200k.count(text, { strict: true }), code('special_token'));
  assert.throws(() => o200k.encode(text, { strict: true, special: ['<|endofprompt|>'] }), code('special_token'));
  assert.equal(o200k.count(text, { strict: true, special: 'all' }), o200k.count(text, { special: 'all' }));
  assert.equal(o200k.count('<|fim_prefix|>', { strict: true }), o200k.count('<|fim_prefix|>'));
  assert.throws(() => cl100k.count('<|fim_prefix|>', { strict: true }), code('special_token'));
});

test('unpaired surrogates count as U+FFFD', () => {
  for (const text of ['\ud83d', 'a\ude00b', '\ude00\ud83d', `${'x '.repeat(32_767)}\ud83d`, `${'x '.repeat(32_767)}x\ud83d\ude00 y`]) {
    assert.deepEqual(o200k.encode(text), o200k.encode(Buffer.from(text).toString()));
    assert.deepEqual(o200k.encode(text), plain('o200k', text));
  }
});

test('wrong arguments are refused', () => {
  for (const text of [undefined, null, 7, {}, ['a'], new Uint8Array(1)]) {
    assert.throws(() => o200k.count(text), code('invalid_option'));
    assert.throws(() => o200k.encode(text), code('invalid_option'));
  }
  const wrong = [null, 7, { special: 'some' }, { special: ['<|im_start|>'] }, { special: null }, { strict: 1 }, { allowed: 'all' }];
  for (const options of wrong) assert.throws(() => o200k.count('a', options), code('invalid_option'));
  for (const tokens of [undefined, 'a', [1.5], [-1], [2 ** 32], ['1'], [199_998], Uint32Array.of(4e9), [0, 200_019]]) {
    assert.throws(() => o200k.decode(tokens), code('invalid_option'));
  }
});

test('a divided character is U+FFFD, and a byte order mark is kept', () => {
  const [first] = o200k.encode('🜀');
  assert.match(o200k.decode([first]), /\ufffd/u);
  assert.equal(o200k.decode(o200k.encode('\ufeffa')), '\ufeffa');
});

test('import and require give the same functions and the same EbblineError, that of the package', async () => {
  for (const encoding of ['o200k', 'cl100k']) {
    const imported = await tokenizers(encoding);
    assert.equal(imported.load, required(encoding).load);
    assert.equal(imported.loadSync, required(encoding).loadSync);
    assert.equal(imported.EbblineError, required(encoding).EbblineError);
    assert.equal(imported.EbblineError, ebbline.EbblineError);
  }
});

test('the same vocabulary serves all tokenizers, and is freed with the last', async () => {
  const { load, loadSync } = await tokenizers('cl100k');
  const [first, second] = await Promise.all([load(), load()]);
  const third = loadSync();
  first.free();
  first.free();
  assert.throws(() => first.count('a'), code('freed'));
  assert.throws(() => first.encode('a'), code('freed'));
  assert.throws(() => first.decode([1]), code('freed'));
  assert.equal(second.count('hello world'), 2);
  if (Symbol.dispose !== undefined) {
    second[Symbol.dispose]();
    assert.throws(() => second.count('a'), code('freed'));
  }
  assert.equal(third.count('hello world'), 2);
  third.free();
  assert.equal(cl100k.count('hello world'), 2);
});

test('loading and freeing again and again leaves memory flat', () => {
  const program = `
    const { loadSync } = require(${JSON.stringify(entry('cl100k', 'require'))});
    const memory = () => { global.gc(); const { rss } = process.memoryUsage(); return rss; };
    for (let round = 0; round < 5; round += 1) loadSync().free();
    const before = memory();
    for (let round = 0; round < 40; round += 1) { const t = loadSync(); t.count('x '.repeat(50000)); t.free(); }
    for (let round = 0; round < 10000; round += 1) loadSync();
    console.log((memory() - before) / 1e6);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '-e', program], { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.ok(Number(stdout) < 20, `${stdout} MB more`);
});

test('the files may come from anywhere, and what is none is refused', () => {
  const program = `
    import assert from 'node:assert/strict';
    import { readFileSync } from 'node:fs';
    const { load, EbblineError } = await import(${JSON.stringify(String(pathToFileURL(entry('o200k', 'browser'))))});
    const wasm = readFileSync(${JSON.stringify(file('tokenizer.wasm'))});
    const ranks = readFileSync(${JSON.stringify(file('o200k.bin'))});
    const refused = async (source, code) => assert.rejects(load(source), (error) => error instanceof EbblineError && error.code === code);
    await refused({ wasm, ranks: readFileSync(${JSON.stringify(file('cl100k.bin'))}) }, 'bad_ranks');
    await refused({ wasm, ranks: ranks.subarray(0, 1000) }, 'bad_ranks');
    await refused({ wasm, ranks: new Response('', { status: 404 }) }, 'not_found');
    await refused({ wasm, ranks: 7 }, 'invalid_option');
    await refused({ rank: ranks }, 'invalid_option');
    await refused(null, 'invalid_option');
    const response = new Response(wasm, { headers: { 'content-type': 'application/wasm' } });
    const tokenizer = await load({ wasm: Promise.resolve(response), ranks: Promise.resolve(new Response(ranks)) });
    assert.equal(tokenizer.count('hello world'), 2);
    tokenizer.free();
    assert.equal((await load({ ranks: ranks.buffer.slice(ranks.byteOffset, ranks.byteOffset + ranks.length) })).count('hello world'), 2);
    console.log('done');`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  assert.equal(stdout.trim(), 'done', stderr);
});

test('at once and by and by at the same time, there is one module', () => {
  const program = `
    const { load, loadSync } = require(${JSON.stringify(entry('o200k', 'require'))});
    const other = require(${JSON.stringify(entry('cl100k', 'require'))});
    const loading = [load(), other.load(), load()];
    const now = loadSync();
    console.log(now.count('hello world'));
    Promise.all(loading).then((all) => console.log(all.map((one) => one.count('hello world')).join()));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  assert.equal(stdout, '2\n2,2,2\n', stderr);
});

test('nothing of the tokenizers is loaded by the package, and nothing of the engine by them', () => {
  const watched = `
    const { Module } = require('node:module');
    const fs = require('node:fs');
    const read = [];
    for (const name of ['readFileSync', 'readFile', 'openSync']) {
      const original = fs[name];
      fs[name] = (path, ...rest) => { read.push(String(path)); return original(path, ...rest); };
    }
    const done = () => console.log(JSON.stringify([...Object.keys(require.cache), ...read]));`;
  const run = (program) => {
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', watched + program], { encoding: 'utf8' });
    assert.equal(stderr, '');
    return JSON.parse(stdout)
      .filter((path) => path.startsWith(packageFolder))
      .map((path) => path.slice(packageFolder.length + 1).replaceAll('\\', '/'));
  };
  const whole = run(`require(${JSON.stringify(join(packageFolder, 'dist/node.cjs'))}); done();`);
  assert.deepEqual(
    whole.filter((path) => path.includes('tokenizers')),
    [],
  );
  const unused = run(`require(${JSON.stringify(entry('o200k', 'require'))}); done();`);
  assert.deepEqual(new Set(unused), new Set(['dist/tokenizers/o200k.cjs', 'dist/tokenizers/node.cjs', 'dist/errors.cjs']));
  const used = run(`require(${JSON.stringify(entry('o200k', 'require'))}).loadSync().count('a'); done();`);
  assert.deepEqual(
    used.filter((path) => /ebbline\.wasm|cl100k|dist\/node\.cjs/.test(path)),
    [],
  );
  assert.ok(used.includes('dist/tokenizers/o200k.bin') && used.includes('dist/tokenizers/tokenizer.wasm'));
});

test('no file of a tokenizer is larger than it may be', async () => {
  const { brotliCompressSync } = await import('node:zlib');
  for (const [name, most] of /** @type {[string, number][]} */ ([
    ['o200k.bin', 850_000],
    ['cl100k.bin', 850_000],
    ['tokenizer.wasm', 30_000],
  ])) {
    const { length } = brotliCompressSync(readFileSync(file(name)));
    assert.ok(length <= most, `${name}: ${length} bytes by brotli`);
  }
});
