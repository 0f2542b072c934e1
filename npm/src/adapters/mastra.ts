import { Sessions, checkedMaker, learn } from './common/sessions.js';

export { resumeCompactor } from './common/resume.js';

/** The keys under which Mastra tells processors the thread of a run. */
const MEMORY = 'MastraMemory';
const THREAD = 'mastra__threadId';
const RESOURCE = 'mastra__resourceId';

/**
 * A processor that keeps the threads of a Mastra agent inside the context window. It belongs into `inputProcessors`, and into
 * `errorProcessors` as well so that a request that was refused as too large is sent again, smaller.
 *
 * @param compactorFor makes the compactor of a thread
 */
export function ebblineProcessor(
  compactorFor: (about: { threadId?: string; resourceId?: string }) => any,
  { limit }: { limit?: number } = {},
) {
  return new EbblineProcessor(new Sessions(checkedMaker(compactorFor, 'ebblineProcessor(() => createCompactor(options))'), limit));
}

class EbblineProcessor {
  id = 'ebbline';
  name = 'ebbline';
  #sessions;
  /** sessions of runs without a thread, by the state of the run */
  #runs: WeakMap<object, import('./common/sessions.js').Session> = new WeakMap();

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** The compactor of a thread that had a run before. */
  compactor(threadId) {
    return this.#sessions.compactor(threadId);
  }

  /** Forgets a thread. */
  forget(threadId) {
    return this.#sessions.forget(threadId);
  }

  async processLLMRequest({ prompt, requestContext, state, abortSignal: signal }) {
    const session = this.#sessionOf(requestContext, state);
    const { system, history } = parted(prompt);
    session.history = history;
    const view = await session.compactor.prepare(history, { signal });
    return view === history ? undefined : { prompt: [...system, ...view] };
  }

  processLLMResponse({ chunks, requestContext, state, fromCache }) {
    if (fromCache) return;
    const finish = chunks.findLast(({ type }) => type === 'finish');
    learn(this.#sessionOf(requestContext, state).compactor, finish?.payload?.output?.usage?.inputTokens);
  }

  /** Makes the context smaller after an overflow. Mastra then asks `processLLMRequest` again, which gives what was decided here. */
  async processAPIError({ error, requestContext, state, abortSignal: signal }) {
    const { compactor, history } = this.#sessionOf(requestContext, state);
    if (history === undefined) return undefined;
    try {
      await compactor.recover(error, history, { signal });
      return { retry: true };
    } catch (thrown) {
      if (thrown === error) return undefined;
      throw thrown;
    }
  }

  #sessionOf(requestContext, state) {
    const memory = requestContext?.get(MEMORY);
    const threadId = memory?.thread?.id ?? requestContext?.get(THREAD);
    const resourceId = memory?.resourceId ?? requestContext?.get(RESOURCE);
    if (typeof threadId === 'string') return this.#sessions.of(threadId, { threadId, resourceId });
    const known = this.#runs.get(state) ?? this.#sessions.make({ resourceId });
    this.#runs.set(state, known);
    return known;
  }
}

/**
 * The system messages in front of a prompt, and the rest. Mastra makes the system messages anew for each request: an instruction with the
 * time, or a changed working memory, must not look like an edit of the whole history.
 */
function parted(prompt) {
  const first = prompt.findIndex(({ role }) => role !== 'system');
  const at = first === -1 ? prompt.length : first;
  return { system: prompt.slice(0, at), history: prompt.slice(at) };
}
