import type { InitInput as GivenInput } from './core.js';
import { type Checks, checkedBy, invalid } from './option-checks.js';
import { isObject } from './values.js';

/** What {@link init} loads. Runtimes that load everything by themselves ignore where it is. */
export interface InitOptions {
  /** Where the engine is, if it is not beside the package's own files. */
  engine?: ModuleSource | undefined;
  /** Whether to load the readers and writers of texts, or where they are: for all functions that take a text or bytes. */
  files?: boolean | ModuleSource | undefined;
  /** Whether to load the module behind {@link compat}, or where it is. */
  compat?: boolean | ModuleSource | undefined;
}

/** Where a WebAssembly module is: its address, a response that contains it, its bytes, or the compiled module itself. */
export type ModuleSource = URL | string | Request | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module | Promise<Response>;

/**
 * What wasm-bindgen takes for a module.
 *
 * @internal
 */
export type InitInput = GivenInput | Promise<GivenInput>;

const CHECKS: Checks<InitOptions> = { engine: source, files: wanted, compat: wanted };

/**
 * Refuses what `init` cannot load.
 *
 * @internal
 */
export function checkedForInit(options: unknown): InitOptions {
  if (options !== undefined && !isOfNoClass(options)) {
    throw invalid('init takes an object that says what to load; the place of the engine is its member: `init({ engine: source })`');
  }
  return checkedBy(CHECKS, options);
}

/** Whether a value is an object of no class, of any realm. */
function isOfNoClass(value: unknown) {
  const prototype = isObject(value) ? Object.getPrototypeOf(value) : undefined;
  return prototype === null || (prototype !== undefined && Object.getPrototypeOf(prototype) === null);
}

/** Where a module is. The runtime says what it cannot load. */
function source(value: unknown) {
  return typeof value === 'string' || (typeof value === 'object' && value !== null) || 'a URL, a response, bytes or a module';
}

function wanted(value: unknown) {
  return typeof value === 'boolean' || source(value) === true || 'true, or where the module is';
}
