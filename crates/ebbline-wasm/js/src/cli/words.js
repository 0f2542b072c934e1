/** The plan's words as text for people. */

import { FATES, OF_PRUNING, REASONS, VERDICT_REASONS } from '../generated/sentences.js';
import { amount, counted } from './style.js';

/** Why a message has its fate. `pruning` is the reason of the plan's pruning. */
export function reasonOf({ reason, prunedFirst }, pruning) {
  const why = pruning === 'disabled' && OF_PRUNING.has(reason) ? 'prune_disabled' : reason;
  return (REASONS[why] ?? why) + (prunedFirst ? ', its output pruned first' : '');
}

/** A fate's mark and word. */
export function fateOf(fate) {
  return FATES[fate] ?? ['?', fate];
}

/** The verdict and its reason, in one or two sentences. */
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

/** The size that is compared with the threshold, and its source unless that is the estimate. */
function measured({ tokens: number, source }) {
  return source === 'reported' ? `${tokens(number)} by the usage that the provider reported` : tokens(number);
}

/** Why summarising does not fire however full the context is; `undefined` if it would. */
function neverFires({ context, source, tokens: number, threshold }) {
  if (context === 0) return 'the context window is not known, so summarising never fires';
  if (source === 'nothing') return 'the profile triggers on reported usage alone, and none was reported';
  return number > threshold ? 'the policy never summarises by itself' : undefined;
}

function verdictReason({ reason, trigger, prune }) {
  const idle = reason === 'below_threshold' ? neverFires(trigger) : undefined;
  if (idle !== undefined) return idle;
  const figures = { candidates: tokens(prune.candidates), measured: measured(trigger), threshold: amount(trigger.threshold) };
  return (VERDICT_REASONS[reason] ?? reason).replace(/\{(\w+)\}/gu, (_, name) => figures[name]);
}
