/** An error of the caller's that reaches the caller as it is. */
export class CallerError {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** What `promise` gives, unless the caller cancels before, or has cancelled. */
export async function untilCancelled<Value>(promise: Value | Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  if (signal.aborted) {
    // Nobody hears of it any more, and what nobody hears of must not end the process.
    Promise.resolve(promise).catch(nothing);
    throw new CallerError(signal.reason);
  }
  let cancel = nothing;
  const cancelled = new Promise<never>((_, reject) => {
    cancel = () => reject(new CallerError(signal.reason));
    signal.addEventListener('abort', cancel);
  });
  try {
    return await Promise.race([promise, cancelled]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** The longest time for which a timer can be set. */
const LONGEST = 0x7fff_ffff;

/** What `promise` gives. As long as somebody waits for it, Node goes on, though nothing else keeps it running. */
export async function keptAlive<Value>(promise: Value | Promise<Value>): Promise<Value> {
  const timer = setInterval(nothing, LONGEST);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}

export function anySignal(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}

function nothing(): void {}
