// Whether --max-memory is a bound, by hand on Linux: what the native command line says a file needs, and what it takes.
//
//   node tests/bench/bound.mjs target/release/ebbline /tmp/bound [MEGABYTES]
//
// The exit code is 1 if a file takes more.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [program, folder, megabytes = '20'] = process.argv.slice(2);
const line = (value) => `${JSON.stringify(value)}\n`;
const call = (id) => ({ id: `c${id}`, type: 'function', function: { name: 'r', arguments: `{"p":${id}}` } });
const asked = { role: 'user', content: 'go' };
const claude = (at, text) => ({
  type: 'assistant',
  uuid: `u${at}`,
  parentUuid: at > 0 ? `u${at - 1}` : null,
  isSidechain: false,
  sessionId: 's',
  message: {
    id: `m${at}`,
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text }],
    usage: { input_tokens: 10, output_tokens: 3 },
  },
});
const tool = (at, output) =>
  line({ role: 'assistant', content: null, tool_calls: [call(at)] }) + line({ role: 'tool', tool_call_id: `c${at}`, content: output });
const digits = Array.from({ length: 3_000 }, () => 1);

/** What stands at a place of a session of a shape. @type {Record<string, (at: number) => string>} */
const SHAPES = {
  'short messages': (at) => line({ role: at % 2 === 0 ? 'user' : 'assistant', content: 'a' }),
  'short outputs': (at) => (at === 0 ? line(asked) : tool(at, 'x '.repeat(10))),
  'long outputs': (at) => (at === 0 ? line(asked) : tool(at, 'x '.repeat(2_000))),
  'Claude Code': (at) => line(claude(at, 'word '.repeat(4))),
  digits: (at) =>
    line({ role: 'assistant', content: [{ type: 'tool_use', id: `c${at}`, name: 't', input: { digits } }] }) +
    line({ role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${at}`, content: 'ok' }] }),
};
const COMMANDS = [
  ['audit'],
  ['compare', '--context', '200000'],
  ['sweep', '--context', '200000'],
  ['compare', '--context', '200000', '--policies', 'ebbline@2', '--rows', join(folder, 'rows.jsonl'), '--rows-of', 'requests'],
];

mkdirSync(folder, { recursive: true });
const base = await peak(['profiles']);
for (const [shape, at] of Object.entries(SHAPES)) {
  const file = join(folder, `${shape.replace(' ', '-')}.jsonl`);
  const lines = [];
  for (let place = 0, size = 0; size < Number(megabytes) * 1e6; place += 1) {
    lines.push(at(place));
    size += lines.at(-1).length;
  }
  writeFileSync(file, lines.join(''));
  const { size } = statSync(file);
  for (const command of COMMANDS) {
    const { stderr } = spawnSync(program, [...command, file, '--max-memory', '1kB'], { encoding: 'utf8' });
    const [, said] = /takes up to ([\d,]+) MB/u.exec(stderr) ?? [];
    const needs = Number(said?.replaceAll(',', '')) * 1e6;
    const takes = (await peak([...command, file])) - base;
    const times = (bytes) => (bytes / size).toFixed(1);
    if (!(takes <= needs)) process.exitCode = 1;
    console.log(
      `${shape}, ${command[0]}${command.includes('--rows') ? ' with rows' : ''}: takes ${times(takes)} times its size of ${times(needs)}`,
    );
  }
}

/** The most memory that a command takes, in bytes. */
function peak(args) {
  const child = spawn(program, args, { stdio: 'ignore' });
  let most = 0;
  const watch = setInterval(() => {
    try {
      most = Math.max(most, Number(/VmHWM:\s+(\d+) kB/u.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024);
    } catch {
      // It has ended.
    }
  }, 2);
  return new Promise((resolve) => {
    child.on('close', () => {
      clearInterval(watch);
      resolve(most);
    });
  });
}
