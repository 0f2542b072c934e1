import type {
  ContextEvent,
  CustomEntry,
  ExtensionAPI,
  ExtensionContext,
  ExtensionFactory,
  RegisteredCommand,
  SessionEntry,
  SessionManager,
} from '@earendil-works/pi-coding-agent';

import type { Compactor, CompactorRecord } from '../compactor-interface.js';
import type { CompactorOptions } from '../compactor-options.js';
import { hasCode } from './common/refusal.js';
import { COMMAND, WORDS, answerTo } from './common/session-command.js';
import { checkedMaker } from './common/sessions.js';
import { OpenSession } from './pi/open-session.js';

export { resumeCompactor } from './common/resume.js';

/** What pi gives for the compactor of a session. */
export interface PiSessionOptions extends CompactorOptions {
  format: 'pi';
  /** Asks the model of the session. */
  summarize: NonNullable<CompactorOptions['summarize']>;
  /** Tells the user about compactions, and notes that the record must be stored. Call it in an `onEvent` of your own. */
  onEvent: NonNullable<CompactorOptions['onEvent']>;
  /** The limits of the model, if pi knows them. */
  model?: { context: number; output?: number; name?: string };
  /** What was decided when the session was open before. */
  record?: NonNullable<CompactorOptions['record']>;
}

/**
 * An extension that keeps pi's session inside the context window. The session file stays whole; only what is sent to the model is made
 * smaller. It adds the command `/ebbline` (status, compact, undo, redo).
 *
 * @param compactorFor makes the compactor of a session from the options that pi gives. Other options can be set beside them.
 * @throws `EbblineError` `invalid_option` if it is no function. pi reports an error of the extension if it returns no compactor.
 *
 * @example
 * ```js
 * export default ebblineExtension((options) => createCompactor(options));
 * ```
 */
export function ebblineExtension(compactorFor: (options: PiSessionOptions) => Compactor): ExtensionFactory {
  const make = checkedMaker(compactorFor, 'ebblineExtension((options) => createCompactor(options))');
  return (pi) => {
    const extension = new Extension(pi, make);
    pi.on('context', (event, ctx) => extension.context(event, ctx));
    pi.on('message_end', (event, ctx) => extension.known(ctx)?.answered(event));
    pi.on('agent_end', (_event, ctx) => extension.known(ctx)?.store());
    pi.on('session_before_compact', async (event, ctx) => (await extension.opened(ctx))?.beforeCompaction(event));
    pi.on('session_shutdown', () => extension.close());
    pi.registerCommand('ebbline', commandOf(extension));
  };
}

class Extension {
  #pi: ExtensionAPI;
  #compactorFor: (options: PiSessionOptions) => Compactor;
  #session: OpenSession | undefined;

  constructor(pi: ExtensionAPI, compactorFor: (options: PiSessionOptions) => Compactor) {
    this.#pi = pi;
    this.#compactorFor = compactorFor;
  }

  /** What is sent instead of the messages of the session. */
  async context({ messages }: ContextEvent, ctx: ExtensionContext): Promise<Pick<ContextEvent, 'messages'> | undefined> {
    const session = this.known(ctx) ?? this.#open(ctx, recordIn(ctx));
    try {
      return { messages: await session.prepare(messages) };
    } catch (error) {
      // The run ends anyway; pi would report the reason of the abort as an error of this extension.
      if (ctx.signal?.aborted) return undefined;
      if (!hasCode(error, 'mismatch')) throw error;
      // The record belongs to another branch of the session.
      return { messages: await this.#open(ctx, undefined).prepare(messages) };
    }
  }

  /** The session that is open; `undefined` before its first request. */
  known(ctx: ExtensionContext): OpenSession | undefined {
    const session = this.#session;
    if (session?.id !== ctx.sessionManager.getSessionId()) return undefined;
    session.ctx = ctx;
    return session;
  }

  /** The same, in a process that has sent nothing of it as well: pi may compact a resumed session before its first request. */
  async opened(ctx: ExtensionContext): Promise<OpenSession | undefined> {
    // Without a model, nobody knows what is to be decided for.
    if (this.known(ctx) === undefined && ctx.model !== undefined) {
      // The manager is whole; its type is that of what extensions need mostly.
      const manager = ctx.sessionManager as Partial<Pick<SessionManager, 'buildSessionContext'>>;
      const known = manager.buildSessionContext?.().messages ?? [];
      // Newer versions of pi store the system prompt as well, and leave it out before a request.
      const messages = known.filter(({ role }) => (role as string) !== 'system');
      // If it cannot be made small enough, pi compacts.
      if (messages.length > 0) await this.context({ type: 'context', messages }, ctx).catch(() => undefined);
    }
    return this.known(ctx);
  }

  close(): void {
    this.#session?.close();
    this.#session = undefined;
  }

  #open(ctx: ExtensionContext, record: CompactorRecord | undefined): OpenSession {
    this.close();
    const session = new OpenSession(this.#pi, this.#compactorFor, ctx, record);
    this.#session = session;
    return session;
  }
}

/** The command `/ebbline`. */
function commandOf(sessions: Extension): Omit<RegisteredCommand, 'name' | 'sourceInfo'> {
  return {
    description: COMMAND,
    getArgumentCompletions: (prefix) => WORDS.filter((word) => word.startsWith(prefix)).map((word) => ({ value: word, label: word })),
    handler: async (args, ctx) => {
      const session = await sessions.opened(ctx);
      if (session === undefined) return ctx.ui.notify('ebbline: nothing was sent yet', 'info');
      const answer = await answerTo(args, session, () => ctx.waitForIdle());
      const [word = 'status'] = args.trim().split(/\s+/).filter(Boolean);
      ctx.ui.notify(`ebbline: ${answer}`, WORDS.includes(word) ? 'info' : 'warning');
      return undefined;
    },
  };
}

/** The newest record on the branch of the session that is open. */
function recordIn(ctx: ExtensionContext): CompactorRecord | undefined {
  return ctx.sessionManager.getBranch().findLast(isRecord)?.data;
}

function isRecord(entry: SessionEntry): entry is CustomEntry<CompactorRecord> {
  return entry.type === 'custom' && entry.customType === OpenSession.RECORD;
}
