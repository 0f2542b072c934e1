// Standard output and standard error.

import { fstatSync, writeSync } from 'node:fs';

/** Where results are written: a stream that either accepts every byte or throws an error that says why. */
export class Output {
  #stream;
  #isFile;
  #isClosed = false;

  constructor(stream: import('node:stream').Writable & { fd?: number; isTTY?: boolean }) {
    this.#stream = stream;
    this.#isFile = isFile(stream);
    // Every write hears of its own error.
    stream.on('error', () => {});
  }

  /** Whether somebody still reads it: a reader that closes the pipe, as in `ebbline plan … | head`, has seen enough. */
  async write(bytes) {
    if (this.#isClosed) return false;
    try {
      if (this.#isFile) this.#writeAll(bytes);
      else await this.#pass(bytes);
    } catch (error) {
      if (!isOver(error)) throw error;
      this.#isClosed = true;
    }
    return !this.#isClosed;
  }

  #pass(bytes) {
    return new Promise((resolve, reject) => {
      this.#stream.write(bytes, (error) => (error ? reject(error) : resolve(undefined)));
    });
  }

  /** Writes to a file directly: if the disk is full, the system accepts part of the bytes, and Node's stream does not
   * report it. */
  #writeAll(bytes) {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#stream.fd, bytes, at, bytes.length - at);
  }
}

function isOver(error) {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
}

/** Whether a stream writes to a file or a device such as /dev/full; streams of pipes, sockets and terminals wait by
 * themselves. */
function isFile({ fd, isTTY }: { fd?: number; isTTY?: boolean }) {
  if (fd === undefined || isTTY) return false;
  const found = fstatSync(fd);
  return found.isFile() || found.isCharacterDevice();
}
