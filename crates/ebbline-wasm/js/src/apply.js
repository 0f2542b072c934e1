/**
 * Carries a plan out on live messages: a new array, in which every message that nothing happens to is the very same
 * object. The counterpart of `Session::edits`.
 *
 * @param {unknown[]} messages
 * @param {{ walker: import('./live.js').Walker, slots: { message: number, part: number, block: number }[] }} walked
 * @param {import('../types/index.js').Plan} plan
 * @param {{ placeholder: string, summary: string | undefined, now: number, freeBytes: boolean }} options
 */
export function applyToList(messages, { walker, slots }, plan, options) {
  const { summary, now } = options;
  const pruned = pruneOutputs(messages, walker, slots, plan, options);
  if (summary === undefined || !plan.retain.applied) return pruned;
  const fates = pruned.map((message, index) => fateOf(message, plan.messages[index], walker));
  // The server looks at nothing in front of what it compacted itself: the summary stands behind that.
  const opaque = fates.lastIndexOf('opaque');
  const first = fates.indexOf('summarised', opaque + 1);
  return pruned.flatMap((message, index) => {
    const told = index === (first === -1 ? opaque : first) ? [walker.summary(summary, plan, now)] : [];
    return fates[index] === 'summarised' ? told : [message, ...told];
  });
}

function fateOf(message, { fate }, walker) {
  return fate === 'summarised' && walker.isOpaque?.(message) ? 'opaque' : fate;
}

function pruneOutputs(messages, walker, slots, plan, options) {
  /** @type {Map<number, number[]>} */
  const blocks = new Map();
  for (const { message, part, block } of slots) {
    const { fate, prunedFirst } = plan.messages[message].parts[part];
    if (fate !== 'pruned' && !prunedFirst) continue;
    const known = blocks.get(message);
    if (known === undefined) blocks.set(message, [block]);
    else known.push(block);
  }
  const changed = [...messages];
  for (const [message, at] of blocks) changed[message] = walker.prune(messages[message], at, options.placeholder, options);
  return changed;
}
