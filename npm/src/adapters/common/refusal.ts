import { EbblineError } from '#errors';

/** How many sessions an adapter keeps if the caller does not say it. */
const LIMIT = 1000;

/** The error for what a caller handed in. */
export function invalid(message: string): EbblineError {
  return new EbblineError('invalid_option', message);
}

/** Whether an error has one of these codes. It may be one of another copy of the package. */
export function hasCode(error: unknown, ...codes: string[]): error is EbblineError {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' && codes.includes(code);
}

/** How many sessions are to be kept. */
export function checkedLimit(limit: number = LIMIT): number {
  if (!(Number.isSafeInteger(limit) && limit > 0)) throw invalid('`limit` must be a whole number above 0');
  return limit;
}
