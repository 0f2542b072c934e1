// Where `compat.pi` and a published package of pi are meant to differ, and why.

const EXCEPTIONS = [];

/** The name of the exception that a difference falls under, if any. */
export function exceptionFor(difference) {
  return EXCEPTIONS.find(({ applies }) => applies(difference))?.name;
}
