import type { Hooks } from '@opencode-ai/plugin';

/** A message as OpenCode stores it. */
export type StoredMessage = Parameters<NonNullable<Hooks['experimental.chat.messages.transform']>>[1]['messages'][number];

/** The part of a message that says from where a summary was made, which newer versions tell more of. */
interface Marker {
  type: 'compaction';
  tail_start_id?: string;
}

/**
 * What OpenCode is to send of a view. A summary stands behind everything else in it, with the name of the first message that is kept;
 * OpenCode has put its messages in order before it asks, so the order behind a summary is made here.
 *
 * @param history what OpenCode gave; its own summaries are in order
 */
export function sentOf(view: StoredMessage[], history: readonly StoredMessage[]): StoredMessage[] {
  const given = new Set(history.map(({ info }) => info?.id));
  const marker = view.findLastIndex((message, at) => markerOf(message) && !given.has(message.info.id) && answers(view[at + 1], message));
  const [question, answer] = view.slice(marker);
  if (marker === -1 || question === undefined || answer === undefined) return view;
  const behind = view.slice(marker + 2);
  const first = markerOf(question)?.tail_start_id;
  const tail = first === undefined ? -1 : view.findIndex(({ info }) => info?.id === first);
  const kept = tail === -1 || tail > marker ? [] : view.slice(tail, marker);
  return [question, answer, ...kept, ...behind];
}

function markerOf({ parts }: StoredMessage): Marker | undefined {
  return Array.isArray(parts) ? parts.find((part) => part?.type === 'compaction') : undefined;
}

function answers(message: StoredMessage | undefined, { info }: StoredMessage): boolean {
  return message?.info?.summary === true && message.info.parentID === info.id;
}
