import { CallerError } from './caller-error.js';

/** What `promise` gives, unless the caller cancels before, or has cancelled. */
export async function untilCancelled<T>(promise: T, signal: AbortSignal | undefined): Promise<Awaited<T>> {
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
export async function keptAlive<T>(promise: Promise<T>): Promise<T> {
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

function nothing() {}
