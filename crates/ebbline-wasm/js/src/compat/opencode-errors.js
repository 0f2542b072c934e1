import { question } from './ask.js';

const ask = question('opencode', 'fromError');

/** What OpenCode looks at in an instance of `Error`; none of it has to be enumerable. */
const MEMBERS = ['name', 'message', 'url', 'statusCode', 'responseBody', 'responseHeaders', 'isRetryable'];

/** How OpenCode stores what a provider threw: an `Error`, or whatever a stream throws, a string included. */
export function fromError(thrown, options) {
  const isError = thrown instanceof Error;
  const plain = isError ? Object.fromEntries(MEMBERS.map((name) => [name, thrown[name]])) : thrown;
  return ask(JSON.stringify(plain), { ...options, isError });
}
