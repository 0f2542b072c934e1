// TunaCode: the pruning of early 2026, and the controller that replaced it.

import { expand, member } from '../notation.mjs';
import { ebbline } from '../package.mjs';
import { equal, samePrompt, sameText, throws } from './compare.mjs';
import { tunacodeText } from './overflow.mjs';

const { compat, plan, read } = ebbline;

/** Adapters by `<version>-<function>`. */
export const tunacode = {
  '2026-01-prune': prune,
  '0.2.3-estimate': estimate,
  '0.2.3-boundary': boundary,
  '0.2.3-threshold': threshold,
  '0.2.3-compact': compact,
  '0.2.3-inject': inject,
  '0.2.3-record': record,
  '0.2.3-serialize': serialize,
  '0.2.3-overflow': tunacodeText,
};

function prune({ messages, input, expected }) {
  const profile = input.localMode ? 'tunacode@2026-01/local' : 'tunacode@2026-01';
  const planned = plan(messages, { profile, format: 'tunacode' });
  const tokens = [];
  const cleared = [];
  input.messages.forEach((message, at) => {
    // The plan counts parts as the engine sees them; the vectors count parts of the file.
    const results = planned.messages[at].parts.filter((part) => part.kind === 'tool_result');
    (message.parts ?? []).forEach((part, index) => {
      const isReturn = part.part_kind === 'tool-return';
      const isRetry = part.part_kind === 'retry-prompt' && (part.tool_name ?? null) !== null;
      const result = isReturn || isRetry ? results.shift() : undefined;
      if (isReturn) tokens.push([at, index, result.tokensBefore]);
      if (result?.fate === 'pruned') cleared.push([at, index]);
    });
  });
  const turns = read(messages, { format: 'tunacode' }).messages.filter((message) => message.turn !== 'no').length;
  equal('user turns', turns, expected.userTurns);
  equal('tokens', tokens, expected.toolReturnTokens);
  equal('cleared', cleared, expected.clearedParts);
  equal('reclaimed', planned.prune.reclaimed, expected.reclaimedTokens);
}

/** The controller's functions receive messages that the loader has validated. */
function controller(messages, options) {
  return plan(messages, { profile: 'tunacode@0.2', format: 'tunacode', strict: true, ...options });
}

function estimate({ messages, expected }) {
  const planned = controller(messages);
  equal(
    'per message',
    planned.messages.map((message) => message.tokensBefore),
    expected.perMessage,
  );
  equal('total', planned.tokensBefore, expected.total);
}

function boundary({ messages, input, expected }) {
  if (!expected.throws) equal('how many boundaries', input.keepRecentTokens.length, expected.boundaries.length);
  input.keepRecentTokens.forEach((keep, index) => {
    const find = () => controller(messages, { set: { 'retain.keep': keep } }).retain.proposed ?? 0;
    const wanted = expected.boundaries?.[index];
    if (wanted?.throws) throws(find);
    else equal(`boundary for keep ${keep}`, find(), wanted);
  });
  equal('forced boundary', controller(messages, { force: true }).retain.proposed ?? 0, expected.force);
}

function threshold({ messages, input, expected }) {
  const known = input.sessionMessages ? Math.max(0, input.sessionTotalTokens ?? 0) : 0;
  const planned = controller(messages, {
    knownTokens: known,
    model: { context: Math.max(0, input.maxTokens) },
    set: {
      'retain.keep': input.keepRecentTokens,
      'trigger.reserve': input.reserveTokensArgument ?? input.reserveTokens,
    },
  });
  equal('fires', planned.trigger.fires, expected.shouldCompact);
  if (expected.sessionTotalTokensAfter === undefined) return;
  // The size that the plan compared, from the session or from its own count.
  equal('total after', planned.trigger.tokens, expected.sessionTotalTokensAfter);
}

/** The scripted summarizer's answer if the case has none. */
const USUAL_SUMMARY = '## Goal\nsummary';

function compact({ messages, input, expected }) {
  const missing = input.calls.length - (input.replies?.length ?? 0);
  const replies = [...(input.replies ?? []), ...Array(Math.max(0, missing)).fill(USUAL_SUMMARY)];
  const ours = compat.tunacode.compact(messages, { ...input, messages: undefined, replies });
  equal('number of prompts', ours.prompts.length, expected.prompts.length);
  ours.prompts.forEach((prompt, index) => samePrompt(`prompt ${index}`, prompt, expected.prompts[index]));
  // The vectors leave out the time.
  for (const { record } of ours.outcomes) delete record?.last_compacted_at;
  equal('outcomes', ours.outcomes, expected.outcomes);
  equal('status calls', ours.statusCalls, expected.statusCalls);
}

function inject({ messages, input, expected }) {
  equal('injected', compat.tunacode.inject(messages, { compaction: input.compaction }), expected);
}

function record({ raw, expected }) {
  const compaction = member(raw, 'compaction');
  equal('record', compat.tunacode.record(compaction === undefined ? 'null' : expand(compaction)), expected);
}

function serialize({ messages, expected }) {
  sameText('transcript', compat.tunacode.serialize(messages), expected);
}
