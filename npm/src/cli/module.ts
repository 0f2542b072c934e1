// The module with the commands, which nothing else of the package loads.

import { readFileSync } from 'node:fs';

import { Bytes, CommandRun, TaskRun, brokenFile, initSync, unreadFile } from '../cli-core.js';

export { type Bytes, CommandRun, TaskRun, brokenFile, unreadFile };

let memory: WebAssembly.Memory;

/** The compiled module. */
export function compiled(): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL('../cli.wasm', import.meta.url)));
}

/** Starts the module in this thread. */
export function start(module: WebAssembly.Module): void {
  memory = initSync({ module }).memory;
}

/** A buffer of the module with these bytes; it is used up by the call that it is passed to. */
export function put(bytes: Uint8Array): Bytes {
  const buffer = new Bytes(bytes.length);
  new Uint8Array(memory.buffer, buffer.pointer, buffer.length).set(bytes);
  return buffer;
}

/** The bytes of a buffer of the module. */
export function take(buffer: Bytes): Uint8Array {
  const bytes = new Uint8Array(memory.buffer, buffer.pointer, buffer.length).slice();
  buffer.free();
  return bytes;
}
