// A summary as OpenCode records it: a marker in the user's name and the assistant's answer to it, after everything
// else. The counterpart of `format/opencode/record.rs`.

import type { Plan } from '../../generated/plan.js';
import { EbblineError } from '../../errors.js';
import { wellFormed } from '../../recorder.js';
import { elements } from '../common/content.js';
import { type Message, infoOf, outlineOf } from './order.js';

type Messages = readonly (Message | null | undefined)[];

const CLOCK = (1n << 48n) - 1n;
const WORD = (1n << 64n) - 1n;
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The messages with marker and summary appended. Nothing is removed: messages before the marker are no longer sent,
 * except for the tail that the marker names.
 *
 * @param text the summary
 * @param places the indices of the plan's messages in `messages`
 */
export function appended(messages: Messages, text: string, plan: Plan, present: number, places: readonly number[]): unknown[] {
  const now = latest(messages, present);
  const ids = idsAfter(messages, now);
  const tail = tailOf(messages, plan, places);
  const session = messages.map((message) => infoOf(message)?.sessionID).findLast((id) => typeof id === 'string');
  const owned = (id: string) => ({ id, ...(session !== undefined && { sessionID: session }) });
  const providerID = newest(messages, 'assistant', 'providerID') ?? 'unknown';
  const modelID = newest(messages, 'assistant', 'modelID') ?? 'unknown';
  const part = (at: 0 | 1, rest: object) => [{ ...owned(ids.parts[at]), messageID: ids.messages[at], ...rest }];
  const marker = {
    ...owned(ids.messages[0]),
    role: 'user',
    time: { created: now },
    agent: newest(messages, 'user', 'agent') ?? 'build',
    model: newest(messages, 'user', 'model') ?? { providerID, modelID },
  };
  const answer = {
    ...owned(ids.messages[1]),
    role: 'assistant',
    time: { created: now, completed: now },
    parentID: ids.messages[0],
    modelID,
    providerID,
    mode: 'compaction',
    agent: 'compaction',
    path: newest(messages, 'assistant', 'path') ?? { cwd: '', root: '' },
    summary: true,
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    finish: 'stop',
  };
  return [
    ...messages,
    { info: marker, parts: part(0, { type: 'compaction', auto: false, ...tail }) },
    { info: answer, parts: part(1, { type: 'text', text, time: { start: now, end: now } }) },
  ];
}

/** The current time, but not before that of any message, because OpenCode 1.18 orders messages by time. */
function latest(messages: Messages, present: number): number {
  const moments = messages.map((message) => infoOf(message)?.time?.created);
  const sound = moments.filter((moment) => typeof moment === 'number').filter((moment) => moment >= 0 && moment < 9e15);
  return sound.reduce((last, moment) => Math.max(last, Math.trunc(moment)), present);
}

/** The value of `key` in the newest message of a role that has it. */
function newest(messages: Messages, role: string, key: string): unknown {
  return messages.map((message) => infoOf(message)).findLast((info) => info?.role === role && (info[key] ?? undefined) !== undefined)?.[
    key
  ];
}

/** The id of the first kept message, if there is one; if an earlier compaction moved some, the first in the array. */
function tailOf(messages: Messages, { retain, messages: planned }: Plan, places: readonly number[]): object | undefined {
  const kept = new Set<number>();
  for (let at = retain.boundary ?? planned.length; at < planned.length; at += 1) {
    if (planned[at].fate !== 'inactive') kept.add(places[at]);
  }
  const outlines = messages.map((message) => outlineOf(message));
  const first = outlines.findIndex(({ isSummary, isMarker }, at) => kept.has(at) && !isSummary && !isMarker);
  if (first === -1) return undefined;
  const { id } = outlines[first];
  if (id && !outlines.some((other, at) => at > first && other.id === id)) return { tail_start_id: id };
  const why = 'the first kept message has no id that the compaction could name';
  throw new EbblineError('no_place_for_summary', why);
}

/** Unused ids that sort after all others, because OpenCode orders messages by them. */
function idsAfter(messages: Messages, now: number): { messages: readonly [string, string]; parts: readonly string[] } {
  const known = messages.map((message) => wellFormed(outlineOf(message).id ?? ''));
  const last = known.reduce((latest, id) => (id > latest ? id : latest), '');
  const moment = momentAfter(last, now);
  const made: readonly [string, string] =
    moment === undefined ? [`${last}0`, `${last}1`] : [idAt(moment, last, 0n), idAt(moment, last, 1n)];
  const stored = messages.flatMap((message) => elements<{ readonly id?: unknown }>(message?.parts));
  const taken = new Set<unknown>(stored.map((part) => part?.id));
  const parts = made.map((id) => {
    let part = `prt_${id.startsWith('msg_') ? id.slice(4) : id}`;
    while (taken.has(part)) part += '0';
    return part;
  });
  return { messages: made, parts };
}

/** The clock of OpenCode's ids: milliseconds times 4,096 plus a counter; the last 48 bits are written. */
function momentAfter(id: string, now: number): bigint | undefined {
  const present = (BigInt(Math.trunc(now)) * 4096n) & CLOCK;
  if (id === '') return present;
  const digits = /^msg_([0-9a-f]{12}).{14}$/su.exec(id)?.[1];
  if (digits === undefined) return undefined;
  const next = BigInt(`0x${digits}`) + 1n;
  const moment = present > next ? present : next;
  return moment < CLOCK ? moment : undefined;
}

/** The id `step` steps from a time. Its random characters are computed from `seed`, so that the same session gives
 * the same ids. */
function idAt(moment: bigint, seed: string, step: bigint): string {
  let state = 0xcbf29ce484222325n;
  for (const byte of [...new TextEncoder().encode(seed), Number(step)]) {
    state = ((state ^ BigInt(byte)) * 0x100000001b3n) & WORD;
  }
  let lot = '';
  while (lot.length < 14) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & WORD;
    lot += LETTERS[Number((state >> 33n) % 62n)];
  }
  return `msg_${(moment + step).toString(16).padStart(12, '0')}${lot}`;
}
