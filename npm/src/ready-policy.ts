import { ArrayLedger } from './array-ledger.js';
import { Policy as EnginePolicy, defaultProfile, type Ledger } from './core.js';
import type { Asked } from './decision.js';
import { engineMemory } from './engine.js';
import { jsonFor } from './engine-json.js';
import type { Estimator, Policy, PrunePolicy } from './generated/policy.js';
import { isNested } from './guard.js';
import type { PlanOptions } from './plan-options.js';
import type { PolicyOptions } from './policy-options.js';
import type { ReadingSettings } from './recorder.js';

/** The options that describe a policy. */
export type PolicySource = Pick<PlanOptions, 'profile' | 'policy' | 'model' | 'set' | 'countTokens'>;

/** What a policy does beside its decision. */
interface Effects {
  /** Whether a reference to the call follows the placeholder. */
  reference: boolean;
  /** Whether a summary carries the user's own words. */
  carriesWords: boolean;
  /** Whether passes come before the boundary, and whether what remains of an output differs from output to output. */
  takesPasses: boolean;
  describes: boolean;
}

/** How many policies stay in memory. An agent uses one or two. */
const MOST_POLICIES = 32;
const policies: Map<string, ReadyPolicy> = new Map();
/** The policy that was asked for last, of those that are nothing but a profile and a model, and how. */
let newest: { profile: unknown; model: PolicyOptions['model']; policy: ReadyPolicy } | undefined;

/** A policy in the engine, its members that concern reading, and a ledger under it for whole arrays. */
export class ReadyPolicy {
  #arrays: ArrayLedger;
  #json: string | undefined;

  constructor(
    readonly handle: EnginePolicy,
    readonly key: string,
    readonly profile: string,
    readonly measures: ReadingSettings,
    readonly effects: Effects,
  ) {
    this.#arrays = new ArrayLedger(handle);
  }

  get placeholder() {
    return this.measures.placeholder;
  }

  /** Whether a reference to the call follows the placeholder. */
  get reference() {
    return this.effects.reference;
  }

  /** Whether a summary carries the user's own words. */
  get carriesWords() {
    return this.effects.carriesWords;
  }

  /** Whether passes come before the boundary. */
  get takesPasses() {
    return this.effects.takesPasses;
  }

  /** Whether what remains of an output differs from output to output. */
  get describes() {
    return this.effects.describes;
  }

  /** The whole policy as JSON, for the modules that share no memory with the engine. */
  get json() {
    this.#json ??= this.handle.toJson();
    return this.#json;
  }

  /** The tools that {@link decide} knows by their numbers. They may become others with every call of it. */
  get tools() {
    return this.#arrays.tools;
  }

  /** Decides on records, whose tools are numbered as `tools`, and hands ledger and the address of its figures to `use`. */
  decide<T>(words: Uint32Array, tools: readonly string[], asked: Asked, use: (ledger: Ledger, figures: number) => T): T {
    return this.#arrays.decide(words, tools, asked, use);
  }

  free() {
    this.#arrays.drop();
    this.handle.free();
  }
}

/**
 * The policy that the options describe: a profile, the changes in `policy`, the model, and single knobs.
 *
 * @returns it is shared: never to be changed, freed or kept
 */
export function policyOf({ profile, policy, model, set, countTokens }: PolicySource): ReadyPolicy {
  engineMemory();
  const isCounted = countTokens !== undefined;
  const isPlain = policy === undefined && set === undefined && !isCounted;
  if (isPlain && newest !== undefined && newest.profile === profile && isSameModel(newest.model, model)) return newest.policy;
  // A copy, so that the remembered limits are those of the policy.
  const limits = model && { ...model };
  const found = policyKnownBy(jsonOf([profile, policy, limits, set, isCounted]));
  if (isPlain) newest = { profile, model: limits, policy: found };
  return found;
}

/** The policy of a key. A policy that was dropped meanwhile is built again. */
export function policyKnownBy(key: string): ReadyPolicy {
  const ready = policies.get(key);
  if (ready !== undefined) return ready;
  const made = makePolicy(key);
  // A call that runs inside another call must not drop the other call's policy.
  if (policies.size >= MOST_POLICIES && !isNested()) {
    for (const old of policies.values()) old.free();
    policies.clear();
    newest = undefined;
  }
  policies.set(key, made);
  return made;
}

/** Whether a model has the limits that another had, as far as they can be compared at a glance. */
function isSameModel(known: PolicyOptions['model'], model: PolicyOptions['model']) {
  if (known === undefined || model === undefined) return known === model;
  const [before, now]: Record<string, unknown>[] = [known, model];
  let count = 0;
  for (const name in now) {
    if (typeof now[name] === 'object' || now[name] !== before[name]) return false;
    count += 1;
  }
  return count === Object.keys(known).length;
}

function makePolicy(key: string) {
  const [profile, policy, model, set, isCounted] = JSON.parse(key);
  const handle = new EnginePolicy(profile ?? defaultProfile());
  try {
    if (policy !== null) handle.overlay(jsonOf(policy));
    const { name: modelName, ...limits } = model ?? {};
    if (modelName !== undefined) handle.forModel(String(modelName));
    handle.overlay(jsonOf({ model: limits }));
    for (const [path, value] of Object.entries(set ?? {})) {
      if (value !== undefined) handle.set(path, jsonOf(value));
    }
    const { profile: name, estimator, prune }: Policy = JSON.parse(handle.toJson());
    if (isCounted) handle.overlay(jsonOf({ estimator: counted(estimator) }));
    const { placeholder, reference, carriesWords, countsCodePoints, countsBytes, countsClasses, countsClassesOfJson, countsNotation } =
      handle;
    const measures: ReadingSettings = {
      placeholder,
      wide: countsCodePoints || countsBytes,
      classes: countsClasses,
      ofJson: countsClassesOfJson,
      notation: countsNotation,
      images: estimator.image === null,
    };
    const effects: Effects = {
      reference,
      carriesWords,
      takesPasses: prune.enabled && takesPasses(prune),
      describes: handle.describes,
    };
    return new ReadyPolicy(handle, key, name, measures, effects);
  } catch (error) {
    handle.free();
    throw error;
  }
}

/** Whether any pass is switched on. */
function takesPasses({ repeated, superseded, thinking, images, arguments: longest }: PrunePolicy) {
  return repeated || superseded || thinking !== null || images !== null || isSome(longest);
}

/** Whether an amount, which may be a share, is not 0. */
function isSome(amount: unknown) {
  return amount !== 0;
}

/** An estimator that leaves it to the caller to count text: in 64ths of a token, where lengths by classes stand. */
function counted({ perToken, separator, image }: Estimator) {
  const scaled = (length: number) => Math.round((length * 64) / perToken);
  return {
    unit: 'classes',
    perToken: 64,
    nativeNotation: false,
    separator: scaled(separator),
    image: image === null ? null : scaled(image),
  };
}

/** A copy of the options that describe a policy, because the caller may change the originals. */
export function copyOfPolicy({ profile, policy, model, set, countTokens }: PolicySource): PolicySource {
  return { ...JSON.parse(jsonOf({ profile, policy, model, set })), ...(countTokens && { countTokens }) };
}

/** A knob's value as the engine reads it. */
function jsonOf(value: unknown) {
  return jsonFor('invalid_policy', 'the policy', value);
}
