import { jsonFor } from './engine-json.js';
import * as filesCore from './files-core.js';
import { guarded } from './guard.js';
import { listOf } from './bounded-list.js';
import { invalid } from './option-checks.js';
import { checkedForReplay } from './options.js';
import { ofPolicy, priced, withTerms } from './replay.js';
import type { ReplayOptions, SweepGrid } from './replay-options.js';
import type { Sweep, SweepPoint } from './replay-report.js';
import { policyOf } from './ready-policy.js';
import { sourceOf } from './session-source.js';
import { readText } from './text-session.js';
import { isObject } from './values.js';

const MEMBERS = ['policy', 'set', 'windows', 'policies'];

/**
 * A grid that is ready for sessions.
 *
 * @internal
 */
export interface ReadySweep {
  /** The figures of a session. */
  weigh: (session: unknown) => Float64Array;
  add: (figures: Float64Array) => void;
  report: () => Sweep;
}

/**
 * A sweep as the engine writes it: the values of knobs are JSON.
 *
 * @internal
 */
export type WrittenSweep = Omit<Sweep, 'points'> & { points: (Omit<SweepPoint, 'set'> & { set: [path: string, value: string][] })[] };

/**
 * Compares the policies of a grid over many sessions: what each point of the grid costs and loses, summed over all sessions, and
 * which points stand on the frontier, where no other point is better in one respect and worse in none. Which point of the frontier
 * is best depends on what a lost output is worth to you.
 *
 * In browsers, `await init({ files: true })` first.
 *
 * @throws {@link EbblineError} `invalid_option` for arrays of live messages: loss is measured by words. Pass `JSON.stringify(messages)`
 *
 * @example
 * ```js
 * const grid = { policy: "ebbline@3", set: { "prune.downTo": ["30%", "50%"], "prune.minimum": [2_000, 10_000] }, windows: [200_000, 64_000] };
 * const { points } = sweep(texts, { ...grid, policies: ["pi@1.5"] }, { overhead: 8_000 });
 * const frontier = points.filter(({ onFrontier }) => onFrontier);
 * ```
 */
export const sweep = guarded(function sweep(sessions: readonly (string | Uint8Array)[], grid: SweepGrid, options?: ReplayOptions): Sweep {
  if (!Array.isArray(sessions)) throw invalid('sweep needs a list of sessions, each as its text or its bytes');
  return withSweep(grid, options, ({ weigh, add, report }) => {
    for (const session of listOf(sessions)) add(weigh(session));
    return report();
  });
});

/**
 * A grid, ready for sessions. Whoever weighs them in other threads adds their figures to a sweep of the same grid and options.
 *
 * @internal
 */
export const swept = guarded(withSweep);

function withSweep<T>(grid: unknown, options: unknown, use: (made: ReadySweep) => T): T {
  const given = checkedForReplay(options);
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
        report: () => reported(made.report(), prices),
      });
    } finally {
      made.free();
    }
  });
}

function reported({ points, ...report }: WrittenSweep, prices: ReplayOptions['prices']): Sweep {
  return { ...report, points: points.map(({ set, ...point }) => ({ ...point, set: settingsOf(set), ...priced(point.cost, prices) })) };
}

function settingsOf(set: [path: string, value: string][]): Record<string, unknown> {
  return Object.fromEntries(set.map(([path, value]) => [path, JSON.parse(value)]));
}

/** What a grid names, as the engine takes it. A grid that names only policies has nothing to lay values over. */
function pointsOf(grid: unknown, given: ReplayOptions) {
  if (!isObject(grid)) throw invalid('a grid must be an object');
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

function wholeOf(policy: unknown, given: ReplayOptions) {
  return policyOf(ofPolicy(policy, given)).json;
}

function axesOf(set: unknown = {}): [path: string, values: string[]][] {
  if (!isObject(set)) throw invalid("a grid's set must be an object");
  return Object.entries(set).map(([path, values]) => [
    path,
    listIn(`set["${path}"]`, values).map((value) => jsonFor('invalid_policy', `a value of ${path}`, value)),
  ]);
}

function windowsOf(windows: unknown) {
  const list = listIn('windows', windows);
  const isWindow = (window: unknown): window is number => typeof window === 'number' && Number.isSafeInteger(window) && window > 0;
  if (!list.every(isWindow)) throw invalid("a grid's windows must be whole numbers of 1 or more, in tokens");
  return Float64Array.from(list);
}

function listIn(name: string, values: unknown = []): unknown[] {
  if (!Array.isArray(values)) throw invalid(`a grid's ${name} must be a list`);
  return listOf(values);
}
