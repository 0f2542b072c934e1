import { parseArgs } from 'node:util';

import { UsageError } from './exit.js';

const text = { type: 'string' };
const flag = { type: 'boolean' };

const COMMON = { help: { ...flag, short: 'h' }, version: { ...flag, short: 'V' }, color: text, json: flag };
const READING = { format: text, strict: flag, conversation: text };
const DECIDING = {
  profile: text,
  set: { ...text, multiple: true },
  context: text,
  'output-limit': text,
  'known-tokens': text,
  force: flag,
};

/** The options of each command. */
const COMMANDS = {
  detect: { ...COMMON },
  plan: { ...COMMON, ...READING, ...DECIDING, check: flag },
  compact: { ...COMMON, ...READING, ...DECIDING, summary: text, out: { ...text, short: 'o' }, 'free-bytes': flag },
  validate: { ...COMMON, ...READING, also: { ...text, multiple: true }, except: { ...text, multiple: true } },
  'summary-request': { ...COMMON, ...READING, ...DECIDING, focus: text, budget: text, answer: text },
  profiles: { ...COMMON },
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
    throw new UsageError(`there is no command ${command}; there are ${Object.keys(COMMANDS).join(', ')}`);
  }
  const rest = command === undefined ? args : args.toSpliced(at, 1);
  const options = command === undefined ? COMMON : COMMANDS[command];
  const { values, positionals } = parsed(rest, options);
  const colors = ['auto', 'always', 'never'];
  if (values.color !== undefined && !colors.includes(values.color)) {
    throw new UsageError(`--color must be one of ${colors.join(', ')}`);
  }
  return { command, files: positionals, values };
}

function parsed(args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message.split('\n')[0].replace(/\. To specify .*$/, ''));
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
    freeBytes: values['free-bytes'],
    also: values.also,
    except: values.except,
    model: Object.keys(model).length > 0 ? model : undefined,
    set: values.set && Object.fromEntries(values.set.map(knob)),
  });
}

/** `path=value`: the value is JSON, or a text; names separated by commas are a list where the knob is one. */
function knob(setting) {
  const [, path, value] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
  if (path === undefined) throw new UsageError(`--set ${setting} must be a path and a value: prune.protect=30000`);
  try {
    return [path, JSON.parse(value)];
  } catch {
    return [path, value];
  }
}

function amount(values, name, what = 'a number of tokens') {
  const given = values[name];
  if (given === undefined) return undefined;
  if (!/^\d[\d_,]*$/.test(given)) throw new UsageError(`--${name} must be ${what}, not ${given}`);
  return Number(given.replace(/[_,]/g, ''));
}

/** The options of a request for a summary. */
export function requestOptions(values) {
  const asked = defined({ focus: values.focus, budgetTokens: amount(values, 'budget') });
  return { ...planOptions(values), ...asked };
}

function defined(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
