import type { AgentMessage, SessionTarget } from './host.js';

/** The part of OpenClaw that reads transcripts. It is there only inside OpenClaw. */
const SDK = 'openclaw/plugin-sdk/session-transcript-runtime';

/** The most that one page may have. */
const MESSAGES = 10_000;
const BYTES = 64 * 1024 * 1024;

interface Page {
  kind: string;
  cursor: string;
  entries: { message: AgentMessage }[];
  hasMore: boolean;
}

interface Sdk {
  readSessionTranscriptVisibleMessageDelta(
    params: SessionTarget & { cursor?: string; maxMessages: number; maxBytes: number },
  ): Promise<Page>;
}

/** The messages of a session, as OpenClaw stores them; `undefined` if they cannot be read now. */
export async function transcriptOf({ agentId, sessionId, sessionKey }: SessionTarget): Promise<AgentMessage[] | undefined> {
  const { readSessionTranscriptVisibleMessageDelta: read }: Sdk = await import(SDK);
  const messages: AgentMessage[] = [];
  let cursor: string | undefined;
  for (;;) {
    const from = cursor === undefined ? {} : { cursor };
    const page = await read({ agentId, sessionId, sessionKey, ...from, maxMessages: MESSAGES, maxBytes: BYTES });
    if (page.kind !== 'page') return undefined;
    for (const { message } of page.entries) messages.push(message);
    if (!page.hasMore) return messages;
    // A message that is larger than a page stops the reading.
    if (page.cursor === cursor || page.entries.length === 0) return undefined;
    cursor = page.cursor;
  }
}

/** What a provider may refuse in the id of a call. */
const UNUSUAL = /[^a-zA-Z0-9]/g;

interface Called {
  role: string;
  toolCallId?: unknown;
  content?: unknown;
}

/** Whether OpenClaw gives the ids of calls in letters and digits alone, as some providers want it; `undefined` if there is none. */
export function hasPlainIds(messages: readonly Called[]): boolean | undefined {
  const ids = messages.map(({ toolCallId }) => toolCallId).filter((id) => typeof id === 'string');
  return ids.length === 0 ? undefined : ids.every((id) => id.search(UNUSUAL) === -1);
}

/** A stored message as OpenClaw gives it then. */
export function withPlainIds(message: Called): Called {
  const plain = (id: unknown) => (typeof id === 'string' ? id.replace(UNUSUAL, '') : id);
  const { role, toolCallId, content } = message;
  if (role === 'toolResult') return { ...message, toolCallId: plain(toolCallId) };
  if (role !== 'assistant' || !Array.isArray(content)) return message;
  return { ...message, content: content.map((block) => (block?.type === 'toolCall' ? { ...block, id: plain(block.id) } : block)) };
}
