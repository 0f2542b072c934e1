import type { CompactorOptions } from '../../compactor-options.js';
import type { Compactor } from '../../compactor-interface.js';
import type { Caller, ContextEngine, PluginApi, Status } from './host.js';
import { type Opening, OpenSession } from './open-session.js';
import { RecordFile } from './record-file.js';
import type { Settings } from './settings.js';

/** How many sessions are kept open. Others are in their files. */
const LIMIT = 100;

/** OpenClaw loads a plugin several times in a process; what is open is open once. */
const SHARED = Symbol.for('ebbline.openclaw');

interface Shared {
  open: Map<string, Promise<OpenSession>>;
  /** How full the sessions are. */
  shown: Map<string, Status>;
}

const NOTHING = { changed: false, bytesFreed: 0, rewrittenEntries: 0 };

/** The sessions of OpenClaw. */
export class Engine {
  readonly #api: PluginApi;
  readonly #settings: Settings;
  readonly #compactorFor: (options: CompactorOptions) => Compactor;
  readonly #open: Shared['open'];
  readonly #shown: Shared['shown'];

  constructor(api: PluginApi, settings: Settings, compactorFor: (options: CompactorOptions) => Compactor) {
    this.#api = api;
    this.#settings = settings;
    this.#compactorFor = compactorFor;
    const process = globalThis as { [SHARED]?: Shared };
    const { open, shown } = (process[SHARED] ??= { open: new Map(), shown: new Map() });
    [this.#open, this.#shown] = [open, shown];
  }

  /** What OpenClaw calls. */
  readonly contextEngine: ContextEngine = {
    info: {
      id: 'ebbline',
      name: 'ebbline',
      ownsCompaction: true,
      turnMaintenanceMode: 'background',
      acceptedHostParams: ['sessionKey', 'runtimeSettings', 'sessionTarget', 'runtimeContext', 'abortSignal'],
      transcriptSemantics: {
        currentTurnFence: 'before-current-turn-entry-v1',
        turnAdvancementIdempotency: 'atomic-idempotent-v1',
      },
      hostRequirements: {
        'agent-run': {
          requiredCapabilities: ['assemble-before-prompt'],
          unsupportedMessage: 'Use the embedded runtime of OpenClaw, or select the context engine "legacy".',
        },
      },
    },
    // The transcript of OpenClaw stays whole, and is read again when it is needed.
    ingest: async () => ({ ingested: false }),
    assemble: async (params) => {
      try {
        return await (await this.session(params)).assemble(params);
      } catch (error) {
        // OpenClaw sends everything if this throws, and does without the engine from then on.
        this.#api.logger.warn(`ebbline: ${(error as Error).message}`);
        return { messages: params.messages, estimatedTokens: 0 };
      }
    },
    // What these two throw would end the engine, too. The session goes on as it is.
    compact: async (params) => {
      try {
        return await (await this.session(params)).compactFor(params);
      } catch (error) {
        params.abortSignal?.throwIfAborted();
        return { ok: false, compacted: false, reason: (error as Error).message };
      }
    },
    maintain: async (params) => {
      try {
        await (await this.session(params)).maintain(params);
      } catch (error) {
        params.abortSignal?.throwIfAborted();
        this.#api.logger.warn(`ebbline: ${(error as Error).message}`);
      }
      return NOTHING;
    },
    commitTurn: async (params) => ({ status: await (await this.session(params)).commit(params) }),
    prepareSubagentSpawn: async ({ parentSessionKey, childSessionKey, contextMode }) => {
      const stored = contextMode === 'fork' ? await this.#file(parentSessionKey).read() : undefined;
      if (stored === undefined) return undefined;
      // The child begins with the messages of its parent, and so with what was decided about them.
      await this.#tried(this.#file(childSessionKey).write({ ...stored, sessionId: null, turns: [] }));
      return { rollback: () => this.#tried(this.forget(childSessionKey)) };
    },
    // Another run may follow in the same session. Its file goes when the session is deleted.
    onSubagentEnded: ({ childSessionKey, reason }) =>
      this.#tried(reason === 'deleted' ? this.forget(childSessionKey) : this.#close(childSessionKey)),
  };

  /** Does what a session can go on without. If it failed, OpenClaw would end the engine for all sessions. */
  async #tried(work: Promise<void>): Promise<void> {
    await work.catch((error: Error) => this.#api.logger.warn(`ebbline: ${error.message}`));
  }

  /** The session of a call, open. */
  session({ sessionId = '', sessionKey = sessionId }: Pick<Caller, 'sessionId' | 'sessionKey'>): Promise<OpenSession> {
    const before = this.#open.get(sessionKey);
    const opened = this.#opened(sessionKey, sessionId, before);
    // One that could not be opened is opened by the next call.
    opened.catch(() => this.#open.get(sessionKey) === opened && this.#open.delete(sessionKey));
    this.#open.delete(sessionKey);
    this.#open.set(sessionKey, opened);
    const [oldest] = this.#open.keys();
    if (this.#open.size > LIMIT && oldest !== undefined) void this.#close(oldest);
    return opened;
  }

  async #opened(sessionKey: string, sessionId: string, before: Promise<OpenSession> | undefined): Promise<OpenSession> {
    const settings = JSON.stringify(this.#settings);
    const known = await before?.catch(() => undefined);
    if (known?.sessionId === sessionId && known.settings === settings) return known;
    known?.close();
    const log = (message: string) => this.#api.logger.info(message);
    const show = (status: Status) => this.#shown.set(sessionKey, status);
    const make: Opening['make'] = (options) =>
      this.#compactorFor({ ...this.#settings, ...options, format: 'pi', summarize: 'later', warn: false });
    return OpenSession.open({ sessionKey, sessionId, file: this.#file(sessionKey), make, settings, log, show });
  }

  /** How full the session is that was open last under a key; `undefined` if none was. */
  status(sessionKey: string): Status | undefined {
    return this.#shown.get(sessionKey);
  }

  #file(sessionKey: string): RecordFile {
    return new RecordFile(this.#api.runtime.state.resolveStateDir(), sessionKey);
  }

  async #close(sessionKey: string): Promise<void> {
    const open = this.#open.get(sessionKey);
    this.#open.delete(sessionKey);
    this.#shown.delete(sessionKey);
    (await open?.catch(() => undefined))?.close();
  }

  /** A session is gone. */
  async forget(sessionKey: string): Promise<void> {
    await this.#close(sessionKey);
    await this.#file(sessionKey).remove();
  }
}
