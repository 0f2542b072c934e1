import { EbblineError } from './errors.js';
import type { InitInput, ModuleNow, ModuleSource } from './module-source.js';
import type { Engine } from './text-buffer.js';

/** What wasm-bindgen wrote for a module. */
interface Glue {
  load(options: { module_or_path: InitInput }): Promise<Instance>;
  initSync(options: { module: ModuleNow }): Instance;
  TextBuffer: Engine['TextBuffer'];
}

/** A module that was started. */
interface Instance {
  readonly memory: WebAssembly.Memory;
}

/**
 * A module beside the engine, which is loaded when it is needed: where a file can be read at once, with the first call; elsewhere
 * by `init`.
 */
export class SecondModule {
  readonly TextBuffer: Engine['TextBuffer'];
  #glue: Glue;
  #missing: string;
  #memory: WebAssembly.Memory | undefined;
  #loading: Promise<void> | undefined;
  #read: (() => ModuleNow) | undefined;
  #locate: (() => ModuleSource | Promise<ModuleSource>) | undefined;

  /** @param missing the error's message if a call needs the module before it is loaded */
  constructor(glue: Glue, missing: string) {
    this.#glue = glue;
    this.#missing = missing;
    this.TextBuffer = glue.TextBuffer;
  }

  /** Called by the entry file of a runtime that has the module, or can read it, without waiting. */
  readWith(read: () => ModuleNow): void {
    this.#read = read;
  }

  /** Called by the entry file of every other runtime: where the module is, if the caller does not say so. */
  loadFrom(beside: () => ModuleSource | Promise<ModuleSource>): void {
    this.#locate = beside;
  }

  /** Loads the module. A second call waits for the first; after a failure, it tries again. */
  init(source: ModuleSource | undefined): Promise<void> {
    this.#loading ??= this.#load(source).catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #load(source: ModuleSource | undefined): Promise<void> {
    if (this.#read !== undefined) this.memory();
    else {
      // The runtime says what it cannot load.
      const given = (source ?? (await this.#locate?.())) as InitInput;
      this.#start(await this.#glue.load({ module_or_path: given }));
    }
  }

  /** The memory of the module, or an error that says what to do first. */
  memory(): WebAssembly.Memory {
    if (this.#memory === undefined && this.#read !== undefined) this.#start(this.#glue.initSync({ module: this.#read() }));
    if (this.#memory === undefined) throw new EbblineError('not_initialized', this.#missing);
    return this.#memory;
  }

  #start(exports: Instance): void {
    this.#memory = exports.memory;
  }
}
