import { EbblineError } from './errors.js';

/**
 * A module beside the engine, which is loaded when it is needed: where a file can be read at once, with the first call; elsewhere
 * by `init`.
 */
export class SecondModule {
  #glue;
  #missing;
  #memory: WebAssembly.Memory | undefined;
  #loading: Promise<void> | undefined;
  #read: (() => BufferSource | WebAssembly.Module) | undefined;
  #locate: (() => unknown) | undefined;

  /**
   * @param glue what wasm-bindgen wrote for the module
   * @param missing the error's message if a call needs the module before it is loaded
   */
  constructor(glue: { load: Function; initSync: Function; TextBuffer: any }, missing: string) {
    this.#glue = glue;
    this.#missing = missing;
    this.TextBuffer = glue.TextBuffer;
  }

  /** Called by the entry file of a runtime that has the module, or can read it, without waiting. */
  readWith(read) {
    this.#read = read;
  }

  /** Called by the entry file of every other runtime: where the module is, if the caller does not say so. */
  loadFrom(beside) {
    this.#locate = beside;
  }

  /** Loads the module. A second call waits for the first; after a failure, it tries again. */
  init(source) {
    this.#loading ??= this.#load(source).catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #load(source) {
    if (this.#read !== undefined) this.memory();
    else this.#start(await this.#glue.load({ module_or_path: source ?? (await this.#locate?.()) }));
  }

  /** The memory of the module, or an error that says what to do first. */
  memory() {
    if (this.#memory === undefined && this.#read !== undefined) this.#start(this.#glue.initSync({ module: this.#read() }));
    if (this.#memory === undefined) throw new EbblineError('not_initialized', this.#missing);
    return this.#memory;
  }

  #start(exports) {
    this.#memory = exports.memory;
  }
}
