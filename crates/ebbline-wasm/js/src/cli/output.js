import { fstatSync, writeSync } from 'node:fs';

import { FileError, whyOf } from './exit.js';

const STANDARD_OUTPUT = /^\/(dev\/stdout|dev\/fd\/1|proc\/self\/fd\/1)$/;

/** Whether a name means standard output. */
export function isStandardOutput(name) {
  return name === '-' || STANDARD_OUTPUT.test(name);
}

/** Standard output cannot be written to: whatever comes next cannot, either. */
export class OutputError extends FileError {
  constructor(error) {
    super(`cannot write standard output: ${whyOf(error)}`);
  }
}

/** Where results go: a stream, of which every byte is written or an error says why not. */
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

  /** Into a file: where the disk is full, the system takes a part of what it is given, and Node's own stream is content with that. */
  #writeAll(bytes) {
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#stream.fd, bytes, at, bytes.length - at);
    } catch (error) {
      throw new OutputError(error);
    }
  }
}

/** Whether a stream writes into a file or a device such as /dev/full; pipes, sockets and terminals have streams that wait. */
function isFile({ fd, isTTY }) {
  if (fd === undefined || isTTY) return false;
  const found = fstatSync(fd);
  return found.isFile() || found.isCharacterDevice();
}
