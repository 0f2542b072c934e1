// OpenClaw from an empty home, with ebbline as its users install it, and beside it with its own compaction. Run by hand:
//   node tests/hosts/installed/openclaw.mjs [--keep] [ebbline|legacy]
// It needs the package (`cargo xtask npm`), 650 MB for OpenClaw, and a Node that OpenClaw takes (24.16), which npm brings.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { packageFolder } from '../../npm/package.mjs';
import { Gateway, PROGRAMS, programs } from './gateway.mjs';
import { startProvider } from './provider.mjs';
import { startRegistry } from './registry.mjs';
import { Story, TURNS, askedIn, factOf, factsIn, isFlush } from './story.mjs';

const OUTPUT = 2_000;
const WINDOWS = { first: 36_000, second: 30_000 };
const KEY = 'agent:main:story';
/** What goes wrong, and when. */
const RESTART = 15;
const SECOND_MODEL = 16;
const OVERFLOWS = [9, 22];
const FAILING = [6, 13];
const RECALL = 25;
const FOCUS = 'Keep the codes of the houses.';

const run = promisify(execFile);

/** Compiles the plug-in against the types of the OpenClaw that is installed. */
async function checkTypes() {
  const here = import.meta.dirname;
  const folder = mkdtempSync(join(tmpdir(), 'openclaw-types-'));
  const paths = {
    ebbline: [join(packageFolder, 'dist/index.d.ts')],
    'ebbline/openclaw': [join(packageFolder, 'dist/adapters/openclaw.d.ts')],
    'openclaw/plugin-sdk/plugin-entry': [join(PROGRAMS, 'node_modules/openclaw/dist/plugin-sdk/plugin-entry.d.ts')],
  };
  const how = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', skipLibCheck: true, types: [], paths };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: how, files: [join(here, 'openclaw.ts')] }));
  await run(join(here, '../../node_modules/.bin/tsc'), ['--project', folder]).catch(({ stdout }) => assert.fail(stdout));
  rmSync(folder, { recursive: true });
}

async function lived(engine, node, registry) {
  const home = mkdtempSync(join(tmpdir(), `openclaw-home-${engine}-`));
  const story = new Story({ recall: engine === 'ebbline' ? RECALL : 0 });
  const provider = await startProvider({ windows: WINDOWS, output: OUTPUT, script: story });
  const host = new Gateway({ node, home, registry, url: provider.url, windows: WINDOWS, output: OUTPUT, key: KEY });
  const told = { engine, crashes: 0, unfinished: [], commands: {} };
  const begun = Date.now();
  try {
    await host.configure();
    if (engine === 'ebbline') {
      told.installed = await host.command('plugins', 'install', 'ebbline', '--force', '--accept-capabilities');
      told.installSeconds = Math.round((Date.now() - begun) / 1000);
    }
    await host.start();
    for (let turn = 1; turn <= TURNS; turn += 1) {
      if (turn === RESTART) {
        await host.stop();
        await host.start();
      }
      if (turn === TURNS - 1)
        told.commands.compact = await host.typed(`/compact ${FOCUS}`, () =>
          provider.seen.bodies.some(({ messages }) => JSON.stringify(messages).includes(FOCUS)),
        );
      story.begin(turn);
      provider.state.share = OVERFLOWS.includes(turn) ? 0.48 : 1;
      provider.state.failsSummaries = turn >= FAILING[0] && turn <= FAILING[1];
      const model = turn >= SECOND_MODEL ? 'second' : 'first';
      const said = await host.say(askedIn(turn), model).catch(async () => {
        // The gateway is gone: its supervisor would start it again, and the user would ask again.
        told.crashes += 1;
        await host.start();
        story.begin(turn);
        return host.say(askedIn(turn), model);
      });
      if (said !== `The notes of turn ${turn} are read.`) told.unfinished.push({ turn, said });
      process.stderr.write(
        `${engine} ${turn}: ${provider.seen.requests} requests, ${provider.seen.overflows} refused, ${provider.seen.summaries} summaries\n`,
      );
    }
    if (engine === 'ebbline') {
      await host.typed('/ebbline', () => false);
      [told.commands.status] = /ebbline: [^"]*/.exec(await host.chat()) ?? [];
    }
  } finally {
    await host.stop().catch(() => undefined);
    provider.close();
    writeFileSync(join(tmpdir(), `openclaw-${engine}.log`), host.log);
    writeFileSync(join(tmpdir(), `openclaw-${engine}.json`), JSON.stringify(provider.seen));
    if (!process.argv.includes('--keep')) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    else told.home = home;
  }
  const { bodies, ...seen } = provider.seen;
  const last = bodies.findLast((body) => body.tools?.length > 0 && !isFlush(body));
  const facts = factsIn(last.messages);
  const kept = Array.from({ length: TURNS }, (_, at) => factOf(at + 1)).filter((fact) => facts.includes(fact)).length;
  const focused = bodies.filter(({ messages }) => JSON.stringify(messages).includes(FOCUS)).length;
  return { ...told, ...seen, kept, focused, recalled: story.recalled, seconds: Math.round((Date.now() - begun) / 1000) };
}

const node = await programs();
await checkTypes();
const registry = await startRegistry();
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const results = [];
try {
  for (const engine of wanted.length > 0 ? wanted : ['ebbline', 'legacy']) results.push(await lived(engine, node, registry.url));
} finally {
  registry.close();
}
console.log(JSON.stringify(results, null, 2));
const ours = results.find(({ engine }) => engine === 'ebbline');
if (ours !== undefined) {
  assert.deepEqual(ours.invalid, [], 'a request that the strict server refuses');
  assert.deepEqual(ours.unfinished, [], 'a turn that did not end');
  assert.equal(ours.kept, TURNS, 'a fact was lost');
  assert.equal(ours.recalled?.isWhole, true, 'the output did not come back');
}
