// Standard output and standard error.

import { fstatSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** A stream of this process. */
export type OutputStream = Writable & { fd?: number; isTTY?: boolean };

/** Where results are written: a stream that either accepts every byte or throws an error that says why. */
export class Output {
  #stream: OutputStream;
  /** the descriptor of a stream that writes to a file */
  #file: number | undefined;
  #isClosed = false;

  constructor(stream: OutputStream) {
    this.#stream = stream;
    this.#file = fileOf(stream);
    // Every write hears of its own error.
    stream.on('error', () => {});
  }

  /** Whether somebody still reads it: a reader that closes the pipe, as in `ebbline plan … | head`, has seen enough. */
  async write(bytes: Uint8Array): Promise<boolean> {
    if (this.#isClosed) return false;
    try {
      if (this.#file !== undefined) writeAll(this.#file, bytes);
      else await this.#pass(bytes);
    } catch (error) {
      if (!isOver(error)) throw error;
      this.#isClosed = true;
    }
    return !this.#isClosed;
  }

  #pass(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** Writes to a file directly: if the disk is full, the system accepts part of the bytes, and Node's stream does not report it. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
}

function isOver(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}

/**
 * The descriptor of a stream that writes to a file or a device such as /dev/full; streams of pipes, sockets and terminals wait by
 * themselves.
 */
function fileOf({ fd, isTTY }: OutputStream): number | undefined {
  if (fd === undefined || isTTY) return undefined;
  const found = fstatSync(fd);
  return found.isFile() || found.isCharacterDevice() ? fd : undefined;
}
