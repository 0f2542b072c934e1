import { bytesOfView } from './bytes.js';
import { EbblineError } from './errors.js';
import { listOf } from './bounded-list.js';

/** The text of a session file, its bytes, or an array of live messages. */
export type SessionInput = string | Uint8Array | readonly unknown[];

/**
 * A text, its bytes, or an array of messages. Anything else is refused with an error that says what to pass instead.
 *
 * @internal
 */
export function sourceOf(input: unknown): string | Uint8Array | unknown[] {
  if (typeof input === 'string') return input;
  if (Array.isArray(input)) return listOf(input);
  if (ArrayBuffer.isView(input)) return bytesOfView(input) ?? refuseDetached();
  const wanted = 'pass the text of a session file, its bytes as a Uint8Array, or an array of messages';
  const array = arrayIn(input);
  if (array !== undefined) throw new EbblineError('no_messages', `an object is no session: pass its array, as in ${array}`);
  const what = input === null ? 'null' : typeof input === 'object' ? 'an object' : `a value of type ${typeof input}`;
  throw new EbblineError('no_messages', `${what} is no session: ${wanted}`);
}

/** What holds messages, as far as anybody passes it: a request, or LangGraph's state, snapshot or checkpoint. */
interface Holder {
  messages?: unknown;
  values?: { messages?: unknown };
  channel_values?: { messages?: unknown };
}

/** How to pass the messages of an object. */
function arrayIn(input: unknown) {
  // Members of whatever it is: those of other values are undefined.
  const holder = input as Holder | null | undefined;
  if (Array.isArray(holder?.messages)) return 'plan(request.messages) or, of a graph, plan(state.messages)';
  if (Array.isArray(holder?.values?.messages)) return 'plan(state.values.messages)';
  if (Array.isArray(holder?.channel_values?.messages)) return 'plan(checkpoint.channel_values.messages)';
  return undefined;
}

function refuseDetached(): never {
  throw new EbblineError('no_messages', 'the bytes are gone: their buffer was handed over to somebody else');
}
