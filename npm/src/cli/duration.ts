/** A length of time, in seconds and billionths of one. */
export interface Duration {
  secs: number;
  nanos: number;
}

/** A duration in milliseconds as the commands have it. */
export function durationOf(milliseconds: number): Duration {
  const secs = Math.floor(milliseconds / 1000);
  return { secs, nanos: Math.floor((milliseconds - secs * 1000) * 1e6) };
}
