import { guarded } from '../guard.js';
import { question, toJson } from './ask.js';

/** An error as OpenCode stores it with a message; `ContextOverflowError` leads to a compaction. */
export interface OpencodeStoredError {
  name: 'ContextOverflowError' | 'APIError' | 'UnknownError';
  data: {
    message: string;
    statusCode?: number;
    isRetryable?: boolean;
    responseHeaders?: Record<string, string>;
    responseBody?: string;
    metadata?: { url: string };
  };
}

/** An error in JSON, and whether it was an `Error`. */
type FromJson = (error: string, options: { providerID?: string | undefined; isError: boolean }) => OpencodeStoredError;

const ask = question<FromJson>('opencode', 'fromError');

/** The members of an `Error` that OpenCode reads, even if they are not enumerable. */
const MEMBERS = ['name', 'message', 'url', 'statusCode', 'responseBody', 'responseHeaders', 'isRetryable'];

/** How OpenCode stores what a provider threw: an `Error`, or any value that a stream throws, such as a string. */
export const fromError = guarded(function fromError(thrown: unknown, options?: { providerID?: string | undefined }): OpencodeStoredError {
  const isError = thrown instanceof Error;
  const plain = isError ? Object.fromEntries(MEMBERS.map((name) => [name, Reflect.get(thrown, name)])) : thrown;
  return ask(toJson('the error', plain), { ...options, isError });
});
