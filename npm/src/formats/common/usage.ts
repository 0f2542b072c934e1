// Usage that the provider reported with an answer; the counterpart of `format/usage.rs`.

const LARGEST_WORD = 0xffff_ffff;

/** The tokens of request and answer together: the total if it is above 0, else the sum; 0 when nothing was reported. */
export function usageOf(total: unknown, ...summands: readonly unknown[]): number {
  const tokens = figure(total) || summands.reduce((sum: number, summand) => sum + figure(summand), 0);
  return Math.min(Math.trunc(tokens), LARGEST_WORD);
}

function figure(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
