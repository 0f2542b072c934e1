import { Sessions, checkedMaker } from './common/sessions.js';
import { limitsBy } from './opencode/limits.js';
import { sentOf } from './opencode/sent.js';

export { resumeCompactor } from './common/resume.js';

/**
 * A plugin that keeps OpenCode's sessions inside the context window.
 *
 * @param compactorFor makes the compactor of a session from the options that OpenCode gives
 */
export function ebblinePlugin(compactorFor: (options: any, session: any) => any, { limit }: { limit?: number } = {}) {
  const make = checkedMaker(compactorFor, 'ebblinePlugin((options) => createCompactor(options))');
  const sessions = new Sessions(({ options, session }) => make(options, session), limit);
  const plugin = async (input) => new Hooks(sessions, input).all();
  return Object.assign(plugin, {
    compactor: (sessionID) => sessions.compactor(sessionID),
    forget: (sessionID) => sessions.forget(sessionID),
  });
}

class Hooks {
  #sessions;
  #input;
  #limitsOf;
  /** Sessions for which OpenCode itself asks for a summary next. */
  #summarized = new Set();
  /** What the provider answered last, by session, if it was an error. */
  #refusals = new Map();

  constructor(sessions, input) {
    this.#sessions = sessions;
    this.#input = input;
    this.#limitsOf = limitsBy(input.client);
  }

  all() {
    return {
      'experimental.chat.messages.transform': (_input, output) => this.#transform(output),
      'experimental.session.compacting': async ({ sessionID }) => void this.#summarized.add(sessionID),
      event: async ({ event }) => this.#heard(event),
      dispose: async () => this.#sessions.clear(),
    };
  }

  /** OpenCode goes on with the very array that it gives, so the array is changed. */
  async #transform({ messages }) {
    const sessionID = messages.map(({ info }) => info?.sessionID).find((id) => typeof id === 'string');
    if (sessionID === undefined) return;
    // The messages for a summary of OpenCode's own are the beginning of the session, not a session that was taken back.
    if (this.#summarized.delete(sessionID)) return;
    const history = [...messages];
    const view = await this.#viewOf(sessionID, history);
    // Plugins behind this one may change what they get.
    messages.splice(0, messages.length, ...sentOf(view, history).map(copyOf));
  }

  async #viewOf(sessionID, history) {
    const { session, model } = await this.#sessionOf(sessionID, history);
    const { compactor } = session;
    const refusal = this.#refusals.get(sessionID);
    this.#refusals.delete(sessionID);
    const recovered = refusal && (await compactor.recover(refusal, history).catch(() => undefined));
    return recovered ?? compactor.prepare(history, model && { model });
  }

  /** The session, and the limits of its model if they are other ones than before. */
  async #sessionOf(sessionID, history) {
    const limits = await this.#limitsOf(modelOf(history));
    const options = { format: 'opencode', ...(limits !== undefined && { model: limits }) };
    const { client, directory } = this.#input;
    const session = this.#sessions.of(sessionID, { options, session: { sessionID, client, directory } }) as any;
    const known = (session.limits ??= JSON.stringify(limits));
    if (limits === undefined || known === JSON.stringify(limits)) return { session };
    session.limits = JSON.stringify(limits);
    return { session, model: limits };
  }

  #heard({ type, properties }) {
    if (type === 'session.deleted') this.#sessions.forget(properties.info.id);
    const words = type === 'session.error' ? properties.error?.data?.message : undefined;
    if (typeof words === 'string' && properties.sessionID !== undefined) this.#refusals.set(properties.sessionID, new Error(words));
  }
}

/** The model that the newest message of the user names. */
function modelOf(history) {
  return history.findLast(({ info }) => info?.role === 'user' && info.model !== undefined)?.info.model;
}

function copyOf(message) {
  return { ...message, parts: [...message.parts] };
}
