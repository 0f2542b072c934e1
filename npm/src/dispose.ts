declare global {
  /** For programs that are compiled without `lib: ["esnext.disposable"]`. */
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/** What holds memory of the engine until it is freed. */
export interface Disposes {
  /** The same as `free`, for `using`. In a runtime without `Symbol.dispose`, only `free` exists. */
  [Symbol.dispose](): void;
}

/**
 * Lets `using` free the instances of a class. `Symbol.dispose` is missing in Node before 20.5 and in some browsers.
 *
 * @internal
 */
export function disposeByFree(prototype: { free(): void }) {
  if (Symbol.dispose === undefined) return;
  Object.defineProperty(prototype, Symbol.dispose, { value: prototype.free, writable: true, configurable: true });
}
