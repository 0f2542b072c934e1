import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { CompactorRecord } from '../../compactor-interface.js';

/** What is stored about one session. */
export interface Stored {
  /** The session that its key stands for; `null` before a sub-agent has begun. */
  sessionId: string | null;
  record?: CompactorRecord | undefined;
  /** The newest turns that were committed, by their keys. */
  turns: string[];
  limits?: Limits | undefined;
  hasPlainIds?: boolean | undefined;
  /** Marks of the messages of the session. */
  messages?: string | undefined;
}

/** What was learnt about the room for messages. */
export interface Limits {
  /** The model that this is known of. */
  model: string;
  /** Its context window, in tokens. */
  window: number;
  /** The tokens that the messages alone may have, as OpenClaw said at the beginning of a turn. */
  budget: number;
  /** How many tokens fewer fit than OpenClaw says, as its provider showed. */
  missing: number;
}

/** How many turns are remembered. OpenClaw repeats only the newest ones. */
const TURNS = 200;

/** The file of a session. It is written whole, or not at all. */
export class RecordFile {
  readonly #path: string;
  readonly #sessionKey: string;

  /** @param folder where OpenClaw keeps its state */
  constructor(folder: string, sessionKey: string) {
    this.#sessionKey = sessionKey;
    // A key may be longer than the name of a file.
    const name = createHash('sha256').update(sessionKey).digest('hex').slice(0, 32);
    this.#path = join(folder, 'ebbline', `${name}.json`);
  }

  /** What is stored; `undefined` if there is nothing that can be read. */
  async read(): Promise<Stored | undefined> {
    try {
      const stored: Stored = JSON.parse(await readFile(this.#path, 'utf8'));
      return Array.isArray(stored.turns) ? stored : undefined;
    } catch {
      return undefined;
    }
  }

  async write({ turns, ...rest }: Stored): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true });
    const written = `${this.#path}.${randomUUID()}`;
    try {
      await writeFile(written, JSON.stringify({ sessionKey: this.#sessionKey, ...rest, turns: turns.slice(-TURNS) }), { mode: 0o600 });
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
