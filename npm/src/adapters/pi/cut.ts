const SUMMARY = 'compactionSummary';

/** The entries that hold messages, and the role of what pi makes of them; a `message` holds its own. */
const ROLES = { message: undefined, custom_message: 'custom', branch_summary: 'branchSummary' };

/**
 * A view as pi's session file can express it: the newest summary, and the entry of the first message behind it. `undefined` if the view has
 * no summary that the history does not have.
 *
 * @param entries the entries of the branch
 */
export function cutOf(view: any[], history: any[], entries: any[]) {
  const isOld = ({ timestamp, summary }) =>
    history.some((message) => message.role === SUMMARY && message.timestamp === timestamp && message.summary === summary);
  const at = view.findLastIndex((message) => message.role === SUMMARY && !isOld(message));
  if (at === -1) return undefined;
  // Several messages may have one time, so all that follow the summary have to fit.
  const rest = view.slice(at + 1);
  const said = entries.filter(({ type }) => type in ROLES);
  const kept = said.findLast((_, from) => rest.length > 0 && rest.every((message, behind) => isOf(said[from + behind], message)));
  return kept && { summary: view[at].summary, firstKeptEntryId: kept.id };
}

/** Whether a message comes from an entry. pi makes the messages of some entries anew, so they cannot be compared by reference. */
function isOf(entry, { role, timestamp, toolCallId }) {
  if (entry === undefined) return false;
  const { type, message, timestamp: at } = entry;
  if (type === 'message') return message.role === role && message.timestamp === timestamp && message.toolCallId === toolCallId;
  return ROLES[type] === role && Date.parse(at) === timestamp;
}
