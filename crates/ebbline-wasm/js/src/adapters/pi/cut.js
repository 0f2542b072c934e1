const SUMMARY = 'compactionSummary';

/**
 * A view as pi's session file can express it: the newest summary, and the entry of the first message behind it. `undefined` if the view has
 * no summary that the history does not have.
 *
 * @param {any[]} view
 * @param {any[]} history
 * @param {any[]} entries the entries of the branch
 */
export function cutOf(view, history, entries) {
  const isOld = ({ timestamp, summary }) =>
    history.some((message) => message.role === SUMMARY && message.timestamp === timestamp && message.summary === summary);
  const at = view.findLastIndex((message) => message.role === SUMMARY && !isOld(message));
  const first = view[at + 1];
  const kept = at === -1 || first === undefined ? undefined : entries.findLast((entry) => isOf(entry, first));
  return kept && { summary: view[at].summary, firstKeptEntryId: kept.id };
}

/** Whether a message comes from an entry. pi makes the messages of some entries anew, so they cannot be compared by reference. */
function isOf({ type, message, timestamp }, { role, timestamp: at }) {
  if (type === 'message') return message.role === role && message.timestamp === at;
  const isMade = (type === 'custom_message' && role === 'custom') || (type === 'branch_summary' && role === 'branchSummary');
  return isMade && Date.parse(timestamp) === at;
}
