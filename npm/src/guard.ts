import { EbblineError } from './errors.js';

/** How many nested calls of this package are running. */
let depth = 0;

/**
 * Whether this call comes from a getter, a proxy or a function that runs inside another call. What the other call uses must
 * then stay unchanged.
 */
export function isNested() {
  return depth > 1;
}

/**
 * The function as it is given away: whatever it is handed, it throws nothing but {@link EbblineError}s. What a getter, a
 * proxy or a function of the caller's threw is the `cause` of one.
 */
export function guarded<F extends (...given: never[]) => unknown>(call: F): F {
  const guard = function (this: unknown, ...given: never[]): unknown {
    depth += 1;
    try {
      return call.apply(this, given);
    } catch (error) {
      throw presentable(error);
    } finally {
      depth -= 1;
    }
  };
  return guard as F;
}

/** The same for an asynchronous function. */
export function guardedLater<F extends (...given: never[]) => Promise<unknown>>(call: F): F {
  const guard = async (...given: never[]): Promise<unknown> => {
    try {
      return await call(...given);
    } catch (error) {
      throw presentable(error);
    }
  };
  return guard as F;
}

/** The same for a function whose work is done by one that is guarded already, so that it is no call inside another. */
export function presented<F extends (...given: never[]) => unknown>(call: F): F {
  const guard = function (this: unknown, ...given: never[]): unknown {
    try {
      return call.apply(this, given);
    } catch (error) {
      throw presentable(error);
    }
  };
  return guard as F;
}

/** Guards methods and accessors of a class: all of them, unless names are given. */
export function guardMembers(
  prototype: object,
  guard: typeof guarded = guarded,
  names: readonly string[] = Object.getOwnPropertyNames(prototype),
) {
  for (const name of names) {
    const found = name === 'constructor' ? undefined : Object.getOwnPropertyDescriptor(prototype, name);
    if (found === undefined) continue;
    const { get, value, ...rest } = found;
    const member = get === undefined ? { value: guard(value), writable: rest.writable } : { get: guard(get), set: rest.set };
    Object.defineProperty(prototype, name, { ...member, configurable: true, enumerable: rest.enumerable });
  }
}

/** The thrown value in words; it may be any value. */
export function wordsOf(thrown: unknown) {
  try {
    const words = typeof thrown === 'object' && thrown !== null ? (thrown as { message?: unknown }).message : thrown;
    return String(words).slice(0, 200);
  } catch {
    return 'an error that cannot be read';
  }
}

/** What is thrown to the caller for an error. */
export function presentable(error: unknown) {
  if (isInstance(error, EbblineError)) return error;
  // The engine itself failed, which must never happen and must not be hidden.
  if (isInstance(error, WebAssembly.RuntimeError)) return error;
  const refusal = new EbblineError('unreadable', `an argument threw an error when it was read: ${wordsOf(error)}`);
  refusal.cause = error;
  return refusal;
}

function isInstance(error: unknown, type: Function) {
  try {
    return error instanceof type;
  } catch {
    return false; // A proxy, maybe revoked.
  }
}
