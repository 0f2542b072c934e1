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
