import { EbblineError } from '#errors';

/**
 * The compactor of a stored session, in a process that makes one anew: it goes on with a record. If the history is another one, so that
 * the record does not fit, it starts over: what a record holds can be decided again. Then its `begunAnew` says why.
 *
 * @param create makes the compactor of the session, with a record if there is one
 * @param history what the compactor will be asked to prepare
 */
export async function resumeCompactor<C>(
  create: (record: any) => C | Promise<C>,
  record: object | null | undefined,
  history: readonly unknown[],
): Promise<C> {
  if (typeof create !== 'function') {
    throw new EbblineError(
      'invalid_option',
      'resumeCompactor takes a function that makes a compactor: (record) => createCompactor({ record })',
    );
  }
  return resumed(create, record, history);
}

/** The same for a host; `onMismatch` hears why a record was not used. */
export async function resumed<C>(
  create: (record: any) => C | Promise<C>,
  record: object | null | undefined,
  history: readonly unknown[],
  onMismatch: (error: unknown) => void,
): Promise<C> {
  if (record === undefined || record === null) return create(undefined);
  let compactor: any;
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
    const { checksum: _, originals: __, ...learnt } = record as any;
    return create({ ...learnt, messages: 0, controller: [], changes: [], mismatch: error.message });
  }
}
