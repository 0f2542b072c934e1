import { guarded } from '../guard.js';
import { question, toJson } from './ask.js';

const ask = question('opencode', 'fromError');

/** What OpenCode looks at in an instance of `Error`; none of it has to be enumerable. */
const MEMBERS = ['name', 'message', 'url', 'statusCode', 'responseBody', 'responseHeaders', 'isRetryable'];

/** How OpenCode stores what a provider threw: an `Error`, or whatever a stream throws, a string included. */
export const fromError = guarded(function fromError(thrown, options) {
  const isError = thrown instanceof Error;
  const plain = isError ? Object.fromEntries(MEMBERS.map((name) => [name, thrown[name]])) : thrown;
  return ask(toJson('the error', plain), { ...options, isError });
});
