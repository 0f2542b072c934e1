/** A request of the host, whose history gives way to what the compactor says. */
export interface Call {
  /** the whole history */
  history: readonly any[];
  /** cancels it */
  signal?: AbortSignal;
  /** the limits of its model, if they are others than before */
  limits?: object;
  /** whether the answer comes as events */
  isStream: boolean;
  send: (view: any[], signal: AbortSignal | undefined) => Promise<Received>;
  /** the input tokens that an answer, or an event, reports, or its report */
  tokensOf: (answer: any) => number | object | undefined;
  /** whether an event says no more than that the provider has begun */
  isOpening?: (event: any) => boolean;
  /** the error that an event reports @typedef {{ data: any, response?: unknown, request_id?: unknown }} Received */
  failureOf?: (event: any) => unknown;
}

/** Sends a view of the history. If the provider refuses it as too large, a smaller view is sent once. */
export async function sent(serving: ReturnType<typeof import('./serving.js').servingOf>, call: Call): Promise<Received> {
  const { history, signal, limits } = call;
  const prepared = await serving.prepare(history, { signal, model: limits });
  return attempted(serving, call, prepared, signal, again);

  async function again(error, signal) {
    const smaller = await serving.recover(error, history, { signal });
    return attempted(serving, call, smaller, signal, givenUp);
  }

  /** The compactor says what a second refusal means; it has no third view. */
  async function givenUp(error, signal): Promise<never> {
    await serving.recover(error, history, { signal });
    throw error;
  }
}

/** @param refused what to do with an error */
async function attempted(
  serving: any,
  call: Call,
  { view, request }: { view: any[]; request: object },
  signal: AbortSignal | undefined,
  refused: (error: unknown, signal: AbortSignal | undefined) => Promise<Received>,
) {
  let received;
  try {
    received = await call.send(view, signal);
  } catch (error) {
    return refused(error, signal);
  }
  const learn = (answer) => {
    const tokens = call.tokensOf(answer);
    if (tokens === undefined) return;
    try {
      serving.learn(tokens, request);
    } catch {
      // The compactor was freed before the stream was read to its end. The answer must not be lost with it.
    }
  };
  if (call.isStream) return { ...received, data: streamed(received.data, { call, signal, learn, refused }) };
  learn(received.data);
  return received;
}

/** The same stream, of the same class. A refusal that comes as an event, or before the first content, is recovered. */
function streamed(stream: any, about: any) {
  const controller = new AbortController();
  const signal = about.signal === undefined ? controller.signal : AbortSignal.any([about.signal, controller.signal]);
  const events = () => eventsOf(stream, { ...about, signal, controller });
  if (!(stream.controller instanceof AbortController)) return events();
  controller.signal.addEventListener('abort', () => stream.controller.abort());
  return new stream.constructor(events, controller);
}

async function* eventsOf(stream, { call, signal, controller, learn, refused }) {
  const { isOpening = no, failureOf = nothing } = call;
  // What is given away cannot be taken back, so the opening waits until the provider accepts the request.
  let held = [];
  try {
    for await (const event of stream) {
      if (held !== undefined) {
        const failure = failureOf(event);
        if (failure !== undefined) throw new Failure(failure, event);
        held.push(event);
        if (isOpening(event)) continue;
        const accepted = held;
        held = undefined;
        for (const each of accepted) yield learnt(each);
      } else yield learnt(event);
    }
    yield* held ?? [];
    if (stream.controller?.signal.aborted) controller.abort();
    return;
  } catch (error) {
    if (held === undefined) throw error;
    const second = await retried(error);
    if (second === undefined) yield* [...held, error.event];
    else yield* second.data;
    if (second?.data.controller?.signal.aborted) controller.abort();
  }

  function learnt(event) {
    learn(event);
    return event;
  }

  /** The second answer; none for a failure that is no refusal, which the host has to see as the event that it is. */
  async function retried(error) {
    if (!(error instanceof Failure)) return refused(error, signal);
    try {
      return await refused(error.failure, signal);
    } catch (thrown) {
      if (thrown === error.failure) return undefined;
      throw thrown;
    }
  }
}

/** A failure that came as an event. */
class Failure {
  constructor(failure, event) {
    this.failure = failure;
    this.event = event;
  }
}

/** What a create call returns: the answer, and on request the response of the server as well. */
export function promised(receiving: Promise<Received>) {
  const answer = receiving.then(({ data }) => data);
  const withResponse = () => {
    // Whoever waits for both hears of a failure there.
    answer.catch(nothing);
    return receiving;
  };
  return Object.assign(answer, { withResponse });
}

/** What a call of a client gives; an instrumented client may return a plain promise. */
export async function received(calling) {
  return typeof calling?.withResponse === 'function' ? calling.withResponse() : { data: await calling };
}

function no() {
  return false;
}

function nothing() {
  return undefined;
}
