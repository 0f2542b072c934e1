/**
 * Carries a plan out on live messages: a new array, in which every message that nothing happens to is the very same
 * object. The counterpart of `Session::edits`.
 *
 * @param {unknown[]} messages
 * @param {object} walked
 * @param {import('./live.js').Walker} walked.walker
 * @param {{ message: number, part: number, block: number }[]} walked.slots where the plan's results stand
 * @param {number[]} walked.places where the plan's messages stand in the array
 * @param {import('../types/index.js').Plan} plan
 * @param {{ placeholder: string, summary: string | undefined, now: number, freeBytes: boolean }} options
 */
export function applyToList(messages, { walker, slots, places }, plan, options) {
  const { summary, now } = options;
  const pruned = pruneOutputs(messages, walker, slots, places, plan, options);
  if (summary === undefined || !plan.retain.applied) return pruned;
  if (walker.append !== undefined) return walker.append(pruned, summary, plan, now, places);
  const last = plan.messages.findLastIndex(({ fate }) => fate === 'summarised');
  const fates = pruned.map((message, index) => {
    const { fate } = plan.messages[index];
    if (fate === 'inactive' && walker.returns && index < last) return 'summarised';
    return fate === 'summarised' && walker.isOpaque?.(message) ? 'opaque' : fate;
  });
  // The server looks at nothing in front of what it compacted itself: the summary stands behind that.
  const opaque = fates.lastIndexOf('opaque');
  const first = fates.indexOf('summarised', opaque + 1);
  return pruned.flatMap((message, index) => {
    const told = index === (first === -1 ? opaque : first) ? [walker.summary(summary, plan, now, messages)] : [];
    return fates[index] === 'summarised' ? told : [message, ...told];
  });
}

function pruneOutputs(messages, walker, slots, places, plan, options) {
  const changed = [...messages];
  const isPruned = ({ fate, prunedFirst }) => fate === 'pruned' || prunedFirst;
  for (const [message, at] of blocksOf(slots, plan, isPruned)) {
    changed[places[message]] = walker.prune(changed[places[message]], at, options.placeholder, options);
  }
  if (!options.freeBytes || walker.free === undefined) return changed;
  for (const [message, at] of blocksOf(slots, plan, ({ fate }) => fate === 'already_pruned')) {
    changed[places[message]] = walker.free(changed[places[message]], at, options.placeholder);
  }
  return changed;
}

/** The blocks of each message whose parts are to be changed. */
function blocksOf(slots, plan, isMeant) {
  /** @type {Map<number, number[]>} */
  const blocks = new Map();
  for (const { message, part, block } of slots) {
    if (!isMeant(plan.messages[message].parts[part])) continue;
    const known = blocks.get(message);
    if (known === undefined) blocks.set(message, [block]);
    else known.push(block);
  }
  return blocks;
}
