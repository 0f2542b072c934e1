// What OpenCode sends, and in which order; the counterpart of `compat/opencode/context.rs`.

import { elements } from '../common/content.js';

/** A message as its SDK gives it. A row has the members of the information by itself. */
export interface Message {
  readonly info?: unknown;
  readonly parts?: unknown;
}

/** The stored information about a message. */
export interface Info {
  readonly [name: string]: unknown;
  readonly id?: unknown;
  readonly role?: unknown;
  readonly parentID?: unknown;
  readonly sessionID?: unknown;
  readonly summary?: unknown;
  readonly finish?: unknown;
  readonly error?: { readonly name?: unknown } | null;
  readonly time?: { readonly created?: unknown } | null;
  readonly tokens?: Tokens | null;
}

export interface Tokens {
  readonly total?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly reasoning?: unknown;
  readonly cache?: { readonly read?: unknown; readonly write?: unknown } | null;
}

/** A part that marks a compaction. */
interface Marker {
  readonly type?: unknown;
  readonly tail_start_id?: unknown;
}

/** What decides whether and where a message is sent. */
export interface Outline {
  readonly id: string | undefined;
  readonly isUser: boolean;
  readonly isSummary: boolean;
  readonly isComplete: boolean;
  readonly parent: string | undefined;
  readonly isMarker: boolean;
  readonly tail: string | undefined;
  readonly speaksOfTail: boolean;
  readonly spokenTail: string | undefined;
}

/** The stored information about a message. */
export function infoOf(message: Message | null | undefined): Info | null | undefined {
  return (message?.info === undefined ? message : message.info) as Info | null | undefined;
}

export function outlineOf(message: Message | null | undefined): Outline {
  const info = infoOf(message);
  const isAssistant = info?.role === 'assistant';
  const markers = elements<Marker>(message?.parts).filter((part) => part?.type === 'compaction');
  const speaking = markers.find((part) => part?.tail_start_id !== undefined);
  return {
    id: textOf(info?.id),
    isUser: info?.role === 'user',
    isSummary: isAssistant && Boolean(info?.summary),
    isComplete: isAssistant && Boolean(info?.finish) && !info?.error,
    parent: textOf(info?.parentID),
    isMarker: markers.length > 0,
    tail: tailOf(markers[0]),
    speaksOfTail: speaking !== undefined,
    spokenTail: tailOf(speaking),
  };
}

/** The indices of the sent messages: everything since the newest completed compaction, with its tail behind its
 * summary. */
export function sentInOrder(outlines: readonly Outline[]): readonly number[] {
  const context: number[] = [];
  for (let at = backToTail(outlines); at < outlines.length; at += 1) context.push(at);
  return behindSummary(outlines, context);
}

/** The index of the newest marker that has a summary; -1 if there is none. */
export function answeredMarker(outlines: readonly Outline[]): number {
  const answered = new Set<string | undefined>();
  for (let at = outlines.length - 1; at >= 0; at -= 1) {
    const { isUser, isMarker, isSummary, isComplete, id, parent } = outlines[at];
    if (isUser && isMarker && answered.has(id)) return at;
    if (isSummary && isComplete) answered.add(parent);
  }
  return -1;
}

function backToTail(outlines: readonly Outline[]): number {
  const marker = answeredMarker(outlines);
  if (marker === -1) return 0;
  const { tail } = outlines[marker];
  if (tail === undefined) return marker;
  for (let at = marker; at >= 0; at -= 1) if (outlines[at].id === tail) return at;
  // OpenCode itself sends the whole history if a tail names no message.
  return 0;
}

/** Moves the newest marker with a tail, and its summary, in front of the tail. */
function behindSummary(outlines: readonly Outline[], context: readonly number[]): readonly number[] {
  const of = (place: number) => outlines[context[place]];
  let marker = context.length - 1;
  while (marker >= 0 && !(of(marker).isUser && of(marker).speaksOfTail)) marker -= 1;
  if (marker < 0) return context;
  const { id, spokenTail } = of(marker);
  const summary = context.findIndex((_, place) => place > marker && of(place).isSummary && of(place).parent === id);
  const tail = spokenTail === undefined ? -1 : context.findIndex((_, place) => of(place).id === spokenTail);
  if (summary === -1 || tail === -1 || tail >= marker) return context;
  return [...context.slice(marker, summary + 1), ...context.slice(tail, marker), ...context.slice(summary + 1)];
}

function tailOf(marker: Marker | null | undefined): string | undefined {
  return textOf(marker?.tail_start_id) || undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
