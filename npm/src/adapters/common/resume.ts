import type { Compactor, CompactorRecord } from '../../compactor-interface.js';
import { hasCode, invalid } from './refusal.js';

/** What a record has for its compactor, and what callers only store. */
interface Contents extends CompactorRecord {
  readonly checksum?: unknown;
  readonly originals?: unknown;
}

/**
 * The compactor of a stored session, in a process that makes one anew: it goes on with the `record` of an earlier one. If the history is
 * another one, so that the record does not fit, it starts over, and {@link Compactor.begunAnew} says why.
 *
 * @param create makes the compactor of the session, with a record if there is one
 * @param messages what the compactor will be asked to prepare
 */
export async function resumeCompactor<C extends Compactor>(
  create: (record: CompactorRecord | undefined) => C | Promise<C>,
  record: CompactorRecord | null | undefined,
  messages: readonly unknown[],
): Promise<C> {
  if (typeof create !== 'function') {
    throw invalid('resumeCompactor takes a function that makes a compactor: (record) => createCompactor({ record })');
  }
  return resumed(create, record, messages);
}

/**
 * The same for a host; `onMismatch` hears why a record was not used.
 *
 * @internal
 */
export async function resumed<C extends Compactor>(
  create: (record: CompactorRecord | undefined) => C | Promise<C>,
  record: CompactorRecord | null | undefined,
  messages: readonly unknown[],
  onMismatch?: (error: unknown) => void,
): Promise<C> {
  if (record === undefined || record === null) return create(undefined);
  let compactor: C | undefined;
  try {
    compactor = await create(record);
    // A record is compared with the first history.
    await compactor.prepare(messages);
    return compactor;
  } catch (error) {
    if (!hasCode(error, 'mismatch')) throw error;
    compactor?.free();
    onMismatch?.(error);
    return create(undecided(record, error.message));
  }
}

/**
 * A record without what was decided, because it does not fit. What was learnt of the provider, such as what is sent beside the messages,
 * is still the same.
 *
 * @internal
 */
export function undecided(record: CompactorRecord, mismatch: string): CompactorRecord {
  const { checksum: _, originals: __, ...learnt } = record as Contents;
  const anew = { ...learnt, messages: 0, controller: [], changes: [], mismatch };
  return anew;
}
