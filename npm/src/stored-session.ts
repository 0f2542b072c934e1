import { EbblineError } from './errors.js';
import { listOf } from './bounded-list.js';
import { invalid } from './option-checks.js';
import { checkedForRestore } from './options.js';
import type { SessionOptions } from './session-options.js';
import { type SnapshotHeader, readSnapshot } from './snapshot.js';

/** What a snapshot says of a session, and its messages, if the caller has them. */
export interface StoredSession {
  header: SnapshotHeader;
  records: Uint32Array;
  messages: unknown[] | undefined;
  /** The options of the session. */
  options: SessionOptions;
}

/** Reads a snapshot, and checks that the messages and the options may be those of its session. */
export function storedSession(bytes: unknown, messages: unknown, options: unknown): StoredSession {
  const { countTokens } = checkedForRestore(options);
  const { header, records } = readSnapshot(bytes);
  if (header.isCounted !== (countTokens !== undefined)) {
    const counts = header.isCounted ? 'counts tokens by a function: restore it with that countTokens' : 'counts no tokens by a function';
    throw invalid(`the session ${counts}`);
  }
  const given = Array.isArray(messages) ? listOf(messages) : undefined;
  if (messages !== undefined && given?.length !== header.length) {
    throw new EbblineError('mismatch', `the snapshot is of a session of ${header.length} messages: pass these, or none`);
  }
  return { header, records, messages: given, options: { ...header.given, ...(countTokens && { countTokens }) } };
}
