import type { SyncInitInput, TextBuffer } from './core.js';
import { EbblineError } from './errors.js';
import type { InitInput, ModuleSource } from './module-source.js';

/** What is known of a module that runs. */
interface Started {
  readonly memory: WebAssembly.Memory;
}

/** What wasm-bindgen wrote for a module. */
interface Glue {
  load(from: { module_or_path: InitInput }): Promise<Started>;
  initSync(from: { module: SyncInitInput }): Started;
  readonly TextBuffer: typeof TextBuffer;
}

/**
 * A module beside the engine, which is loaded when it is needed: where a file can be read at once, with the first call; elsewhere
 * by `init`.
 */
export class SecondModule {
  readonly TextBuffer: typeof TextBuffer;
  #glue: Glue;
  #missing: string;
  #memory: WebAssembly.Memory | undefined;
  #loading: Promise<void> | undefined;
  #read: (() => SyncInitInput) | undefined;
  #locate: (() => ModuleSource | Promise<ModuleSource>) | undefined;

  /**
   * @param glue what wasm-bindgen wrote for the module
   * @param missing the error's message if a call needs the module before it is loaded
   */
  constructor(glue: Glue, missing: string) {
    this.#glue = glue;
    this.#missing = missing;
    this.TextBuffer = glue.TextBuffer;
  }

  /** Called by the entry file of a runtime that has the module, or can read it, without waiting. */
  readWith(read: () => SyncInitInput) {
    this.#read = read;
  }

  /** Called by the entry file of every other runtime: where the module is, if the caller does not say so. */
  loadFrom(beside: () => ModuleSource | Promise<ModuleSource>) {
    this.#locate = beside;
  }

  /** Loads the module. A second call waits for the first; after a failure, it tries again. */
  init(source?: ModuleSource) {
    this.#loading ??= this.#load(source).catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #load(source: ModuleSource | undefined) {
    if (this.#read !== undefined) this.memory();
    else {
      // The runtime says what it cannot load.
      const given = (source ?? (await this.#locate?.())) as InitInput;
      this.#start(await this.#glue.load({ module_or_path: given }));
    }
  }

  /** The memory of the module, or an error that says what to do first. */
  memory() {
    if (this.#memory === undefined && this.#read !== undefined) this.#start(this.#glue.initSync({ module: this.#read() }));
    if (this.#memory === undefined) throw new EbblineError('not_initialized', this.#missing);
    return this.#memory;
  }

  #start(exports: Started) {
    this.#memory = exports.memory;
  }
}
