import type { Hooks, PluginInput } from '@opencode-ai/plugin';

import type { Compactor, CompactorRecord } from '../compactor-interface.js';
import type { CompactorOptions } from '../compactor-options.js';
import { hasCode } from './common/refusal.js';
import { undecided } from './common/resume.js';
import { type Session, Sessions, checkedMaker } from './common/sessions.js';
import { type ModelLimits, type NamedModel, limitsBy } from './opencode/limits.js';
import { Records } from './opencode/records.js';
import { type StoredMessage, sentOf } from './opencode/sent.js';

export { resumeCompactor } from './common/resume.js';

/** What OpenCode gives for the compactor of a session. */
export interface OpenCodeOptions extends CompactorOptions {
  format: 'opencode';
  /** The limits of the model, if OpenCode knows them. */
  model?: { context: number; output?: number; name?: string };
  /** What was decided for this session in an earlier process. */
  record?: NonNullable<CompactorOptions['record']>;
}

export interface OpenCodeSession extends Pick<PluginInput, 'client' | 'directory'> {
  sessionID: string;
}

export interface EbblinePluginOptions {
  /** How many sessions are kept; 1,000 by default. Of more, the one that was not used for the longest time is forgotten. */
  limit?: number | undefined;
}

/** The hooks of a plugin of OpenCode that ebbline has. */
type OwnHooks = Required<Pick<Hooks, 'experimental.chat.messages.transform' | 'experimental.session.compacting' | 'event' | 'dispose'>>;

/** A plugin of OpenCode, with what it knows about the sessions. */
export interface EbblinePlugin {
  (input: Pick<PluginInput, 'client' | 'directory'>): Promise<OwnHooks>;
  /** The compactor of a session, for `undo`, `recall`, `record` and the like; `undefined` if nothing was sent for it yet. */
  compactor(sessionID: string): Compactor | undefined;
  /** Forgets a session and releases its memory; its record stays stored. Returns whether there was one. */
  forget(sessionID: string): boolean;
}

/** What the compactor of a session is made with. */
interface About {
  options: OpenCodeOptions;
  session: OpenCodeSession;
}

type Event = Parameters<NonNullable<Hooks['event']>>[0]['event'];

/**
 * A plugin that keeps OpenCode's sessions inside the context window. What OpenCode stores stays whole; only what is sent to the model is
 * made smaller.
 *
 * @param compactorFor makes the compactor of a session from the options that OpenCode gives. Other options can be set beside them. It is
 *   called once for each session, and once more if what was stored of it does not fit its messages.
 * @throws `EbblineError` `invalid_option` if it is no function. A request fails with it if the function returns no compactor, or one
 *   compactor for two sessions.
 *
 * @example
 * ```js
 * export const Ebbline = ebblinePlugin((options) => createCompactor(options));
 * ```
 */
export function ebblinePlugin(
  compactorFor: (options: OpenCodeOptions, session: OpenCodeSession) => Compactor,
  { limit }: EbblinePluginOptions = {},
): EbblinePlugin {
  const make = checkedMaker(compactorFor, 'ebblinePlugin((options) => createCompactor(options))');
  const sessions = new Sessions<About>(({ options, session }) => make(options, session), limit);
  const plugin = async (input: Pick<PluginInput, 'client' | 'directory'>) => new SessionHooks(sessions, input).all();
  return Object.assign(plugin, {
    compactor: (sessionID: string) => sessions.compactor(sessionID),
    forget: (sessionID: string) => sessions.forget(sessionID),
  });
}

class SessionHooks {
  #sessions: Sessions<About>;
  #input: Pick<PluginInput, 'client' | 'directory'>;
  #limitsOf: ReturnType<typeof limitsBy>;
  #records: Records;
  /** Sessions for which OpenCode itself asks for a summary next. */
  #summarized: Set<string> = new Set();
  /** What the provider answered last, by session, if it was an error. */
  #refusals: Map<string, Error> = new Map();

  constructor(sessions: Sessions<About>, input: Pick<PluginInput, 'client' | 'directory'>) {
    this.#sessions = sessions;
    this.#input = input;
    this.#limitsOf = limitsBy(input.client);
    this.#records = new Records(input.client);
  }

