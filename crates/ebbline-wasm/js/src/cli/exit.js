/** How the program ends; documented in `ebbline --help`. */
export const Exit = Object.freeze({ OK: 0, INPUT: 1, USAGE: 2, WORK: 3 });

/** A mistake on the command line. */
export class UsageError extends Error {}

/** A file that cannot be read or written. */
export class FileError extends Error {}

const ABOUT_OPTIONS = new Set(['invalid_option', 'invalid_policy', 'unknown_profile', 'unknown_format']);

/** Whose fault an error is: that of the command line, or that of the session. */
export function exitCodeOf(error) {
  return error instanceof UsageError || ABOUT_OPTIONS.has(error.code) ? Exit.USAGE : Exit.INPUT;
}
