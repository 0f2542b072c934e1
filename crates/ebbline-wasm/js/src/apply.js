/**
 * Carries a plan out on live messages: a new array, in which every message that nothing happens to is the very same
 * object. The counterpart of `Session::edits`.
 *
 * @param {unknown[]} messages
 * @param {object} walked
 * @param {import('./live.js').Walker} walked.walker
 * @param {number[]} walked.slots where the plan's results stand: message, part and block of each in turn
 * @param {number[] | undefined} walked.places where the plan's messages stand in the array, if not in their order
 * @param {Uint32Array | undefined} walked.pruned message and part of each output that is pruned in turn
 * @param {import('../types/index.js').Plan} plan
 * @param {{ placeholder: string, summary: string | undefined, now: number, freeBytes: boolean }} options
 */
export function applyToList(messages, walked, plan, options) {
  const { walker, places } = walked;
  const { summary, now } = options;
  const pruned = pruneOutputs(messages, walked, plan, options);
  if (summary === undefined || !plan.retain.applied) return pruned;
  if (walker.append !== undefined) return walker.append(pruned, summary, plan, now, places ?? [...messages.keys()]);
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

function pruneOutputs(messages, { walker, slots, places, pruned }, plan, options) {
  const changed = [...messages];
  const change = (how, message, blocks) => {
    const at = places === undefined ? message : places[message];
    changed[at] = how(changed[at], blocks, options.placeholder, options);
  };
  if (pruned !== undefined) eachOf(pruned, slots, (message, blocks) => change(walker.prune, message, blocks));
  if (!options.freeBytes || walker.free === undefined) return changed;
  const cleared = plan.messages.flatMap(({ parts }, message) =>
    parts.flatMap(({ fate }, part) => (fate === 'already_pruned' ? [message, part] : [])),
  );
  eachOf(cleared, slots, (message, blocks) => change(walker.free, message, blocks));
  return changed;
}

/** Calls `use` with each message of which parts are meant, and the blocks of these. Parts and slots are in their order. */
function eachOf(parts, slots, use) {
  let blocks = [];
  let slot = 0;
  for (let at = 0; at < parts.length; at += 2) {
    const [message, part] = [parts[at], parts[at + 1]];
    while (slot < slots.length && (slots[slot] < message || (slots[slot] === message && slots[slot + 1] < part))) slot += 3;
    if (slots[slot] === message && slots[slot + 1] === part) blocks.push(slots[slot + 2]);
    if (parts[at + 2] === message) continue;
    if (blocks.length > 0) use(message, blocks);
    blocks = [];
  }
}
