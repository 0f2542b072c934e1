// A process that is killed (SIGKILL) at any moment, again and again, and goes on with its files. EBBLINE_KILLS sets how often for each format.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { CLIENTS } from './agent-loop.mjs';
import { ebbline } from './adapter.mjs';
import { FileDisk } from './disk.mjs';
import { tokensOf } from './server/count.mjs';
import { startProvider } from './server/provider.mjs';
import { randomOf } from './server/random.mjs';

const KILLS = Number(process.env.EBBLINE_KILLS ?? 4);
/** More than are answered before the last kill. */
const ANSWERS = 30 * KILLS;
const PROGRAM = fileURLToPath(new URL('killed-agent.mjs', import.meta.url));

const server = await startProvider(tokensOf);
after(() => server.close());

/** Runs the agent, and kills it some milliseconds after it has begun. Returns whether it ended by itself. */
async function run(format, url, folder, seed, life) {
  const child = spawn(process.execPath, [PROGRAM, format, url, folder, String(ANSWERS), String(seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (bytes) => {
    said += bytes;
  });
  let timer;
  child.stdout.once('data', () => {
    timer = life === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), life);
  });
  const [code, signal] = await new Promise((resolve) => child.once('close', (...how) => resolve(how)));
  clearTimeout(timer);
  assert.ok(code === 0 || signal === 'SIGKILL', said);
  return code === 0;
}

for (const [at, format] of /** @type {(keyof typeof CLIENTS)[]} */ (Object.keys(CLIENTS)).entries()) {
  test(`${format}: a process that is killed ${KILLS} times goes on, and nothing is lost`, async () => {
    const random = randomOf(at + 1);
    const folder = mkdtempSync(join(tmpdir(), 'ebbline-killed-'));
    const faults = { smaller: 0.02, failing: 0.02, faulty: 0.3, stalls: false };
    const { session, url } = server.open({ format, random: randomOf(at + 2), window: 12_000, output: 1_500, thinks: true, ...faults });
    let [isDone, lives] = [false, 0];
    for (; !isDone; lives += 1) isDone = await run(format, url, folder, lives, lives < KILLS ? 20 + random.below(250) : undefined);
    assert.equal(lives, KILLS + 1);
    assert.deepEqual(session.seen.invalid, []);
    const { history, record } = new FileDisk(folder).read();
    assert.ok(record.changes.length > 0, 'nothing was compacted');
    const compactor = ebbline.createCompactor({ model: { context: 12_000, output: 1_500 }, format, record, summarize: () => '' });
    assert.notDeepEqual(await compactor.prepare(history), history);
    while (compactor.undo());
    const back = await compactor.prepare(history);
    assert.equal(JSON.stringify(back), JSON.stringify(history));
    compactor.free();
    rmSync(folder, { recursive: true });
  });
}
