import { readText, sourceOf, walk } from './api.js';
import { EbblineError } from './errors.js';
import { files } from './files.js';
import * as filesCore from './files-core.js';
import { guarded } from './guard.js';
import { listOf } from './bounded-list.js';
import { checkedForReplay, policyOf } from './options.js';

/** What tokens cost when the caller says nothing: a tenth for cached input, a quarter more for written input, five times for output. */
const RATES = { cached: 0.1, written: 1.25, output: 5 };

/** How many policies are compared at once. */
const MOST_POLICIES = 256;

/** How many findings a report lists. */
const FINDINGS = 100;

/** The life of a session under a policy: every request, every compaction, and what they cost. */
export const replay = guarded(function replay(input, options) {
  const given = checkedForReplay(options);
  const policy = policyOf(given);
  return withTerms(given, (terms, prices) => {
    const report = onSession(input, given, policy, {
      text: (session) => ({
        ...JSON.parse(session.replay(policy.json, terms)),
        ...lossOf(given, session, [policy.json], terms, FINDINGS)?.[0],
        ...(given.cacheCheck && { cacheCheck: JSON.parse(session.cacheCheck(policy.json, terms)) }),
      }),
      records: (records, tools) => JSON.parse(filesCore.replayRecords(records, tools, policy.json, terms)),
    });
    return { ...report, ...priced(report.cost, prices) };
  });
});

/** The same life under several policies, side by side. */
export const compare = guarded(function compare(input, policies, options) {
  const given = checkedForReplay(options);
  if (given.cacheCheck) throw invalid('cacheCheck is an option of replay: it does not depend on the policy');
  // One by one: a policy that was made ready may be freed when the next one is.
  const jsons = listed(policies).map((policy) => policyOf(ofPolicy(policy, given)).json);
  return withTerms(given, (terms, prices) => {
    const { outcomes, losses } = onSession(input, given, policyOf(given), {
      text: (session) => ({ outcomes: JSON.parse(session.compare(jsons, terms)), losses: lossOf(given, session, jsons, terms, 0) }),
      records: (records, tools) => ({ outcomes: JSON.parse(filesCore.compareRecords(records, tools, jsons, terms)) }),
    });
    return outcomes.map((outcome, at) => ({ ...outcome, ...priced(outcome.cost, prices), ...losses?.[at] }));
  });
});

/** What was really lost by the compactions that a session's text records. */
export const audit = guarded(function audit(input, options) {
  const given: any = checkedForReplay(options);
  const source = sourceOf(input);
  if (Array.isArray(source)) throw invalid('audit reads the compactions that a session file records: pass its text or bytes, not an array');
  return readText(source, given, policyOf(given), (session) => JSON.parse(session.audit(FINDINGS)));
});

/** What is lost under each policy; `undefined` unless it was asked for. It is measured by words, which records do not have. */
function lossOf({ loss = false }, session, policies, terms, findings) {
  return loss ? JSON.parse(session.loss(policies, terms, findings)).map((report) => ({ loss: report })) : undefined;
}

function onSession(input, given: any, policy, { text, records }) {
  const source = sourceOf(input);
  if (!Array.isArray(source)) return readText(source, given, policy, text);
  if (given.cacheCheck) throw invalid('the cache is checked by what a session file reports: pass its text or bytes, not an array');
  if (given.loss) throw invalid('loss is measured by words: pass the text of the session, such as JSON.stringify(messages)');
  files.memory();
  const everything = { placeholder: policy.placeholder, wide: true, classes: true, ofJson: true, notation: true };
  return walk(source, given, everything, false, (_, recorder) => records(recorder.records, recorder.tools));
}

/** @param given @param use */
export function withTerms(
  { overhead = 0, usage = 'estimate', moments, rates, prices, cache = {} }: any,
  use: (terms: any, prices: any) => any,
) {
  files.memory();
  if (rates !== undefined && prices !== undefined)
    throw invalid('pass rates or prices, not both: rates are multiples of the price of an input token');
  const { cached, written, output } = { ...RATES, ...amounts('rates', rates, RATES), ...ratesOf(prices) };
  const terms = new filesCore.Terms(overhead, usage, cached, written, output);
  try {
    const { minimum = 0, block = 1, lives } = amounts('cache', cache, { minimum: 0, block: 1, lives: 0 });
    terms.cache(minimum, block, lives);
    if (moments !== undefined) terms.moments(moments);
    return use(terms, prices);
  } finally {
    terms.free();
  }
}

/** Prices in the shape of models.dev, as multiples of the price of an input token. */
function ratesOf(prices) {
  if (prices === undefined) return {};
  const { input, output, cache_read: read, cache_write: write } = amounts('prices', prices, undefined);
  if (!(input > 0) || output === undefined) throw invalid('the option prices needs input and output, in money for a million tokens');
  return { cached: (read ?? input) / input, written: (write ?? input) / input, output: output / input };
}

export function priced(cost, prices) {
  return prices === undefined ? {} : { money: (cost * prices.input) / 1e6 };
}

/** The members of an option that are amounts. */
function amounts(name, value = {}, known) {
  for (const [member, amount] of Object.entries(value)) {
    if (known !== undefined && !Object.hasOwn(known, member)) {
      throw invalid(`the option ${name} has no member ${member}: it has ${Object.keys(known).join(', ')}`);
    }
    const isAmount = typeof amount === 'number' && amount >= 0 && amount <= Number.MAX_SAFE_INTEGER;
    if (known !== undefined && amount !== undefined && !isAmount)
      throw invalid(`the option ${name}.${member} must be a number of 0 or more`);
  }
  return value;
}

function listed(policies) {
  if (!Array.isArray(policies) || policies.length === 0) {
    throw invalid('compare needs a list of policies: names of profiles, or options such as { profile, set }');
  }
  if (policies.length > MOST_POLICIES) throw invalid(`compare takes at most ${MOST_POLICIES} policies at once`);
  return listOf(policies);
}

/** The options of one policy of a comparison; the model is that of all unless the policy has its own. */
export function ofPolicy(policy, given: any) {
  const own = typeof policy === 'string' ? { profile: policy } : (policy ?? null);
  return { model: given.model, ...checkedForReplay(own) };
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}
