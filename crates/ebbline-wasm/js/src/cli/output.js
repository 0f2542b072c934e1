import { fstatSync, writeSync } from 'node:fs';

import { FileError, whyOf } from './exit.js';

const STANDARD_OUTPUT = /^\/(dev\/stdout|dev\/fd\/1|proc\/self\/fd\/1)$/;

/** Whether a name means standard output. */
export function isStandardOutput(name) {
  return name === '-' || STANDARD_OUTPUT.test(name);
}

/** Standard output cannot be written to, so all later output fails too. */
export class OutputError extends FileError {
  constructor(error) {
    super(`cannot write standard output: ${whyOf(error)}`);
  }
}

/** Where results are written: a stream that either accepts every byte or throws an error that says why. */
export class Output {
  #stream;
  #isFile;

  /** @param {import('node:stream').Writable & { fd?: number, isTTY?: boolean, columns?: number }} stream */
  constructor(stream) {
    this.#stream = stream;
    this.#isFile = isFile(stream);
  }

  get isTTY() {
    return this.#stream.isTTY === true;
  }

  get columns() {
    return this.#stream.columns;
  }

  /** @param {string | Uint8Array} content */
  write(content) {
    if (this.#isFile) this.#writeAll(typeof content === 'string' ? Buffer.from(content) : content);
    else this.#stream.write(content);
  }

  /** Writes to a file directly: if the disk is full, the system accepts part of the bytes, and Node's stream does not
   * report it. */
  #writeAll(bytes) {
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#stream.fd, bytes, at, bytes.length - at);
    } catch (error) {
      throw new OutputError(error);
    }
  }
}

/** Whether a stream writes to a file or a device such as /dev/full; streams of pipes, sockets and terminals wait by
 * themselves. */
function isFile({ fd, isTTY }) {
  if (fd === undefined || isTTY) return false;
  const found = fstatSync(fd);
  return found.isFile() || found.isCharacterDevice();
}
