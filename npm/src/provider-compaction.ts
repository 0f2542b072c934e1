import { UNKNOWN, decisionAt } from './decision.js';
import { EbblineError } from './errors.js';
import type { Policy } from './generated/policy.js';
import { guarded } from './guard.js';
import { checkedForProvider } from './options.js';
import type { KnobPath, PolicyOptions } from './policy-options.js';
import { type AnthropicCompaction, anthropic } from './providers/anthropic.js';
import { type GeminiCompaction, gemini } from './providers/gemini.js';
import { effectiveKnobs } from './providers/knobs.js';
import { type OpenAICompaction, openaiResponses } from './providers/openai-responses.js';
import { policyOf } from './ready-policy.js';

export type * from './providers/anthropic.js';
export type { GeminiCompaction } from './providers/gemini.js';
export type { OpenAICompaction } from './providers/openai-responses.js';

export interface ProviderOptions extends PolicyOptions {
  /**
   * Whether the requests have thinking enabled. Then Anthropic is told to keep all of it, unless the policy clears thinking
   * (`prune.thinking`). Anthropic refuses this parameter in requests without thinking.
   */
  thinking?: boolean | undefined;
  /** What Anthropic's compaction is told about its summary. */
  instructions?: string | undefined;
}

export interface ProviderCompaction<P> {
  /** What to send with each request; nothing if the policy says nothing that the provider can do. */
  parameters: P;
  /** The knobs of the policy that have an effect and that the parameters do not say. */
  cannot: UnsaidKnob[];
  /**
   * How to use the provider and a compactor together: the provider acts first. `null` if it cannot be done.
   *
   * @example
   * ```js
   * const { beside } = providerCompaction("anthropic", options);
   * const compactor = createCompactor({ ...options, summarize, set: { ...options.set, ...beside.set } });
   * ```
   */
  beside: Beside<P> | null;
}

/** A provider that acts before a compactor. */
export interface Beside<P> {
  /** What to send with each request instead of {@link ProviderCompaction.parameters}. */
  parameters: P;
  /** The knobs of the compactor, beside those of the policy. */
  set: NonNullable<PolicyOptions['set']>;
}

export interface UnsaidKnob {
  knob: KnobPath | 'instructions';
  /** Why, in a sentence. */
  why: string;
}

/** The parameters of each provider. */
export interface ProviderParameters {
  anthropic: AnthropicCompaction;
  openai_responses: OpenAICompaction;
  gemini: GeminiCompaction;
}

/** What a provider is to be told. */
interface Wanted {
  policy: Policy;
  /** the size at which the context is full; `undefined` if nothing makes it full */
  threshold: number | undefined;
  thinking: boolean;
  instructions: string | undefined;
}

/**
 * A provider that compacts by itself.
 *
 * @internal
 */
export interface Provider<P> {
  parameters(wanted: Wanted): { parameters: P; missing: UnsaidKnob[] };
  /** Why a knob that has an effect is not said; `undefined` if it is. */
  why(knob: KnobPath, policy: Policy): string | undefined;
  beside?(wanted: Wanted & { threshold: number }): Beside<P> | undefined;
}

/** How each provider compacts by itself. */
const PROVIDERS: { readonly [N in keyof ProviderParameters]: Provider<ProviderParameters[N]> } = {
  anthropic,
  openai_responses: openaiResponses,
  gemini,
};

/** The provider acts this much earlier than a compactor beside it: a step of the agent must not be larger. */
const HEAD_START = 1 / 8;

/**
 * A policy as the parameters with which a provider compacts by itself, and the knobs that these parameters cannot say. The limits of
 * the model are part of the policy: ask again for another model.
 *
 * @throws {@link EbblineError} `invalid_option` for another provider or option; for a policy as `plan` does
 *
 * @example
 * ```js
 * const { parameters, cannot } = providerCompaction("anthropic", { model: { context: 200_000 } });
 * const answer = await client.beta.messages.create({ model, max_tokens, messages, ...parameters });
 * ```
 */
export const providerCompaction = guarded(function providerCompaction<N extends keyof ProviderParameters>(
  name: N,
  options?: ProviderOptions,
): ProviderCompaction<ProviderParameters[N]> {
  const given: ProviderOptions = checkedForProvider(options);
  const provider: Provider<ProviderParameters[N]> | undefined =
    typeof name === 'string' && Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (provider === undefined) {
    throw new EbblineError('invalid_option', `the provider must be one of ${Object.keys(PROVIDERS).join(', ')}`);
  }
  const { policy, threshold } = resolved(given);
  const wanted = { policy, threshold, thinking: given.thinking ?? false, instructions: given.instructions };
  const { parameters, missing } = provider.parameters(wanted);
  return { parameters, cannot: [...missing, ...cannotOf(policy, provider)], beside: besideOf(provider, wanted) };
});

/** The policy with its shares as tokens, and the size at which the context is full. */
function resolved(given: ProviderOptions): Pick<Wanted, 'policy' | 'threshold'> {
  const ready = policyOf(given);
  const policy: Policy = JSON.parse(ready.json);
  const { context } = policy.model;
  for (const [path, share] of Object.entries(policy.shares ?? {})) {
    if (share === undefined) continue;
    const [group = '', knob = ''] = path.split('.');
    Reflect.set(Reflect.get(policy, group), knob, Math.floor((context * Math.round(Number.parseFloat(share) * 100)) / 10_000));
  }
  const nothing = new Uint32Array();
  const { trigger } = ready.decide(nothing, [], [false, 0, UNKNOWN, UNKNOWN, UNKNOWN], (_, figures) => decisionAt(figures, ready.profile));
  const isFullAtAll = policy.trigger.enabled && context > 0;
  return { policy, threshold: isFullAtAll ? trigger.threshold : undefined };
}

function cannotOf<P>(policy: Policy, { why }: Provider<P>): UnsaidKnob[] {
  return effectiveKnobs(policy).flatMap((knob) => {
    const sentence = why(knob, policy);
    return sentence === undefined ? [] : [{ knob, why: sentence }];
  });
}

/** What the provider is told, and which knobs a compactor gets, when both are used: the provider acts first. */
function besideOf<P>(provider: Provider<P>, wanted: Wanted): Beside<P> | null {
  if (wanted.threshold === undefined) return null;
  return provider.beside?.({ ...wanted, threshold: Math.floor(wanted.threshold * (1 - HEAD_START)) }) ?? null;
}
