/** Parts of a model's stream that tell nothing of the answer. */
const PREAMBLE = new Set(['stream-start', 'response-metadata', 'raw', 'ping']);

/**
 * The stream of a model's answer. Some providers accept a request and report the overflow inside the stream: if nothing of the answer
 * was passed on before, the stream goes on with that of another request.
 *
 * @param on.error gives the other stream, or throws
 * @param on.finish hears the last part of the answer
 */
export function recoverableStream(
  first: ReadableStream<any>,
  { error: recover, finish }: { error: ((error: unknown) => Promise<ReadableStream<any>>) | undefined; finish: (part: any) => void },
): ReadableStream<any> {
  let reader = first.getReader();
  let canRecover = recover !== undefined;
  let isStarted = false;

  async function next() {
    const read = await readOf(reader);
    const { thrown = read.value?.type === 'error' ? read.value.error : undefined } = read;
    if (thrown === undefined || !canRecover) return read;
    canRecover = false;
    const left = reader;
    try {
      reader = (await recover(thrown)).getReader();
    } catch (error) {
      if (error === thrown) return read;
      return { done: false, value: { type: 'error', error }, thrown: undefined };
    }
    left.cancel().catch(() => {});
    return readOf(reader);
  }

  return new ReadableStream({
    async pull(controller) {
      // A pull that gives nothing would not be called again.
      for (;;) {
        const { done, value, thrown } = await next();
        if (thrown !== undefined) throw thrown;
        if (done) return controller.close();
        if (value.type === 'stream-start' && isStarted) continue;
        if (value.type === 'stream-start') isStarted = true;
        if (!PREAMBLE.has(value.type)) canRecover = false;
        if (value.type === 'finish') finish(value);
        return controller.enqueue(value);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** What a reader gives: a part, the end, or the error that the stream ends with. */
async function readOf(reader): Promise<{ done: boolean; value: any; thrown: unknown }> {
  try {
    const { done, value } = await reader.read();
    return { done, value, thrown: undefined };
  } catch (thrown) {
    return { done: false, value: undefined, thrown };
  }
}
