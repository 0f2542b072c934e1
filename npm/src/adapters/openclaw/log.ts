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

function keyOf({ role, timestamp, toolCallId }: Sent): string {
  return JSON.stringify([role, timestamp, toolCallId]);
}

function isBootstrap({ role, content }: Sent): boolean {
  return role === 'user' && content === BOOTSTRAP;
}
