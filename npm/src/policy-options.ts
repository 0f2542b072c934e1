import type { Model, Policy, SharedKnob } from './generated/policy.js';
import type { ProfileName } from './generated/words.js';

/** The sources of a policy: a profile, changes to it, the model, single knobs; each overrides those before it. */
export interface PolicyOptions {
  /** A profile's name; by default `ebbline@3`. */
  profile?: ProfileName | undefined;
  /** A policy, or any part of one. */
  policy?: DeepPartial<Policy> | undefined;
  /** The model's limits. Its `name`, `provider/model`, selects the policy's overrides in `models`. */
  model?: ({ [K in keyof Model]?: Model[K] | undefined } & { name?: string | undefined }) | undefined;
  /** Single knobs by their path, for example `{ "prune.protect": 30_000 }`. */
  set?: { [K in KnobPath]?: KnobValue<K> | undefined } | undefined;
}

/** A policy with any of its fields left out. */
export type DeepPartial<T> = {
  [K in keyof T]?: (T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? DeepPartial<T[K]> : T[K]) | undefined;
};

/** The groups of knobs. */
export type KnobGroup = Exclude<keyof Policy, 'profile' | 'shares' | 'models'>;

/** The path of a knob: `prune.protect`, `retain.keep`, … */
export type KnobPath = 'profile' | { [G in KnobGroup]: `${G}.${keyof Policy[G] & string}` }[KnobGroup];

/** The value of a knob. An amount of tokens may also be a share of the window, and a list of names a text with commas. */
export type KnobValue<P extends KnobPath> =
  | (P extends `${infer G extends KnobGroup}.${infer K}` ? (K extends keyof Policy[G] ? Policy[G][K] : never) : string)
  | (P extends SharedKnob ? Share : never)
  | (P extends 'prune.protectedTools' ? string : never);

/** A share of the context window, with up to two decimals. An amount of tokens may be a share: `set: { "retain.keep": "10%" }`. */
export type Share = `${number}%`;
