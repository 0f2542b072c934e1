// Thirty turns of ten calls in the real Hermes Agent, with a restart and another model half-way:
// `node tests/hosts/hermes/run.mjs PYTHON [TURNS [ENGINE [FAILING]]]`. PYTHON is that of an environment with `hermes-agent` and this
// project's wheel; FAILING are the numbers of the summaries that fail, 0 for none. docs/hosts/hermes.md has the figures. It runs with
// ebbline's engine and with Hermes' own, and fails where ebbline's run has a refused request, or loses something.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CALLS, Provider } from './server.mjs';

const [python, turns = '30', only, failing = '1,3'] = process.argv.slice(2);
const TURNS = Number(turns);
/** From which request on a large one is refused once. */
const SURPRISE = Math.floor(TURNS * CALLS * 0.3);
const HALF = Math.floor(TURNS / 2);

/** The files that the model reads: each has a fact of its own. */
function workspace(folder) {
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (let step = 0; step < CALLS; step += 1) {
      const lines = Array.from(
        { length: 60 },
        (_, at) => `entry ${at} of file ${turn}-${step}: value ${(at * 7919 + turn * 104_729 + step) % 9973}`,
      );
      writeFileSync(join(folder, `file-${turn}-${step}.txt`), [`FACT-${turn}-${step}`, ...lines, 'end of the file', ''].join('\n'));
    }
  }
}

function settings(url, engine, model, window) {
  return `model:
  default: ${model}
  provider: custom
  base_url: ${url}
  api_key: none
  context_length: ${window}
plugins:
  enabled: [ebbline]
context:
  engine: ${engine}
compression:
  enabled: true
`;
}

function run(args, home, folder) {
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, HERMES_HOME: home, HOME: home, TERMINAL_CWD: folder, EBBLINE_CACHE: join(home, 'cache') };
    const child = spawn(python, args, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (data) => (out += data));
    child.stderr.on('data', (data) => (err += data));
    child.on('close', (code) => {
      if (process.env.EBBLINE_SHOW) console.error(err.slice(-3_000));
      const found = /^RESULT (.*)$/m.exec(out);
      if (found === null) reject(new Error(`exit ${code}\n${out.slice(-2_000)}\n${err.slice(-4_000)}`));
      else resolve(JSON.parse(found[1]));
    });
  });
}

async function life(engine) {
  const home = mkdtempSync(join(tmpdir(), 'ebbline-hermes-'));
  const folder = mkdtempSync(join(tmpdir(), 'ebbline-files-'));
  workspace(folder);
  // Hermes' own engine breaks a rule of strict servers for good, and could not be measured to the end.
  const faults = { surprise: SURPRISE, failing: failing.split(',').map(Number), isLenient: engine !== 'ebbline' };
  const provider = new Provider({ window: 72_000, output: 4_000, ...faults });
  const url = await provider.start();
  const script = new URL('turns.py', import.meta.url).pathname;
  try {
    writeFileSync(join(home, 'config.yaml'), settings(url, engine, 'scripted-a', 72_000));
    const first = await run([script, 'life', '0', String(HALF)], home, folder);
    provider.window = 66_000;
    writeFileSync(join(home, 'config.yaml'), settings(url, engine, 'scripted-b', 66_000));
    const second = await run([script, first.session, String(HALF), String(TURNS)], home, folder);
    const codes = Array.from({ length: TURNS }, (_, turn) => `CODE-${1_000 + turn}`).filter((code) => provider.newest.includes(code));
    const done = [...first.answers, ...second.answers].filter(([turn, answer]) => answer === `Turn ${turn} is done.`).length;
    return { engine: second.engine, done, first, second, codes: codes.length, models: provider.models, seen: provider.seen };
  } finally {
    provider.server.closeAllConnections();
    provider.server.close();
    if (process.env.EBBLINE_KEEP === undefined) for (const one of [home, folder]) rmSync(one, { recursive: true, force: true });
    else console.error(home, folder);
  }
}

const results = [];
for (const engine of only === undefined ? ['ebbline', 'compressor'] : [only]) {
  const { first, second, seen, ...others } = await life(engine);
  const { refused, ...figures } = seen;
  const compactions = [first.compactions, second.compactions];
  results.push({ ...others, compactions, back: second.back, lost: second.lost, refused: refused.length, ...figures });
  console.log(JSON.stringify(results.at(-1), undefined, 1));
  console.log(
    refused.slice(0, 3),
    JSON.stringify([...first.answers, ...second.answers].filter(([turn, said]) => said !== `Turn ${turn} is done.`)),
  );
}
const [ours] = results;
if (only !== 'compressor' && (ours.refused > 0 || ours.lost > 0 || ours.missing > 0 || ours.done < TURNS)) {
  console.error('a request was refused, or something was lost');
  process.exitCode = 1;
}
