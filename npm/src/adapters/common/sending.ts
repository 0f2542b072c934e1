import type { PolicyOptions } from '../../policy-options.js';
import { invalid } from './refusal.js';
import type { Prepared, Serving } from './serving.js';

/** The limits of a model; `undefined` if they are those of the last request. */
type Limits = PolicyOptions['model'];

/** What a client gave: the answer, and what else it says about the response. */
export interface Received {
  data: unknown;
  response?: unknown;
  request_id?: unknown;
}

/** A request of the host, whose history gives way to what the compactor says. `E` is what an answer, or an event of it, looks like. */
export interface Call<E> {
  /** the whole history */
  history: readonly unknown[];
  /** cancels it */
  signal?: AbortSignal | undefined;
  /** the limits of its model, if they are others than before */
  limits?: Limits;
  /** whether the answer comes as events */
  isStream: boolean;
  send: (view: unknown[], signal: AbortSignal | undefined) => Promise<Received>;
  /** the input tokens that an answer, or an event, reports, or its report */
  tokensOf: (answer: E) => unknown;
  /** whether an event says no more than that the provider has begun */
  isOpening?: (event: E) => boolean;
  /** the error that an event reports */
  failureOf?: (event: E) => unknown;
}

/** What to do with an error. */
type Refused = (error: unknown, signal: AbortSignal | undefined) => Promise<Received>;

/** The events of an answer. Those of some clients can be cancelled through a controller. */
interface Events<E> extends AsyncIterable<E> {
  readonly controller?: { readonly signal: AbortSignal; abort(): void };
}

/** What an answer's events are passed on with. */
interface Passing<E> {
  call: Call<E>;
  signal: AbortSignal | undefined;
  learn: (answer: E) => void;
  refused: Refused;
}

/** Sends a view of the history. If the provider refuses it as too large, a smaller view is sent once. */
export async function sent<E>(serving: Serving, call: Call<E>): Promise<Received> {
  const { history, signal, limits } = call;
  const prepared = await serving.prepare(history, { signal, model: limits });
  return attempted(serving, call, prepared, signal, again);

  async function again(error: unknown, signal: AbortSignal | undefined): Promise<Received> {
    const smaller = await serving.recover(error, history, { signal });
    return attempted(serving, call, smaller, signal, givenUp);
  }

  /** The compactor says what a second refusal means; it has no third view. */
  async function givenUp(error: unknown, signal: AbortSignal | undefined): Promise<never> {
    await serving.recover(error, history, { signal });
    throw error;
  }
}

async function attempted<E>(
  serving: Serving,
  call: Call<E>,
  { view, request }: Prepared<unknown>,
  signal: AbortSignal | undefined,
  refused: Refused,
): Promise<Received> {
  let received: Received;
  try {
    received = await call.send(view, signal);
  } catch (error) {
    return refused(error, signal);
  }
  const learn = (answer: E) => {
    const tokens = call.tokensOf(answer);
    if (tokens === undefined) return;
    try {
      serving.learn(tokens, request);
    } catch {
      // The compactor was freed before the stream was read to its end. The answer must not be lost with it.
    }
  };
  if (call.isStream) return { ...received, data: streamed(received.data as Events<E>, { call, signal, learn, refused }) };
  learn(received.data as E);
  return received;
}

/** The same stream, of the same class. A refusal that comes as an event, or before the first content, is recovered. */
function streamed<E>(stream: Events<E>, passing: Passing<E>): AsyncIterable<E> {
  const controller = new AbortController();
  const signal = passing.signal === undefined ? controller.signal : AbortSignal.any([passing.signal, controller.signal]);
  const events = () => eventsOf(stream, { ...passing, signal }, controller);
  const { controller: own } = stream;
  if (!(own instanceof AbortController)) return events();
  controller.signal.addEventListener('abort', () => own.abort());
  const Stream = stream.constructor as new (events: () => AsyncIterable<E>, controller: AbortController) => Events<E>;
  return new Stream(events, controller);
}

async function* eventsOf<E>(
  stream: Events<E>,
  { call, signal, learn, refused }: Passing<E>,
  controller: AbortController,
): AsyncGenerator<E> {
  const { isOpening = no, failureOf = nothing } = call;
  // What is given away cannot be taken back, so the opening waits until the provider accepts the request.
  let held: E[] | undefined = [];
  try {
    for await (const event of stream) {
      if (held !== undefined) {
        held.push(event);
        const failure = failureOf(event);
        if (failure !== undefined) throw new Failure(failure);
        if (isOpening(event)) continue;
        const accepted: E[] = held;
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
    if (second === undefined) yield* held;
    else yield* second;
    if (second?.controller?.signal.aborted) controller.abort();
  }

  function learnt(event: E): E {
    learn(event);
    return event;
  }

  /** The events of the second answer; none for a failure that is no refusal, which the host has to see as the event that it is. */
  async function retried(error: unknown): Promise<Events<E> | undefined> {
    const thrown = error instanceof Failure ? error.failure : error;
    try {
      return (await refused(thrown, signal)).data as Events<E>;
    } catch (again) {
      if (error instanceof Failure && again === thrown) return undefined;
      throw again;
    }
  }
}

/** A failure that came as an event. */
class Failure {
  failure: unknown;

  constructor(failure: unknown) {
    this.failure = failure;
  }
}

/** What a create call returns: the answer, and on request the response of the server as well. */
export function promised(receiving: Promise<Received>): Promise<unknown> & { withResponse: () => Promise<Received> } {
  const answer = receiving.then(({ data }) => data);
  const withResponse = () => {
    // Whoever waits for both hears of a failure there.
    answer.catch(nothing);
    return receiving;
  };
  return Object.assign(answer, { withResponse });
}

/** What a call of a client gives; an instrumented client may return a plain promise. */
export async function received(calling: unknown): Promise<Received> {
  return hasResponse(calling) ? calling.withResponse() : { data: await calling };
}

function hasResponse(calling: unknown): calling is { withResponse(): Promise<Received> } {
  return typeof (calling as { withResponse?: unknown } | undefined)?.withResponse === 'function';
}

/** The option `limits` of an adapter of a client. */
export function checkedLimits<P>(limits: (params: P) => Limits = nothing): (params: P) => Limits {
  if (typeof limits !== 'function') throw invalid('`limits` must be a function of the parameters that returns the limits of the model');
  return limits;
}

function no(): boolean {
  return false;
}

function nothing(): undefined {
  return undefined;
}
