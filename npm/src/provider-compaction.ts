import { EbblineError } from './errors.js';
import { decisionAt, UNKNOWN } from './decision.js';
import { guarded } from './guard.js';
import { checkedForProvider } from './options.js';
import { policyOf } from './ready-policy.js';
import { anthropic } from './providers/anthropic.js';
import { gemini } from './providers/gemini.js';
import { openaiResponses } from './providers/openai-responses.js';
import { effectiveKnobs } from './providers/knobs.js';

export type Wanted = { policy: any; threshold: number | undefined; thinking: boolean; instructions: string | undefined };

/** How each provider compacts by itself. */
const PROVIDERS = { anthropic, openai_responses: openaiResponses, gemini };

/** The provider acts this much earlier than a compactor beside it: a step of the agent must not be larger. */
const HEAD_START = 1 / 8;

/**
 * A policy as the parameters with which a provider compacts by itself, the knobs that these cannot say, and how to use both together.
 */
export const providerCompaction = guarded(function providerCompaction(name, options) {
  const given = checkedForProvider(options);
  const provider = typeof name === 'string' && Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (provider === undefined) {
    throw new EbblineError('invalid_option', `the provider must be one of ${Object.keys(PROVIDERS).join(', ')}`);
  }
  const { policy, threshold } = resolved(given);
  const wanted = { policy, threshold, thinking: given.thinking ?? false, instructions: given.instructions };
  const { parameters, missing = [] } = provider.parameters(wanted);
  return { parameters, cannot: [...missing, ...cannotOf(policy, provider)], beside: besideOf(provider, wanted) };
});

/** The policy with its shares as tokens, and the size at which the context is full; `undefined` if nothing makes it full. */
function resolved(given) {
  const ready = policyOf(given);
  const policy = JSON.parse(ready.json);
  const { context } = policy.model;
  for (const [path, share] of Object.entries(policy.shares ?? {})) {
    const [group, knob] = path.split('.');
    policy[group][knob] = Math.floor((context * Math.round(Number.parseFloat(share) * 100)) / 10_000);
  }
  const nothing = new Uint32Array();
  const { trigger } = ready.decide(nothing, [], [false, 0, UNKNOWN, UNKNOWN], (_, figures) => decisionAt(figures, ready.profile));
  const isFullAtAll = policy.trigger.enabled && context > 0;
  return { policy, threshold: isFullAtAll ? trigger.threshold : undefined };
}

function cannotOf(policy, { why }) {
  return effectiveKnobs(policy).flatMap((knob) => {
    const sentence = why(knob, policy);
    return sentence === undefined ? [] : [{ knob, why: sentence }];
  });
}

/** What the provider is told, and which knobs a compactor gets, when both are used: the provider acts first. */
function besideOf(provider, wanted) {
  if (provider.beside === undefined || wanted.threshold === undefined) return null;
  return provider.beside({ ...wanted, threshold: Math.floor(wanted.threshold * (1 - HEAD_START)) }) ?? null;
}
