// Compares token by token with `tiktoken`, the reference, on any amount of text:
//
//     node tests/npm/tokenizers/equality.mjs --encoding o200k --megabytes 100 --seed 1 FOLDER..
//
// `tiktoken` takes a second for 3 MB. Its answers can be stored with `--keep FILE` and compared later with `--against
// FILE`, if the files in the folders have not changed. `--native PROGRAM` compares the crate's example `encode`
// instead of the package. Exit code 1: there are differences.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { texts } from './texts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const SLICE = 1_000_000;

/** Compares one slice after the other, and returns what was compared. */
export function compare({ seed, folders, bytes, reference, ours, onSlice = (_total, _size) => {} }) {
  const encoder = new TextEncoder();
  const total = { texts: 0, bytes: 0, tokens: 0, kinds: {}, differences: [] };
  const source = texts({ seed, folders });
  let slice = [];
  let size = 0;
  while (total.bytes < bytes) {
    const { value } = source.next();
    slice.push(value);
    const length = encoder.encode(value.text).length;
    total.kinds[value.kind] = (total.kinds[value.kind] ?? 0) + length;
    size += length;
    if (size < Math.min(SLICE, bytes - total.bytes)) continue;
    const all = slice.map(({ text }) => text);
    const expected = reference(all);
    const actual = ours(all);
    total.tokens += expected.tokens;
    slice.forEach(({ kind, text }, at) => {
      if (expected.digests[at] !== actual.digests[at]) total.differences.push({ kind, text });
    });
    total.texts += slice.length;
    total.bytes += size;
    onSlice(total, size);
    slice = [];
    size = 0;
  }
  return total;
}

/** The digest of each text's tokens, and the total number of tokens. */
export function encodeAll(encode) {
  return (all) => {
    let tokens = 0;
    const digests = all.map((text) => {
      const ids = encode(text);
      tokens += ids.length;
      return digestOf(ids);
    });
    return { tokens, digests };
  };
}

function digestOf(ids) {
  const words = ids instanceof Uint32Array ? ids : Uint32Array.from(ids);
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  return createHash('sha256').update(bytes).digest('base64').slice(0, 16);
}

/** The crate's example `encode`, in one process per slice. */
function native(program, encoding) {
  const ranks = join(root, `crates/ebbline-tokenizer/ranks/${encoding}.ranks`);
  return (all) => {
    const parts = all.flatMap((text) => {
      const bytes = Buffer.from(text);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    });
    const done = spawnSync(program, [`${encoding}_base`, ranks], { input: Buffer.concat(parts), maxBuffer: 2 ** 30 });
    if (done.status !== 0) throw new Error(`${program}: ${done.stderr}`);
    const words = new Uint32Array(done.stdout.buffer.slice(done.stdout.byteOffset, done.stdout.byteOffset + done.stdout.length));
    let at = 0;
    let tokens = 0;
    const digests = all.map(() => {
      const length = words[at];
      const ids = words.subarray(at + 1, at + 1 + length);
      at += 1 + length;
      tokens += length;
      return digestOf(ids);
    });
    return { tokens, digests };
  };
}

async function reference(encoding, { keep, against }) {
  if (against !== undefined) {
    const lines = readFileSync(against, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    return (all) => {
      const { texts: digest, ...answer } = lines.shift() ?? {};
      if (digest !== digestOfTexts(all)) throw new Error(`${against} is of other texts`);
      return answer;
    };
  }
  const { get_encoding: getEncoding } = await import('tiktoken');
  const tiktoken = getEncoding(/** @type {import('tiktoken').TiktokenEncoding} */ (`${encoding}_base`));
  const encodeReference = encodeAll((text) => tiktoken.encode(text, [], []));
  if (keep === undefined) return encodeReference;
  writeFileSync(keep, '');
  return (all) => {
    const answer = encodeReference(all);
    appendFileSync(keep, `${JSON.stringify({ texts: digestOfTexts(all), ...answer })}\n`);
    return answer;
  };
}

function digestOfTexts(all) {
  return createHash('sha256').update(all.join('\u0000')).digest('base64').slice(0, 16);
}

async function main() {
  const { values, positionals: folders } = parseArgs({
    allowPositionals: true,
    options: {
      encoding: { type: 'string', default: 'o200k' },
      megabytes: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'string' },
      against: { type: 'string' },
      native: { type: 'string' },
    },
  });
  const { encoding } = values;
  const began = Date.now();
  const total = compare({
    seed: Number(values.seed),
    folders,
    bytes: Number(values.megabytes) * 1e6,
    reference: await reference(encoding, values),
    ours: values.native === undefined ? await packaged(encoding) : native(values.native, encoding),
    onSlice: (sum) => {
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(
        `${encoding}: ${(sum.bytes / 1e6).toFixed(1)} MB, ${sum.tokens} tokens, ${sum.differences.length} differences, ${seconds} s`,
      );
    },
  });
  const kinds = Object.entries(total.kinds).map(([kind, bytes]) => `${kind} ${(bytes / 1e6).toFixed(1)}`);
  console.log(`${encoding}: ${total.texts} texts, ${(total.bytes / 1e6).toFixed(1)} MB (${kinds.join(', ')}), ${total.tokens} tokens`);
  for (const { kind, text } of total.differences.slice(0, 20)) console.log(`differs (${kind}): ${JSON.stringify(text.slice(0, 400))}`);
  console.log(total.differences.length === 0 ? `${encoding}: no differences` : `${encoding}: ${total.differences.length} texts differ`);
  process.exitCode = total.differences.length === 0 ? 0 : 1;
}

/** The package under test. */
async function packaged(encoding) {
  const { tokenizers } = await import('./packaged.mjs');
  const tokenizer = await (await tokenizers(encoding)).load();
  return encodeAll((text) => tokenizer.encode(text));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
