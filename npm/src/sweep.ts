import { readText, sourceOf } from './api.js';
import { EbblineError } from './errors.js';
import * as filesCore from './files-core.js';
import { guarded } from './guard.js';
import { listOf } from './bounded-list.js';
import { checkedForReplay, jsonFor, policyOf } from './options.js';
import { ofPolicy, priced, withTerms } from './replay.js';

const MEMBERS = ['policy', 'set', 'windows', 'policies'];

/** The policies of a grid over many sessions, and which of them stand on the frontier of cost and loss. */
export const sweep = guarded(function sweep(sessions, grid, options) {
  if (!Array.isArray(sessions)) throw invalid('sweep needs a list of sessions, each as its text or its bytes');
  return withSweep(grid, options, ({ weigh, add, report }) => {
    for (const session of listOf(sessions)) add(weigh(session));
    return report();
  });
});

/** A grid, ready for sessions. Whoever weighs them in other threads adds their figures to a sweep of the same grid and options. */
export const swept = guarded(withSweep);

function withSweep<T>(
  grid,
  options,
  use: (made: { weigh: (session: unknown) => Float64Array; add: (figures: Float64Array) => void; report: () => any }) => T,
): T {
  const given: any = checkedForReplay(options);
  const policy = policyOf(given);
  const { base, beside, axes, windows } = pointsOf(grid, given);
  return withTerms(given, (terms, prices) => {
    const made = new filesCore.Sweep(base);
    try {
      for (const [path, values] of axes) made.axis(path, values);
      for (const json of beside) made.beside(json);
      made.make(windows);
      return use({
        weigh: (session) => {
          const source = sourceOf(session);
          if (Array.isArray(source))
            throw invalid('sweep measures loss by words: pass each session as a text, such as JSON.stringify(messages)');
          return readText(source, given, policy, (read) => made.weigh(read, terms));
        },
        add: (figures) => made.add(figures),
        report: () => reported(JSON.parse(made.report()), prices),
      });
    } finally {
      made.free();
    }
  });
}

function reported({ points, ...report }, prices) {
  return { ...report, points: points.map(({ set, ...point }) => ({ ...point, set: settingsOf(set), ...priced(point.cost, prices) })) };
}

function settingsOf(set) {
  return Object.fromEntries(set.map(([path, value]) => [path, JSON.parse(value)]));
}

/** What a grid names, as the engine takes it. A grid that names only policies has nothing to lay values over. */
function pointsOf(grid, given) {
  if (typeof grid !== 'object' || grid === null || Array.isArray(grid)) throw invalid('a grid must be an object');
  const unknown = Object.keys(grid).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw invalid(`a grid has no member ${unknown}: it has ${MEMBERS.join(', ')}`);
  const { policy, set, windows, policies } = grid;
  const hasBase = policy !== undefined || set !== undefined || policies === undefined;
  return {
    base: hasBase ? wholeOf(policy ?? {}, given) : undefined,
    beside: listIn('policies', policies).map((beside) => wholeOf(beside, given)),
    axes: axesOf(set),
    windows: windowsOf(windows),
  };
}

function wholeOf(policy, given) {
  return policyOf(ofPolicy(policy, given)).json;
}

function axesOf(set = {}) {
  if (typeof set !== 'object' || set === null || Array.isArray(set)) throw invalid("a grid's set must be an object");
  return Object.entries(set).map(([path, values]) => [
    path,
    listIn(`set["${path}"]`, values).map((value) => jsonFor('invalid_policy', `a value of ${path}`, value)),
  ]);
}

function windowsOf(windows) {
  const list = listIn('windows', windows);
  const isWindow = (window) => Number.isSafeInteger(window) && window > 0;
  if (!list.every(isWindow)) throw invalid("a grid's windows must be whole numbers of 1 or more, in tokens");
  return Float64Array.from(list as number[]);
}

function listIn(name, values = []) {
  if (!Array.isArray(values)) throw invalid(`a grid's ${name} must be a list`);
  return listOf(values);
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}
