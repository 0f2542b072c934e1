// OpenCode, the shipping 1.x line.

import { ebbline } from '../package.mjs';
import { equal } from './compare.mjs';
import { opencodeError, opencodeText } from './overflow.mjs';

const { plan, read } = ebbline;

/** Adapters by `<version>-<function>`. */
export const opencode = {
  '2026-01-prune': prune,
  '2026-06-isContextOverflow': opencodeText,
  '2026-06-fromError': opencodeError,
};

function prune({ messages, input, expected }) {
  const isDisabled = input.config?.compaction?.prune === false;
  const options = { profile: 'opencode@2026-01', format: 'opencode', set: { 'prune.enabled': !isDisabled } };
  const planned = plan(messages, options);
  // Messages may have been reordered: they are found again by where they stand.
  const order = read(messages, options)
    .messages.map((message, index) => ({ index, start: message.bytes[0] }))
    .sort((a, b) => a.start - b.start);
  const pruned = input.messages.flatMap((message, at) => {
    const results = planned.messages[order[at].index].parts.filter((part) => part.kind === 'tool_result');
    const answered = message.parts.filter((part) => ['completed', 'error'].includes(part.type === 'tool' && part.state.status));
    return answered.filter((_, index) => results[index].fate === 'pruned').map((part) => part.id);
  });
  equal('pruned', pruned.reverse(), expected.prunedParts);
  const { counted: total, candidates: prunable } = planned.prune;
  equal('counted', isDisabled ? null : { total, prunable }, expected.counted);
}
