import { parseArgs } from 'node:util';

import { nearest } from './engine.js';
import { UsageError } from './exit.js';

const text = { type: 'string' };
const flag = { type: 'boolean' };

/** The latest time that a Date can represent. */
const LATEST = 8.64e15;

/** The longest time that a timer of Node takes, in seconds. */
const LONGEST = 2_147_483;

const COMMON = { help: { ...flag, short: 'h' }, version: { ...flag, short: 'V' }, color: text, json: flag };
const READING = { format: text, strict: flag, conversation: text };
const DECIDING = {
  profile: text,
  set: { ...text, multiple: true },
  context: text,
  'output-limit': text,
  'known-tokens': text,
  overhead: text,
  idle: text,
  force: flag,
};

const LIVING = {
  profile: text,
  set: { ...text, multiple: true },
  context: text,
  'output-limit': text,
  overhead: text,
  usage: text,
  rates: text,
  moments: text,
  'cache-minimum': text,
  'cache-lives': text,
  csv: flag,
};

const out = { ...text, short: 'o' };
const WRITING = { out, now: text, 'free-bytes': flag, record: text };

/** The options of each command. */
const COMMANDS = {
  detect: { ...COMMON },
  plan: { ...COMMON, ...READING, ...DECIDING, check: flag },
  inspect: { ...COMMON, ...READING, profile: text, set: { ...text, multiple: true } },
  compact: { ...COMMON, ...READING, ...DECIDING, ...WRITING, summary: text },
  summarize: { ...COMMON, ...READING, ...DECIDING, ...WRITING, with: text, timeout: text, focus: text, budget: text },
  undo: { ...COMMON, record: text, out },
  recall: { ...COMMON, ...READING, record: text },
  repair: { ...COMMON, ...READING, also: { ...text, multiple: true }, except: { ...text, multiple: true }, out },
  validate: { ...COMMON, ...READING, also: { ...text, multiple: true }, except: { ...text, multiple: true } },
  'summary-request': { ...COMMON, ...READING, ...DECIDING, focus: text, budget: text, answer: text },
  profiles: { ...COMMON },
  replay: { ...COMMON, ...READING, ...LIVING, svg: text, 'cache-check': flag },
  compare: { ...COMMON, ...READING, ...LIVING, policies: text, loss: flag, jobs: text },
  sweep: { ...COMMON, ...READING, ...LIVING, policy: text, policies: text, window: text, grid: text, svg: text, jobs: text },
  audit: { ...COMMON, ...READING, check: flag, jobs: text },
};

/** @typedef {{ command: string | undefined, files: string[], values: Record<string, any> }} Arguments */

/**
 * @param {string[]} args
 * @returns {Arguments}
 */
export function parse(args) {
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const command = at < 0 ? undefined : args[at];
  if (command !== undefined && !Object.hasOwn(COMMANDS, command)) {
    const names = Object.keys(COMMANDS);
    const meant = nearest(command, names);
    const thereAre = meant === undefined ? 'there are' : `did you mean ${meant}? There are`;
    throw new UsageError(`there is no command ${command}; ${thereAre} ${names.join(', ')}`);
  }
  const rest = command === undefined ? args : args.toSpliced(at, 1);
  const options = command === undefined ? COMMON : COMMANDS[command];
  const { values, positionals } = parsed(rest, options);
  const colors = ['auto', 'always', 'never'];
  if (values.color !== undefined && !colors.includes(values.color)) {
    throw new UsageError(`--color must be one of ${colors.join(', ')}`);
  }
  jobsOf(values);
  return { command, files: positionals, values };
}

function parsed(args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const message = error.message.split('\n')[0].replace(/\. To specify .*$/, '');
    const [, name] = /^Unknown option '--([^']+)'/.exec(message) ?? [];
    const meant = name === undefined ? undefined : nearest(name, Object.keys(options));
    throw new UsageError(meant === undefined ? message : `${message}; did you mean --${meant}?`);
  }
}

/** The options of the package's functions that the command line describes. */
export function planOptions(values) {
  const model = defined({ context: amount(values, 'context'), output: amount(values, 'output-limit') });
  return defined({
    profile: values.profile,
    format: values.format,
    strict: values.strict,
    conversation: amount(values, 'conversation', 'a number, counted from 0'),
    force: values.force,
    knownTokens: amount(values, 'known-tokens'),
    overhead: amount(values, 'overhead'),
    idle: amount(values, 'idle'),
    now: moment(values.now),
    freeBytes: values['free-bytes'],
    also: values.also,
    except: values.except,
    model: Object.keys(model).length > 0 ? model : undefined,
    set: values.set && Object.fromEntries(values.set.map(knob)),
  });
}

