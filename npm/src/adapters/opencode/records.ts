import type { PluginInput } from '@opencode-ai/plugin';

import type { Compactor, CompactorRecord } from '../../compactor-interface.js';
import { StateFile } from '../common/state-file.js';

interface Stored {
  sessionID: string;
  record: CompactorRecord;
}

/** The records of sessions, which another process goes on with. They are stored where OpenCode keeps its state. */
export class Records {
  #client: PluginInput['client'];
  #folder: Promise<string | undefined> | undefined;
  /** Sessions of which something is stored. */
  #stored: Set<string> = new Set();

  constructor(client: PluginInput['client']) {
    this.#client = client;
  }

  async of(sessionID: string): Promise<CompactorRecord | undefined> {
    const stored = await (await this.#file(sessionID))?.read();
    if (stored?.sessionID !== sessionID) return undefined;
    this.#stored.add(sessionID);
    return stored.record;
  }

  /** Stores what was decided; `isChanged`: what is sent is not the history. Without a file, the session goes on in this process alone. */
  async store(sessionID: string, compactor: Compactor, isChanged: boolean): Promise<void> {
    // A compaction that was taken back must be gone in the file, too.
    if (!isChanged && !this.#stored.has(sessionID)) return;
    const file = await this.#file(sessionID);
    if (file === undefined) return;
    try {
      await file.write({ sessionID, record: compactor.record });
      this.#stored.add(sessionID);
    } catch (error) {
      const message = `the record of ${sessionID} was not stored: ${(error as Error).message}`;
      await this.#client.app.log({ body: { service: 'ebbline', level: 'warn', message } }).catch(() => undefined);
    }
  }

  async remove(sessionID: string): Promise<void> {
    this.#stored.delete(sessionID);
    await (await this.#file(sessionID))?.remove().catch(() => undefined);
  }

  async #file(sessionID: string): Promise<StateFile<Stored> | undefined> {
    const folder = await (this.#folder ??= stateFolder(this.#client));
    return folder === undefined ? undefined : new StateFile(folder, sessionID);
  }
}

async function stateFolder(client: PluginInput['client']): Promise<string | undefined> {
  try {
    return (await client.path.get()).data?.state;
  } catch {
    return undefined;
  }
}
