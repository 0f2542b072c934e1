/** An error of the caller's that reaches the caller as it is. */
export class PassedOn {
  constructor(error) {
    this.error = error;
  }
}

/** What `promise` gives, unless the caller cancels before, or has cancelled. */
export async function raced(promise, signal) {
  if (signal === undefined) return promise;
  if (signal.aborted) {
    // Nobody hears of it any more, and what nobody hears of must not end the process.
    Promise.resolve(promise).catch(nothing);
    throw new PassedOn(signal.reason);
  }
  let cancel;
  const cancelled = new Promise((_, reject) => {
    cancel = () => reject(new PassedOn(signal.reason));
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
export async function awake(promise) {
  const timer = setInterval(nothing, LONGEST);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}

/** @returns {AbortSignal | undefined} */
export function anyOf(one, other) {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}

function nothing() {}
