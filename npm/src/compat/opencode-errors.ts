import { guarded } from '../guard.js';
import { question, toJson } from './ask.js';

const ask = question('opencode', 'fromError');

/** The members of an `Error` that OpenCode reads, even if they are not enumerable. */
const MEMBERS = ['name', 'message', 'url', 'statusCode', 'responseBody', 'responseHeaders', 'isRetryable'];

/** How OpenCode stores what a provider threw: an `Error`, or any value that a stream throws, such as a string. */
export const fromError = guarded(function fromError(thrown, options) {
  const isError = thrown instanceof Error;
  const plain = isError ? Object.fromEntries(MEMBERS.map((name) => [name, thrown[name]])) : thrown;
  return ask(toJson('the error', plain), { ...options, isError });
});
