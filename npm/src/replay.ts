import { files } from './files.js';
import * as filesCore from './files-core.js';
import { FINDINGS, MOST_POLICIES, RATES } from './generated/names.js';
import type { Loss, PolicyOutcome } from './generated/reports.js';
import type { ProfileName } from './generated/words.js';
import { guarded } from './guard.js';
import { listOf } from './bounded-list.js';
import { walk } from './live-plan.js';
import { checkedForReplay } from './options.js';
import type { ReadOptions } from './plan-options.js';
import { invalid } from './option-checks.js';
import type { PolicyOptions } from './policy-options.js';
import type { ReplayCache, ReplayOptions } from './replay-options.js';
import type { Outcome, Replay } from './replay-report.js';
import { type ReadyPolicy, policyOf } from './ready-policy.js';
import { type SessionInput, sourceOf } from './session-source.js';
import { readText } from './text-session.js';
import { isAmount } from './values.js';

/** What tokens cost, as multiples of the price of one fresh input token. */
type Rates = Record<'cached' | 'written' | 'output', number>;
type Prices = NonNullable<ReplayOptions['prices']>;

const CACHE = { minimum: 0, block: 1, lives: 0 };

/**
 * What is assumed, as the engine takes it.
 *
 * @internal
 */
export interface Assumptions {
  overhead: number;
  usage: string;
  moments: string | undefined;
  rates: [cached: number, written: number, output: number];
  cache: { minimum: number; block: number; lives: number | undefined };
  carried?: string;
}

/** What is done with a session: one way for its text, another for the records of live messages. */
interface Ways<T> {
  text: (session: filesCore.SessionText) => T;
  records: (records: Uint32Array, tools: string[]) => T;
}

/**
 * Applies a policy over the whole life of a recorded session, request by request: what each request would send, when the policy
 * would compact, and what everything costs. The recorded answers stand: what a model would have answered to another context is
 * not known.
 *
 * In browsers, `await init({ files: true })` first.
 *
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const { requests, compactions, cost } = replay(text, { profile: "opencode@2026-06", model: { context: 200_000 }, overhead: 8_000 });
 * ```
 */
export const replay = guarded(function replay(input: SessionInput, options?: ReplayOptions): Replay {
  const given = checkedForReplay(options);
  refuseCarried(given);
  const policy = policyOf(given);
  return withTerms(given, (terms, prices) => {
    const report = onSession<Replay>(input, given, policy, {
      text: (session) => ({
        ...session.replay(policy.json, terms),
        ...lossOf(given, session, [policy.json], terms, FINDINGS)?.[0],
        ...(given.cacheCheck && { cacheCheck: session.cacheCheck(policy.json, terms) }),
      }),
      records: (records, tools) => filesCore.replayRecords(records, tools, policy.json, terms),
    });
    return { ...report, ...priced(report.cost, prices) };
  });
});

/**
 * Applies several policies over the same life. A policy is the name of a profile, or the options of one; `options.model` holds
 * for every policy without a model of its own.
 *
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const outcomes = compare(text, ["ebbline@1", { profile: "pi@1.5", set: { "retain.keep": 10_000 } }], { model: { context: 64_000 } });
 * ```
 */
export const compare = guarded(function compare(
  input: SessionInput,
  policies: readonly (ProfileName | PolicyOptions)[],
  options?: ReplayOptions,
): Outcome[] {
  const given = checkedForReplay(options);
  if (given.cacheCheck) throw invalid('cacheCheck is an option of replay: it does not depend on the policy');
  refuseCarried(given);
  // One by one: a policy that was made ready may be freed when the next one is.
  const jsons = listed(policies).map((policy) => policyOf(ofPolicy(policy, given)).json);
  return withTerms(given, (terms, prices) => {
    const { outcomes, losses } = onSession<{ outcomes: PolicyOutcome[]; losses?: { loss: Loss }[] | undefined }>(
      input,
      given,
      policyOf(given),
      {
        text: (session) => ({ outcomes: session.compare(jsons, terms), losses: lossOf(given, session, jsons, terms, 0) }),
        records: (records, tools) => ({ outcomes: filesCore.compareRecords(records, tools, jsons, terms) }),
      },
    );
    return outcomes.map((outcome, at) => ({ ...outcome, ...priced(outcome.cost, prices), ...losses?.[at] }));
  });
});

/**
 * Measures what was really lost by the compactions that a session file records: outputs that were needed again, orders of the
 * user that are gone, calls that were repeated. `docs/metrics.md` in the repository defines every figure and says what it cannot
 * show.
 *
 * @throws {@link EbblineError} `invalid_option` for an array of live messages, which records no compactions
 *
 * @example
 * ```js
 * const { references, orders, worst } = audit(text);
 * ```
 */
