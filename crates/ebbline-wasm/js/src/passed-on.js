/** An error of the caller's that reaches the caller as it is. */
export class PassedOn {
  constructor(error) {
    this.error = error;
  }
}

/** What `promise` gives, unless the caller cancels before. */
export async function raced(promise, signal) {
  if (signal === undefined) return promise;
  let cancel;
  const cancelled = new Promise((_, reject) => {
    cancel = () => reject(new PassedOn(signal.reason));
    signal.addEventListener('abort', cancel);
  });
  try {
    if (signal.aborted) cancel();
    return await Promise.race([promise, cancelled]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** @returns {AbortSignal | undefined} */
export function anyOf(one, other) {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}