/** `path=value`: the value is JSON, or else a text; for a knob that is a list, names separated by commas. */
function knob(setting) {
  const [, path, value] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
  if (path === undefined) throw new UsageError(`--set ${setting} must be a path and a value: prune.protect=30000`);
  try {
    const parsed = JSON.parse(value);
    // JavaScript cannot represent such a number, so the engine reports it as written.
    return [path, parsed === Infinity || parsed === -Infinity ? value : parsed];
  } catch {
    return [path, value];
  }
}

function amount(values, name, what = 'a number of tokens') {
  const given = values[name];
  if (given === undefined) return undefined;
  if (!/^\d[\d_,]*$/.test(given)) throw new UsageError(`--${name} must be ${what}, not ${given}`);
  const number = Number(given.replace(/[_,]/g, ''));
  if (number > Number.MAX_SAFE_INTEGER)
    throw new UsageError(`--${name} must be ${what} of at most ${Number.MAX_SAFE_INTEGER}, not ${given}`);
  return number;
}

/** Milliseconds since 1970, or an ISO 8601 date. Without a time zone it would mean different times in different
 * places. */
function moment(given) {
  if (given === undefined) return undefined;
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(given);
  const milliseconds = isDate ? Date.parse(given) : /^\d{1,16}$/.test(given) ? Number(given) : NaN;
  if (milliseconds >= 0 && milliseconds <= LATEST) return milliseconds;
  throw new UsageError(`--now must be milliseconds since 1970, or a moment with its zone such as 2026-01-31T12:00:00Z, not ${given}`);
}

/** The options of a request for a summary. */
export function requestOptions(values) {
  const asked = defined({ focus: values.focus, budgetTokens: amount(values, 'budget') });
  return { ...planOptions(values), ...asked };
}

/** How many seconds a command may take; `undefined` if that is left open. */
export function secondsOf(values) {
  const seconds = amount(values, 'timeout', 'a number of seconds');
  if (seconds === undefined || (seconds >= 1 && seconds <= LONGEST)) return seconds;
  throw new UsageError(`--timeout must be from 1 to ${LONGEST} seconds, not ${values.timeout}`);
}

/** How many threads work at once; `undefined` if that is left open. */
export function jobsOf(values) {
  const jobs = amount(values, 'jobs', 'a number of threads');
  if (jobs === 0) throw new UsageError('--jobs must be 1 or more');
  return jobs;
}

/** The grid of a sweep, except for one from a file; `undefined` if nothing of it is given. */
export function gridOf(values) {
  const base = oneOf(values, 'policy', 'profile');
  const windows = oneOf(values, 'window', 'context');
  return defined({
    policy: base,
    set: values.set && Object.fromEntries(values.set.map(axis)),
    policies: values.policies?.split(','),
    windows: windows?.split(',').map((window) => amount({ window }, 'window')),
  });
}

/** Of two names for the same, the one that is given. */
function oneOf(values, name, other) {
  if (values[name] !== undefined && values[other] !== undefined) throw new UsageError(`--${name} and --${other} are the same: give one`);
  return values[name] ?? values[other];
}

/** `path=value,value`: each value is JSON, or else a text. A list in JSON is a list of values. */
function axis(setting) {
  const [path, values] = knob(setting);
  if (Array.isArray(values)) return [path, values];
  if (typeof values !== 'string') return [path, [values]];
  return [path, values.split(',').map((value) => knob(`${path}=${value}`)[1])];
}

/** The options of a replay. */
export function lifeOptions(values) {
  const { profile, format, strict, conversation, model, set } = planOptions(values);
  const minutes = amount(values, 'cache-lives', 'a number of minutes');
  const cache = defined({ minimum: amount(values, 'cache-minimum'), lives: minutes === undefined ? undefined : minutes * 60_000 });
  const given = { overhead: amount(values, 'overhead'), usage: values.usage, moments: values.moments, rates: rates(values.rates) };
  return defined({ profile, format, strict, conversation, model, set, ...given, cache: Object.keys(cache).length > 0 ? cache : undefined });
}

/** `0.1,1.25,5`: cached input, written input and output, as multiples of the price of fresh input. */
function rates(given) {
  if (given === undefined) return undefined;
  const numbers = given.split(',').map(Number);
  const [cached, written, output] = numbers;
  if (numbers.length === 3 && numbers.every((number) => number >= 0 && number < Infinity)) return { cached, written, output };
  throw new UsageError(`--rates must be three numbers, for cached input, written input and output, such as 0.1,1.25,5; not ${given}`);
}

function defined(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
