// Where the messages are kept that are no longer sent: a folder, SQLite, Redis, or a store like S3.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createCompactor } from 'ebbline';

import { history } from './model.mjs';

/** A folder. */
const folder = (path) => ({
  get: (key) => readFile(join(path, key), 'utf8').catch(() => undefined),
  put: async (key, text) => {
    await mkdir(path, { recursive: true });
    await writeFile(join(path, key), text);
  },
});

/** SQLite, with `new DatabaseSync('agent.db')` of node:sqlite (Node 22.5). */
const sqlite = (database, session) => {
  database.exec('CREATE TABLE IF NOT EXISTS originals (session TEXT, key TEXT, text TEXT, PRIMARY KEY (session, key))');
  const read = database.prepare('SELECT text FROM originals WHERE session = ? AND key = ?');
  const write = database.prepare('INSERT OR REPLACE INTO originals VALUES (?, ?, ?)');
  return { get: (key) => read.get(session, key)?.text, put: (key, text) => void write.run(session, key, text) };
};

/** Redis, with a client of the package `redis`. */
const redis = (client, session) => ({
  get: (key) => client.hGet(`ebbline:${session}`, key),
  put: (key, text) => client.hSet(`ebbline:${session}`, key, text),
});

/** S3 and what speaks like it, by plain requests that `sign` gives their headers. */
const s3 = (bucket, session, sign, send = fetch) => ({
  get: async (key) => {
    const response = await send(`${bucket}/${session}/${key}`, { headers: await sign('GET', key) });
    return response.ok ? response.text() : undefined;
  },
  put: async (key, body) => {
    const response = await send(`${bucket}/${session}/${key}`, { method: 'PUT', body, headers: await sign('PUT', key) });
    if (!response.ok) throw new Error(`the store answered ${response.status}`);
  },
});

// Instead of a Redis and an S3 server, two objects that answer as they do.
const hashes = new Map();
const client = {
  hGet: async (hash, key) => hashes.get(`${hash} ${key}`),
  hSet: async (hash, key, text) => hashes.set(`${hash} ${key}`, text),
};
const objects = new Map();
const send = async (url, { method = 'GET', body = undefined } = {}) => {
  if (method === 'PUT') objects.set(url, body);
  return new Response(objects.get(url), { status: objects.has(url) ? 200 : 404 });
};
const path = await mkdtemp(join(tmpdir(), 'ebbline-store-'));
const stores = {
  'a folder': folder(path),
  Redis: redis(client, 'session-1'),
  S3: s3('https://bucket.example', 'session-1', async () => ({}), send),
};
const { DatabaseSync } = await import('node:sqlite').catch(() => ({ DatabaseSync: undefined }));
stores.SQLite = DatabaseSync === undefined ? folder(join(path, 'instead')) : sqlite(new DatabaseSync(':memory:'), 'session-1');

for (const [name, store] of Object.entries(stores)) {
  const options = { model: { context: 14_000, output: 2_000 }, store };
  const whole = history(30);
  const first = createCompactor(options);
  const view = await first.prepare(whole);
  const record = JSON.parse(JSON.stringify(first.record));
  // Another process has what was sent, the record and the store.
  const second = createCompactor({ ...options, record });
  await second.prepare(structuredClone(view));
  while (second.undo());
  const back = await second.prepare(structuredClone(view));
  console.log(`${name}: ${JSON.stringify(back) === JSON.stringify(whole) ? 'everything is back' : 'something is lost'}`);
}
await rm(path, { recursive: true });

// It prints:
// → a folder: everything is back
// → Redis: everything is back
// → S3: everything is back
// → SQLite: everything is back
