import type { CompactorRecord } from '../../compactor-interface.js';
import { StateFile } from '../common/state-file.js';
import type { Marked } from './log.js';

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
  /** Those that were given otherwise than OpenClaw stores them. */
  given?: Marked | undefined;
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

/** The file of a session. */
export class RecordFile extends StateFile<Stored> {
  readonly #sessionKey: string;

  /** @param folder where OpenClaw keeps its state */
  constructor(folder: string, sessionKey: string) {
    super(folder, sessionKey);
    this.#sessionKey = sessionKey;
  }

  override async read(): Promise<Stored | undefined> {
    const stored = await super.read();
    return Array.isArray(stored?.turns) ? stored : undefined;
  }

  override async write({ turns, ...rest }: Stored): Promise<void> {
    const stored = { sessionKey: this.#sessionKey, ...rest, turns: turns.slice(-TURNS) };
    await super.write(stored);
  }
}
