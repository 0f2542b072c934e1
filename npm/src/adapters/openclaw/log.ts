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
  const keys = log.map(keyOf);
  const known = new Set(keys);
  const first = given.findIndex((message) => known.has(keyOf(message)));
  const start = given[first];
  if (start === undefined || !given.slice(0, first).every(isBootstrap)) return [...given];
  const key = keyOf(start);
  const same = log.findLastIndex((message, at) => keys[at] === key && textOf(message) === textOf(start));
  return [...log.slice(0, same === -1 ? keys.lastIndexOf(key) : same), ...given.slice(first)];
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
  const stored = onlyOnes(log.filter(isOfUser));
  const isOther = ([mark, message]: [string, AgentMessage]) => {
    const known = stored.get(mark);
    return known !== undefined && textOf(known) !== textOf(message);
  };
  return Object.fromEntries([...onlyOnes(given.filter(isOfUser))].filter(isOther));
}

/** The messages whose mark no other one has. What the user says in the same moment, or without a time, has the same mark. */
function onlyOnes(messages: readonly AgentMessage[]): Map<string, AgentMessage> {
  const ones = new Map<string, AgentMessage>();
  const others = new Set<string>();
  for (const message of messages) {
    const mark = markOf(message);
    if (ones.has(mark)) others.add(mark);
    ones.set(mark, message);
  }
  for (const mark of others) ones.delete(mark);
  return ones;
}

/**
 * Stored messages as OpenClaw gave them, without those that it did not give, such as those of a turn that failed. What is newer than the
 * marks stays.
 */
export function marked(stored: readonly AgentMessage[], marks: string, given: Marked): readonly AgentMessage[] {
  const known = new Set(marks.match(new RegExp(`.{${MARK}}`, 'g')));
  const isKnown = stored.map((message) => known.has(markOf(message)));
  const last = isKnown.lastIndexOf(true);
  const ones = onlyOnes(stored);
  const asGiven = (message: AgentMessage) => {
    const mark = markOf(message);
    return (ones.has(mark) && given[mark]) || message;
  };
  return stored.filter((_, at) => at > last || isKnown[at]).map(asGiven);
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
