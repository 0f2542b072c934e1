/** Parts of a model's stream that tell nothing of the answer. */
const PREAMBLE = new Set(['stream-start', 'response-metadata', 'raw', 'ping']);

/** A part of a model's stream, as far as it is looked at. */
export interface Part {
  type: string;
  error?: unknown;
  usage?: unknown;
}

/** What a reader gives: a part, the end, or the error that the stream ends with. */
type Read = { done: boolean; value: Part | undefined; thrown: unknown };

export interface Recovery {
  /** gives the other stream, or throws */
  error: ((error: unknown) => Promise<ReadableStream<Part>>) | undefined;
  /** hears the last part of the answer */
  finish: (part: Part) => void;
}

/**
 * The stream of a model's answer. Some providers accept a request and report the overflow inside the stream: if nothing of the answer
 * was passed on before, the stream goes on with that of another request.
 */
export function recoverableStream(first: ReadableStream<Part>, { error, finish }: Recovery): ReadableStream<Part> {
  let reader = first.getReader();
  let recover = error;
  let isStarted = false;

  async function next(): Promise<Read> {
    const read = await readOf(reader);
    const { thrown = read.value?.type === 'error' ? read.value.error : undefined } = read;
    if (thrown === undefined || recover === undefined) return read;
    const otherStream = recover;
    recover = undefined;
    const left = reader;
    try {
      reader = (await otherStream(thrown)).getReader();
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
        if (done || value === undefined) return controller.close();
        if (value.type === 'stream-start' && isStarted) continue;
        if (value.type === 'stream-start') isStarted = true;
        if (!PREAMBLE.has(value.type)) recover = undefined;
        if (value.type === 'finish') finish(value);
        return controller.enqueue(value);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function readOf(reader: ReadableStreamDefaultReader<Part>): Promise<Read> {
  try {
    const { done, value } = await reader.read();
    return { done, value, thrown: undefined };
  } catch (thrown) {
    return { done: false, value: undefined, thrown };
  }
}