  all(): OwnHooks {
    return {
      'experimental.chat.messages.transform': (_input, output) => this.#transform(output),
      'experimental.session.compacting': async ({ sessionID }) => void this.#summarized.add(sessionID),
      event: ({ event }) => this.#heard(event),
      dispose: async () => this.#sessions.clear(),
    };
  }

  /** OpenCode goes on with the very array that it gives, so the array is changed. */
  async #transform({ messages }: { messages: StoredMessage[] }): Promise<void> {
    const sessionID = messages.map(({ info }) => info?.sessionID).find((id) => typeof id === 'string');
    if (sessionID === undefined) return;
    // The messages for a summary of OpenCode's own are the beginning of the session, not a session that was taken back.
    if (this.#summarized.delete(sessionID)) return;
    const history = [...messages];
    const view = await this.#viewOf(sessionID, history).catch((error: unknown) => this.#anew(error, sessionID, history));
    // Plugins behind this one may change what they get.
    messages.splice(0, messages.length, ...sentOf(view, history).map(copyOf));
  }

  async #viewOf(sessionID: string, history: StoredMessage[], known?: CompactorRecord): Promise<StoredMessage[]> {
    const { session, model } = await this.#sessionOf(sessionID, history, known);
    const { compactor } = session;
    const refusal = this.#refusals.get(sessionID);
    const recovered = refusal && (await compactor.recover(refusal, history).catch(() => undefined));
    const view = recovered ?? (await compactor.prepare(history, model && { model }));
    this.#refusals.delete(sessionID);
    const isChanged = view.length !== history.length || view.some((message, at) => message !== history[at]);
    await this.#records.store(sessionID, compactor, isChanged);
    return view;
  }

  /** Begins without what was decided, because the stored record is one of other messages: OpenCode's user took some of them back. */
  async #anew(error: unknown, sessionID: string, history: StoredMessage[]): Promise<StoredMessage[]> {
    if (!hasCode(error, 'mismatch')) throw error;
    const stored = await this.#records.of(sessionID);
    this.#sessions.forget(sessionID);
    await this.#records.remove(sessionID);
    return this.#viewOf(sessionID, history, stored && undecided(stored, error.message));
  }

  /** The session, and the limits of its model if they are other ones than before. */
  async #sessionOf(
    sessionID: string,
    history: StoredMessage[],
    known?: CompactorRecord,
  ): Promise<{ session: Session; model?: ModelLimits }> {
    const limits = await this.#limitsOf(modelOf(history));
    const isOpen = this.#sessions.compactor(sessionID) !== undefined;
    const record = isOpen ? undefined : (known ?? (await this.#records.of(sessionID)));
    const options: OpenCodeOptions = {
      format: 'opencode',
      ...(limits !== undefined && { model: limits }),
      ...(record !== undefined && { record }),
    };
    const { client, directory } = this.#input;
    const session = this.#sessions.of(sessionID, { options, session: { sessionID, client, directory } });
    const knownLimits = (session.limits ??= JSON.stringify(limits));
    if (limits === undefined || knownLimits === JSON.stringify(limits)) return { session };
    session.limits = JSON.stringify(limits);
    return { session, model: limits };
  }

  async #heard({ type, properties }: Event): Promise<void> {
    if (type === 'session.deleted') {
      this.#sessions.forget(properties.info.id);
      await this.#records.remove(properties.info.id);
    }
    const words = type === 'session.error' ? properties.error?.data?.message : undefined;
    if (type !== 'session.error' || typeof words !== 'string' || properties.sessionID === undefined) return;
    this.#refusals.set(properties.sessionID, new Error(words));
  }
}

/** The model that the newest message of the user names. */
function modelOf(history: readonly StoredMessage[]): NamedModel | undefined {
  const newest = history.findLast(({ info }) => info?.role === 'user' && info.model !== undefined)?.info;
  return newest?.role === 'user' ? newest.model : undefined;
}

function copyOf(message: StoredMessage): StoredMessage {
  return { ...message, parts: [...message.parts] };
}
