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

/** @returns {AbortSignal | undefined} */
export function anyOf(one, other) {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}

function nothing() {}
