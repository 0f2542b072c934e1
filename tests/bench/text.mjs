// Reading and planning the text of a session file: `node text.mjs FOLDER MEGABYTES TIMES`. Prints JSON.
//
// The file is a session of pi in JSON Lines, with the same content as in the other benchmarks; it stays in FOLDER for
// the native program. Two of the rows measure JavaScript's own functions on the same bytes.

import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';

import { PROFILES, model } from './ours.mjs';
import { entries, shapes } from './sessions.mjs';
import { measure } from './stopwatch.mjs';
import { ebbline } from '../npm/package.mjs';

const [folder, megabytes, times] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const file = join(folder, `session-${megabytes}.jsonl`);
if (!existsSync(file)) await write(file, megabytes * 1e6);
const bytes = readFileSync(file);
const text = bytes.toString();

const decoder = new TextDecoder();
const contenders = [
  ...PROFILES.map((profile) => ({ name: `plan(bytes), ${profile}`, run: () => ebbline.plan(bytes, { profile, model }) })),
  { name: `plan(string), ${PROFILES[0]}`, run: () => ebbline.plan(text, { model }) },
  { name: 'JavaScript: decode and JSON.parse of each line, no plan', run: () => parseAll(decoder.decode(bytes)) },
  { name: 'JavaScript: JSON.parse of each line, no plan', run: () => parseAll(text) },
];
const measured = await measure(contenders, { rounds: times, sample: 1, most: Infinity });
console.log(JSON.stringify({ file, bytes: statSync(file).size, times: Object.fromEntries(measured) }));

function parseAll(source) {
  let messages = 0;
  for (const line of source.split('\n')) if (line !== '') messages += JSON.parse(line).message === undefined ? 0 : 1;
  return messages;
}

async function write(path, size) {
  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.part`;
  const out = createWriteStream(unfinished);
  const time = (at) => new Date(1_788_256_830_000 + at * 1_500).toISOString();
  const head = { type: 'session', version: 3, id: '0199a1c2-7b3e-7000-8000-00000000c0de', timestamp: time(0), cwd: '/home/mara/shop' };
  let written = 0;
  const put = async (line) => {
    const encoded = Buffer.from(`${JSON.stringify(line)}\n`);
    written += encoded.length;
    if (!out.write(encoded)) await once(out, 'drain');
  };
  await put(head);
  let parentId = null;
  let at = 0;
  for (const entry of entries()) {
    at += 1;
    const id = at.toString(16).padStart(8, '0');
    await put({ type: 'message', message: shapes.piUsage(entry), id, parentId, timestamp: time(at) });
    parentId = id;
    if (written >= size) break;
  }
  out.end();
  await once(out, 'finish');
  renameSync(unfinished, path);
}
