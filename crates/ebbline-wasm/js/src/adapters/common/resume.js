import { EbblineError } from '#errors';

/**
 * The compactor of a stored session, in a process that makes one anew: it goes on with a record. If the history is another one, so that
 * the record does not fit, it starts over: what a record holds can be decided again. Then its `begunAnew` says why.
 *
 * @template C
 * @param {(record: any) => C | Promise<C>} create makes the compactor of the session, with a record if there is one
 * @param {object | null | undefined} record
 * @param {readonly unknown[]} history what the compactor will be asked to prepare
 * @returns {Promise<C>}
 */
export async function resumeCompactor(create, record, history) {
  if (typeof create !== 'function') {
    throw new EbblineError(
      'invalid_option',
      'resumeCompactor takes a function that makes a compactor: (record) => createCompactor({ record })',
    );
  }
  return resumed(create, record, history);
}

/**
 * The same for a host; `onMismatch` hears why a record was not used.
 *
 * @template C
 * @param {(record: any) => C | Promise<C>} create
 * @param {object | null | undefined} record
 * @param {readonly unknown[]} history
 * @param {(error: unknown) => void} [onMismatch]
 * @returns {Promise<C>}
 */
export async function resumed(create, record, history, onMismatch) {
  if (record === undefined || record === null) return create(undefined);
  /** @type {any} */
  let compactor;
  try {
    compactor = await create(record);
    // A record is compared with the first history.
    await compactor.prepare(history);
    return compactor;
  } catch (error) {
    if (error?.code !== 'mismatch') throw error;
    compactor?.free();
    onMismatch?.(error);
    // What was learnt of the provider, such as what is sent beside the messages, is still the same.
    const { checksum: _, originals: __, ...learnt } = /** @type {any} */ (record);
    return create({ ...learnt, messages: 0, controller: [], changes: [], mismatch: error.message });
  }
}
