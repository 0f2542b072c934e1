// The cases: what stands in `cases/*.json`, with its words put in.
//
// A table has cases by their names. A case has `run`, a list of steps; a step is a command line, or a list of arguments, or an
// object with `args` and what is around them: `env`, `stdin`, and `through`, a script of bash that runs the program as "$@".
// `@NAME` is a list of words of the table, `@fixtures` and `@formats` are all fixtures and one of each format. A fixture that
// an argument names is there; `before` has the other files and folders. `each` repeats a case, with $EACH in place of its items.

import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { fixtureFiles } from '../formats/fixtures.mjs';
import { made } from './made.mjs';
import { bytesOf } from './notation.mjs';

const folder = fileURLToPath(new URL('cases/', import.meta.url));

/** The programs that have this command line; the first that a case names is the one whose answer the others are compared with. */
export const HOSTS = ['npm', 'native', 'python'];

const paths = new Map(fixtureFiles.map(({ name, path }) => [name, path]));
const firstOfEach = new Map(fixtureFiles.map(({ name, format }) => [format, name]).reverse());
const LISTS = { fixtures: [...paths.keys()], formats: [...firstOfEach.values()].sort() };

const MEMBERS = {
  table: ['about', 'words', 'reasons', 'hosts', 'before', 'cases'],
  case: ['why', 'all', 'run', 'each', 'before', 'hosts', 'differs', 'env'],
  step: ['args', 'env', 'stdin', 'through'],
};

function known(kind, what, object) {
  for (const name of Object.keys(object)) if (!MEMBERS[kind].includes(name)) throw new Error(`${what}: there is no ${name}`);
  return object;
}

/** The content of a file that is there before. */
export function content(given) {
  if (typeof given === 'string') return bytesOf(given);
  if (given.text !== undefined) return bytesOf(given.text);
  if (given.fixture !== undefined) return readFileSync(pathOf(given.fixture));
  if (given.made !== undefined) return Buffer.from(made(given.made));
  if (given.json !== undefined) return Buffer.from(JSON.stringify(given.json));
  if (given.store !== undefined) return readFileSync(new URL(`../../crates/ebbline-cli/tests/stores/${given.store}`, import.meta.url));
  throw new Error(`no content: ${JSON.stringify(given)}`);
}

function pathOf(name) {
  const path = paths.get(name);
  if (path === undefined) throw new Error(`there is no fixture ${name}`);
  return path;
}

/** A step as the table has it, and with all of its words. */
function step(given, { all = [], env = {}, lists, each }) {
  const object = typeof given === 'string' || Array.isArray(given) ? { args: given } : given;
  const { args, stdin = '', through, env: own = {} } = known('step', JSON.stringify(given), object);
  const put = (text) => (each === undefined ? text : text.replaceAll('$EACH', each));
  const words = (given) =>
    typeof given === 'string'
      ? put(given)
          .split(' ')
          .filter((word) => word !== '')
      : given.map(put);
  const written = [...words(all), ...words(args)];
  const expanded = written.flatMap((word) => lists[/^@(.+)$/.exec(word)?.[1]] ?? [word]);
  const input = typeof stdin === 'object' ? JSON.parse(put(JSON.stringify(stdin))) : put(stdin);
  return { written, args: expanded.map((word) => bytesOf(word).toString()), env: { ...env, ...own }, stdin: input, through };
}

function cases(topic, table) {
  const { words = {}, reasons = {}, hosts = HOSTS, before = {} } = known('table', topic, table);
  const lists = { ...LISTS };
  for (const [name, list] of Object.entries(words)) lists[name] = list.flatMap((word) => lists[/^@(.+)$/.exec(word)?.[1]] ?? [word]);
  return Object.entries(table.cases).flatMap(([name, given]) => {
    const { each, run, all, env, differs = {}, ...own } = known('case', `${topic}, ${name}`, given);
    const items = typeof each === 'string' ? lists[each.slice(1)] : (each ?? [undefined]);
    return items.map((item, turn) => {
      const steps = run.map((one) => step(one, { all, env, lists, each: item }));
      const files = { ...before, ...JSON.parse(JSON.stringify(own.before ?? {}).replaceAll('$EACH', item ?? '$EACH')) };
      for (const word of steps.flatMap(({ args }) => args)) if (paths.has(word)) files[word] ??= { fixture: word };
      return {
        topic,
        name: item === undefined ? name : `${name}: ${item}`,
        hosts: own.hosts ?? hosts,
        // Of a repeated case, a host may differ in some items only.
        isRepeated: each !== undefined,
        turn,
        differs: Object.fromEntries(Object.entries(differs).map(([host, reason]) => [host, reasons[reason] ?? reason])),
        before: files,
        steps,
      };
    });
  });
}

/** The cases of all tables, by the names of the tables. @returns {Map<string, ReturnType<typeof cases>>} */
export function tables() {
  const names = readdirSync(folder).sort();
  const named = names.map((file) => [file.replace(/\.json$/, ''), JSON.parse(readFileSync(folder + file, 'utf8'))]);
  return new Map(named.map(([topic, table]) => [topic, cases(topic, table)]));
}
