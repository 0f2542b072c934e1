/**
 * What OpenCode is to send of a view. A summary stands behind everything else in it, with the name of the first message that is kept;
 * OpenCode has put its messages in order before it asks, so the order behind a summary is made here.
 *
 * @param history what OpenCode gave; its own summaries are in order
 */
export function sentOf(view: any[], history: any[]) {
  const given = new Set(history.map(({ info }) => info?.id));
  const marker = view.findLastIndex((message, at) => markerOf(message) && !given.has(message.info.id) && answers(view[at + 1], message));
  if (marker === -1) return view;
  const behind = view.slice(marker + 2);
  const { tail_start_id: first } = markerOf(view[marker]);
  const tail = first === undefined ? -1 : view.findIndex(({ info }) => info?.id === first);
  const kept = tail === -1 || tail > marker ? [] : view.slice(tail, marker);
  return [view[marker], view[marker + 1], ...kept, ...behind];
}

function markerOf({ parts }) {
  return Array.isArray(parts) ? parts.find((part) => part?.type === 'compaction') : undefined;
}

function answers(message, { info }) {
  return message?.info?.summary === true && message.info.parentID === info.id;
}
