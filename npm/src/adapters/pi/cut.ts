import type { ContextEvent, SessionEntry } from '@earendil-works/pi-coding-agent';

/** A message of pi's. */
export type PiMessage = ContextEvent['messages'][number];

/** A summary as pi sends it. */
type SummaryMessage = Extract<PiMessage, { role: 'compactionSummary' }>;

/** The summary that a compaction made, and the first entry that stays. */
interface Cut {
  summary: string;
  firstKeptEntryId: string;
}

/** The entries that hold messages, and the role of what pi makes of them; a `message` holds its own. */
const ROLES: { readonly [type: string]: string | undefined } = {
  message: undefined,
  custom_message: 'custom',
  branch_summary: 'branchSummary',
};

/**
 * A view as pi's session file can express it: the newest summary, and the entry of the first message behind it. `undefined` if the view has
 * no summary that the history does not have.
 *
 * @param entries the entries of the branch
 */
export function cutOf(view: readonly PiMessage[], history: readonly PiMessage[], entries: readonly SessionEntry[]): Cut | undefined {
  const isNew = (message: PiMessage): message is SummaryMessage =>
    isSummary(message) &&
    !history.some((other) => isSummary(other) && other.timestamp === message.timestamp && other.summary === message.summary);
  const at = view.findLastIndex(isNew);
  const newest = view[at];
  if (newest === undefined || !isSummary(newest)) return undefined;
  // Several messages may have one time, so all that follow the summary have to fit.
  const rest = view.slice(at + 1);
  const said = entries.filter(({ type }) => type in ROLES);
  const kept = said.findLast((_, from) => rest.length > 0 && rest.every((message, behind) => isOf(said[from + behind], message)));
  return kept && { summary: newest.summary, firstKeptEntryId: kept.id };
}

/** Whether a message comes from an entry. pi makes the messages of some entries anew, so they cannot be compared by reference. */
function isOf(entry: SessionEntry | undefined, sent: PiMessage): boolean {
  if (entry === undefined) return false;
  const { role, timestamp } = sent;
  if (entry.type !== 'message') return ROLES[entry.type] === role && Date.parse(entry.timestamp) === timestamp;
  const { message } = entry;
  return message.role === role && message.timestamp === timestamp && callIn(message) === callIn(sent);
}

/** The id of the call whose output a message is. */
function callIn(message: PiMessage): string | undefined {
  return message.role === 'toolResult' ? message.toolCallId : undefined;
}

function isSummary(message: PiMessage): message is SummaryMessage {
  return message.role === 'compactionSummary';
}
