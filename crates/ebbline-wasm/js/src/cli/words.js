/** Codes of the plan in words for people. */

import { amount, counted } from './style.js';

const REASONS = {
  not_tool_output: 'no tool output',
  protected_by_budget: 'among the newest outputs',
  newest_turns: 'in one of the newest turns',
  protected_tool: 'output of a protected tool',
  error_output: 'output of a failed call',
  sealed_output: 'must go back to the provider as it came',
  short_output: 'no longer than the placeholder',
  before_summary: 'before a summary',
  before_pruned: 'before an already pruned output',
  too_few_turns: 'the session has too few turns',
  below_minimum: 'beyond the boundary, but too little would be reclaimed',
  prune_disabled: 'pruning is off',
  crossed_boundary: 'crosses the protection boundary',
  beyond_boundary: 'beyond the protection boundary',
  already_pruned: 'pruned before',
  before_window: 'before the retention window',
  in_window: 'in the retention window',
  system_message: 'system messages are always kept',
  inactive: 'not sent now',
  always_sent: 'always sent by the agent',
};

const FATES = {
  kept: ['●', 'kept'],
  pruned: ['○', 'pruned'],
  summarised: ['◌', 'summarised'],
  already_pruned: ['◦', 'pruned before'],
  inactive: ['·', 'inactive'],
};

/** What pruning has to say of an output; a policy that does not prune has no boundary and protects nothing. */
const OF_PRUNING = new Set([
  'protected_by_budget',
  'newest_turns',
  'protected_tool',
  'error_output',
  'short_output',
  'before_summary',
  'before_pruned',
  'too_few_turns',
  'below_minimum',
]);

/** Why a message has its fate, under a plan whose pruning has the reason `pruning`. */
export function reasonOf({ reason, prunedFirst }, pruning) {
  const why = pruning === 'disabled' && OF_PRUNING.has(reason) ? 'prune_disabled' : reason;
  return (REASONS[why] ?? why) + (prunedFirst ? ', its output pruned first' : '');
}

/** A fate's mark and word. */
export function fateOf(fate) {
  return FATES[fate] ?? ['?', fate];
}

/** What is to be done and why, in a sentence or two. */
export function verdictOf(plan) {
  const { prune, retain, trigger } = plan;
  const pruning = `Prune ${counted(prune.outputs, 'output')}: ${tokens(prune.candidates)} lie beyond the protection boundary.`;
  const why = retain.reason === 'forced' ? 'asked for' : `${measured(trigger)} exceed ${amount(trigger.threshold)}`;
  const summarising = `Summarise ${counted(retain.messages, 'message')} (${tokens(retain.summarised)}): ${why}.`;
  switch (plan.verdict) {
    case 'prune':
      return pruning;
    case 'summarise':
      return summarising;
    case 'prune_then_summarise':
      return `${pruning} ${summarising.replace('Summarise', 'Then summarise')}`;
    case 'refuse':
      return `The context is full, but nothing safe can be done: ${verdictReason(plan)}.`;
    default:
      return `Nothing to do: ${verdictReason(plan)}.`;
  }
}

/** `12,345 → 8,000 tokens (−35 %)` */
export function totalsOf({ tokensBefore, tokensAfter, summaryAllowance }) {
  if (tokensBefore === tokensAfter) return tokens(tokensBefore);
  const change = tokensBefore === 0 ? 0 : Math.round((tokensAfter / tokensBefore - 1) * 100);
  const sign = change < 0 ? '−' : '+';
  const allowance = summaryAllowance > 0 ? `, ${amount(summaryAllowance)} of them for the summary` : '';
  return `${amount(tokensBefore)} → ${tokens(tokensAfter)} (${sign}${Math.abs(change)} %${allowance})`;
}

export function tokens(number) {
  return counted(number, 'token');
}

/** What is compared with the threshold, and what it rests on if that is not the estimate. */
function measured({ tokens: number, source }) {
  return source === 'reported' ? `${tokens(number)} by the usage that the provider reported` : tokens(number);
}

function verdictReason({ reason, trigger, prune }) {
  switch (reason) {
    case 'empty':
      return 'there are no messages';
    case 'disabled':
      return 'the policy has it switched off';
    case 'too_few_turns':
      return 'the session has too few turns';
    case 'nothing_to_prune':
      return 'no tool output lies beyond the protection boundary';
    case 'below_minimum':
      return `only ${tokens(prune.candidates)} lie beyond the protection boundary`;
    case 'below_threshold':
      if (trigger.source === 'nothing') return 'the profile goes by reported usage alone, and none was reported';
      return `${measured(trigger)} are below the threshold of ${amount(trigger.threshold)}`;
    case 'history_below_keep':
      return 'the whole history is smaller than the retention window';
    case 'no_valid_boundary':
      return 'there is no place where the history could be cut';
    case 'nothing_gained':
      return 'what could be done would make it no smaller';
    case 'nothing_new':
      return 'nothing was added since the last summary';
    default:
      return reason;
  }
}
