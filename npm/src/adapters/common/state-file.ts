import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The file in which a host keeps what `S` says of a session. It is written whole, or not at all. */
export class StateFile<S extends object> {
  readonly #path: string;

  /**
   * @param folder where the host keeps its state
   * @param key the name of the session
   */
  constructor(folder: string, key: string) {
    // A key may be longer than the name of a file.
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    this.#path = join(folder, 'ebbline', `${name}.json`);
  }

  /** What is stored; `undefined` if there is nothing that can be read. */
  async read(): Promise<S | undefined> {
    try {
      return JSON.parse(await readFile(this.#path, 'utf8')) ?? undefined;
    } catch {
      return undefined;
    }
  }

  async write(state: S): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true });
    const written = `${this.#path}.${randomUUID()}`;
    try {
      await writeFile(written, JSON.stringify(state), { mode: 0o600 });
      await rename(written, this.#path);
    } catch (error) {
      await rm(written, { force: true });
      throw error;
    }
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
