import { createHash } from 'node:crypto';

import type { AgentMessage } from './host.js';

/** What OpenClaw puts in front where the first message that it gives is not the user's. */
const BOOTSTRAP = '(session bootstrap)';

interface Sent extends AgentMessage {
  timestamp?: unknown;
  toolCallId?: unknown;
  content?: unknown;
}

/**
 * A session, with what OpenClaw gives now. OpenClaw leaves out the oldest messages of long sessions before it asks an engine; they stay in
 * the session. If anything else stands in front, OpenClaw has compacted, and what it gives is the session.
 */
export function grown(log: readonly AgentMessage[], given: readonly AgentMessage[]): readonly AgentMessage[] {
  const places = new Map(log.map((message, at) => [keyOf(message), at]));
  const first = given.findIndex((message) => places.has(keyOf(message)));
  const place = given[first] && places.get(keyOf(given[first]));
  if (place === undefined || !given.slice(0, first).every(isBootstrap)) return [...given];
  return [...log.slice(0, place), ...given.slice(first)];
}

/** How many characters the mark of a message has. */
const MARK = 8;

/** What tells the messages of a session from others, in as few characters as will do. */
export function marksOf(messages: readonly AgentMessage[]): string {
  return messages.map(markOf).join('');
}

/** Messages by their marks. */
export type Marked = Record<string, AgentMessage>;

/**
 * The user's messages that OpenClaw gives otherwise than it stores them: it leaves out the silent answer to a heartbeat, and joins the
 * heartbeat with what the user says next.
 */
export function otherwise(log: readonly AgentMessage[], given: readonly AgentMessage[]): Marked {
  const texts = new Map(log.filter(isOfUser).map((message) => [markOf(message), textOf(message)]));
  const marks = given.filter(isOfUser).map((message) => [markOf(message), message] as const);
  return Object.fromEntries(marks.filter(([mark, message]) => texts.has(mark) && texts.get(mark) !== textOf(message)));
}

/**
 * Stored messages as OpenClaw gave them, without those that it did not give, such as those of a turn that failed. What is newer than the
 * marks stays.
 */
export function marked(stored: readonly AgentMessage[], marks: string, given: Marked): readonly AgentMessage[] {
  const known = new Set(marks.match(new RegExp(`.{${MARK}}`, 'g')));
  const isKnown = stored.map((message) => known.has(markOf(message)));
  const last = isKnown.lastIndexOf(true);
  return stored.filter((_, at) => at > last || isKnown[at]).map((message) => given[markOf(message)] ?? message);
}

const isOfUser = ({ role }: AgentMessage) => role === 'user';
const textOf = ({ content }: Sent) => JSON.stringify(content);

function markOf(message: Sent): string {
  return createHash('sha256').update(keyOf(message)).digest('base64').slice(0, MARK);
}

function keyOf({ role, timestamp, toolCallId }: Sent): string {
  return JSON.stringify([role, timestamp, toolCallId]);
}

function isBootstrap({ role, content }: Sent): boolean {
  return role === 'user' && content === BOOTSTRAP;
}
