/**
 * A compactor that goes on with a record. If the history was changed since, so that the record does not fit, it starts over: what a record
 * holds can be decided again.
 *
 * @template C
 * @param {(record: any) => C | Promise<C>} create makes the compactor of the session, with a record if there is one
 * @param {object | null | undefined} record
 * @param {readonly unknown[]} history
 * @param {(error: unknown) => void} [onMismatch] hears why a record was not used
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
    // What is sent beside the messages is still the same.
    return create({ ...record, messages: 0, controller: [], changes: [] });
  }
}
