import { checkedMaker } from './common/sessions.js';
import { commandOf } from './pi/command.js';
import { OpenSession } from './pi/open-session.js';

export { resumeCompactor } from './common/resume.js';

/**
 * An extension that keeps pi's session inside the context window.
 *
 * @param compactorFor makes the compactor of a session from the options that pi gives
 */
export function ebblineExtension(compactorFor: (options: any) => any) {
  const make = checkedMaker(compactorFor, 'ebblineExtension((options) => createCompactor(options))');
  return (pi) => {
    const extension = new Extension(pi, make);
    pi.on('context', (event, ctx) => extension.context(event, ctx));
    pi.on('message_end', (event, ctx) => extension.known(ctx)?.answered(event));
    pi.on('agent_end', (_event, ctx) => extension.known(ctx)?.store());
    pi.on('session_before_compact', (event, ctx) => extension.known(ctx)?.beforeCompaction(event));
    pi.on('session_shutdown', () => extension.close());
    pi.registerCommand('ebbline', commandOf(extension));
  };
}

class Extension {
  #pi;
  #compactorFor;
  #session: OpenSession | undefined;

  constructor(pi, compactorFor) {
    this.#pi = pi;
    this.#compactorFor = compactorFor;
  }

  /** What is sent instead of the messages of the session. */
  async context({ messages }, ctx) {
    const session = this.known(ctx) ?? this.#open(ctx);
    try {
      return { messages: await session.prepare(messages) };
    } catch (error) {
      // The run ends anyway; pi would report the reason of the abort as an error of this extension.
      if (ctx.signal?.aborted) return undefined;
      if ((error as any)?.code !== 'mismatch') throw error;
      // The record belongs to another branch of the session.
      return { messages: await this.#open(ctx, undefined).prepare(messages) };
    }
  }

  /** The session that is open; `undefined` before its first request. */
  known(ctx) {
    const session = this.#session;
    if (session?.id !== ctx.sessionManager.getSessionId()) return undefined;
    session.ctx = ctx;
    return session;
  }

  close() {
    this.#session?.close();
    this.#session = undefined;
  }

  #open(ctx, record = recordIn(ctx)) {
    this.close();
    this.#session = new OpenSession(this.#pi, this.#compactorFor, ctx, record);
    return this.#session;
  }
}

/** The newest record on the branch of the session that is open. */
function recordIn(ctx) {
  const isRecord = ({ type, customType }) => type === 'custom' && customType === OpenSession.RECORD;
  return ctx.sessionManager.getBranch().findLast(isRecord)?.data;
}