export const audit = guarded(function audit(input: string | Uint8Array, options?: ReadOptions): Loss {
  const given = checkedForReplay(options);
  const source = sourceOf(input);
  if (Array.isArray(source)) throw invalid('audit reads the compactions that a session file records: pass its text or bytes, not an array');
  return readText(source, given, policyOf(given), (session) => session.audit(FINDINGS));
});

function refuseCarried({ carried }: ReplayOptions) {
  if (carried !== undefined) throw invalid('carried is an option of sweep: what replay and compare lose is measured without summaries');
}

/** What is lost under each policy; `undefined` unless it was asked for. It is measured by words, which records do not have. */
function lossOf(
  { loss = false }: ReplayOptions,
  session: filesCore.SessionText,
  policies: string[],
  terms: filesCore.Terms,
  findings: number,
): { loss: Loss }[] | undefined {
  return loss ? session.loss(policies, terms, findings).map((report) => ({ loss: report })) : undefined;
}

function onSession<T>(input: unknown, given: ReplayOptions, policy: ReadyPolicy, { text, records }: Ways<T>): T {
  const source = sourceOf(input);
  if (!Array.isArray(source)) return readText(source, given, policy, text);
  if (given.cacheCheck) throw invalid('the cache is checked by what a session file reports: pass its text or bytes, not an array');
  if (given.loss) throw invalid('loss is measured by words: pass the text of the session, such as JSON.stringify(messages)');
  files.memory();
  const measures = { placeholder: policy.placeholder, wide: true, classes: true, ofJson: true, notation: true };
  return walk(source, given, { measures }, false, (_, recorder) => records(recorder.records, recorder.tools));
}

/**
 * Calls `use` with what the options say of costs and of the cache, as the engine takes it, and with the prices, if there are any.
 *
 * @internal
 */
export function withTerms<T>(
  { overhead = 0, usage = 'estimate', moments, rates, prices, cache = {}, carried }: ReplayOptions,
  use: (terms: filesCore.Terms, prices: Prices | undefined) => T,
): T {
  files.memory();
  if (rates !== undefined && prices !== undefined)
    throw invalid('pass rates or prices, not both: rates are multiples of the price of an input token');
  const { cached, written, output }: Rates = { ...RATES, ...amounts('rates', rates, RATES), ...ratesOf(prices) };
  const { minimum = 0, block = 1, lives }: ReplayCache = amounts('cache', cache, CACHE);
  const assumed = {
    overhead,
    usage,
    moments,
    cache: { minimum, block, lives },
    ...(carried !== undefined && { carried: String(carried) }),
  };
  const terms = new filesCore.Terms({ ...assumed, rates: [cached, written, output] });
  try {
    return use(terms, prices);
  } finally {
    terms.free();
  }
}

/** Prices in the shape of models.dev, as multiples of the price of an input token. */
function ratesOf(prices: Prices | undefined): Partial<Rates> {
  if (prices === undefined) return {};
  const { input = 0, output, cache_read: read, cache_write: write }: Partial<Prices> = prices;
  if (!(input > 0) || output === undefined) throw invalid('the option prices needs input and output, in money for a million tokens');
  return { cached: (read ?? input) / input, written: (write ?? input) / input, output: output / input };
}

/** @internal */
export function priced(cost: number, prices: Prices | undefined) {
  return prices === undefined ? {} : { money: (cost * prices.input) / 1e6 };
}

/** An option with its members, which must be amounts and among those that are `known`. */
function amounts<T extends object>(name: string, value: T | undefined, known: object): Partial<T> {
  const given: Partial<T> = value ?? {};
  const members: [string, unknown][] = Object.entries(given);
  for (const [member, amount] of members) {
    if (!Object.hasOwn(known, member)) {
      throw invalid(`the option ${name} has no member ${member}: it has ${Object.keys(known).join(', ')}`);
    }
    if (amount !== undefined && !isAmount(amount)) throw invalid(`the option ${name}.${member} must be a number of 0 or more`);
  }
  return given;
}

function listed(policies: unknown): unknown[] {
  if (!Array.isArray(policies) || policies.length === 0) {
    throw invalid('compare needs a list of policies: names of profiles, or options such as { profile, set }');
  }
  if (policies.length > MOST_POLICIES) throw invalid(`compare takes at most ${MOST_POLICIES} policies at once`);
  return listOf(policies);
}

/**
 * The options of one policy of a comparison; the model is that of all unless the policy has its own.
 *
 * @internal
 */
export function ofPolicy(policy: unknown, given: ReplayOptions): ReplayOptions {
  const own = typeof policy === 'string' ? { profile: policy } : (policy ?? null);
  return { model: given.model, ...checkedForReplay(own) };
}
