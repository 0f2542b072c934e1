import { listOf } from './list.js';
import { invalid } from './option-checks.js';
import { isObject } from './values.js';

/** What a trigger may test, in the order of the engine's `controller/trigger.rs`. */
const TESTS = ['tokens', 'share', 'reserve', 'messages', 'turns', 'idle'];
const ALL = 6;
const ANY = 7;
const DEEPEST = 16;
/** The most figures of a trigger, two for each test. */
const LONGEST = 2_000;

/** A caller's own trigger as the figures that the engine reads. */
export function triggerOf(when: unknown): number[] {
  const figures: number[] = [];
  add(figures, when, 0);
  return figures;
}

function add(figures: number[], when: unknown, depth: number) {
  const members = isObject(when) ? Object.entries(when) : [];
  if (members.length === 0) throw refused('it must be an object');
  if (depth > DEEPEST) throw refused('it is nested too deeply');
  for (const [name, value] of members) {
    if (name === 'all' || name === 'any') addJoined(figures, name, value, depth);
    else addTest(figures, name, value);
    if (figures.length > LONGEST) throw refused('it has too many tests');
  }
  if (members.length > 1) figures.push(ALL, members.length);
}

function addJoined(figures: number[], name: 'all' | 'any', given: unknown, depth: number) {
  // A copy: a list may change while it is read, or have holes.
  const list = Array.isArray(given) ? listOf(given) : [];
  if (list.length === 0) throw refused(`\`${name}\` must be a list of triggers`);
  for (const one of list) add(figures, one, depth + 1);
  figures.push(name === 'all' ? ALL : ANY, list.length);
}

function addTest(figures: number[], name: string, value: unknown) {
  const test = TESTS.indexOf(name);
  if (test === -1) throw refused(`it has no test \`${name.slice(0, 40)}\``);
  if (typeof value !== 'number' || !(value >= 0) || (name === 'share' && value > 1)) {
    throw refused(`\`${name}\` must be ${name === 'share' ? 'a share from 0 to 1' : 'a number of 0 or more'}`);
  }
  figures.push(test, value);
}

/** Whether a trigger tests turns, which have to be counted. */
export function countsTurns(figures: Float64Array) {
  return figures.some((figure, at) => at % 2 === 0 && figure === TESTS.indexOf('turns'));
}

function refused(why: string) {
  return invalid(
    `the option when does not fit: ${why}. It tests tokens, share, reserve, messages, turns or idle, as { messages: 200 }, and joins tests with { all: [] } and { any: [] }`,
  );
}
