import type { Processor } from '@mastra/core/processors';

import type { Compactor } from '../compactor-interface.js';
import { type Session, Sessions, checkedMaker, learn } from './common/sessions.js';

export { resumeCompactor } from './common/resume.js';

/** The keys under which Mastra tells processors the thread of a run. */
const MEMORY = 'MastraMemory';
const THREAD = 'mastra__threadId';
const RESOURCE = 'mastra__resourceId';

/** The run that a compactor is made for. */
export interface MastraRun {
  /** The thread; `undefined` for a run without memory. */
  threadId?: string | undefined;
  resourceId?: string | undefined;
}

export interface EbblineProcessorOptions {
  /** How many threads are kept; 1,000 by default. Of more, the one that was not used for the longest time is forgotten. */
  limit?: number | undefined;
}

/** The hooks of a processor of Mastra that ebbline has. */
type Hooks = Required<Pick<Processor<'ebbline'>, 'id' | 'processLLMRequest' | 'processLLMResponse' | 'processAPIError'>>;

export interface EbblineProcessor extends Hooks {
  readonly name: string;
  /** The compactor of a thread, for `undo`, `recall`, `record` and the like; `undefined` if the thread had no run yet. */
  compactor(threadId: string): Compactor | undefined;
  /** Forgets a thread and releases its memory. Returns whether there was one. */
  forget(threadId: string): boolean;
}

type LLMRequest = Parameters<Hooks['processLLMRequest']>[0];
type LLMResponse = Parameters<Hooks['processLLMResponse']>[0];
type APIError = Parameters<Hooks['processAPIError']>[0];
type Prompt = LLMRequest['prompt'];

/** What Mastra says about a run. */
type RequestContext = LLMRequest['requestContext'];

/** The last chunk of an answer. */
interface Finish {
  output?: { usage?: { inputTokens?: number } };
}

/** The memory of a run, as Mastra tells processors of it. */
interface Memory {
  thread?: { id?: string };
  resourceId?: string;
}

/**
 * A processor that keeps the threads of a Mastra agent inside the context window. What Mastra stores stays whole; only what is sent to
 * the model is made smaller.
 *
 * It belongs into `inputProcessors`. It belongs into `errorProcessors` as well: Mastra tells only those about a request that was refused
 * as too large. One processor serves one agent.
 *
 * @param compactorFor makes the compactor of a thread. It is called once for each thread, and once for each run without a thread.
 * @throws `EbblineError` `invalid_option` if it is no function. A run fails with it if the function returns no compactor, or one
 *   compactor for two threads.
 *
 * @example
 * ```js
 * const compacting = ebblineProcessor(() => createCompactor({ model: { context: 200_000 }, summarize }));
 * const agent = new Agent({ ...settings, inputProcessors: [compacting], errorProcessors: [compacting] });
 * ```
 */
export function ebblineProcessor(compactorFor: (run: MastraRun) => Compactor, { limit }: EbblineProcessorOptions = {}): EbblineProcessor {
  return new SessionProcessor(new Sessions(checkedMaker(compactorFor, 'ebblineProcessor(() => createCompactor(options))'), limit));
}

class SessionProcessor implements EbblineProcessor {
  readonly id = 'ebbline';
  readonly name = 'ebbline';
  #sessions: Sessions<MastraRun>;
  /** sessions of runs without a thread, by the state of the run */
  #runs: WeakMap<object, Session> = new WeakMap();

  constructor(sessions: Sessions<MastraRun>) {
    this.#sessions = sessions;
  }

  /** The compactor of a thread that had a run before. */
  compactor(threadId: string): Compactor | undefined {
    return this.#sessions.compactor(threadId);
  }

  /** Forgets a thread. */
  forget(threadId: string): boolean {
    return this.#sessions.forget(threadId);
  }

  async processLLMRequest({ prompt, requestContext, state, abortSignal: signal }: LLMRequest): Promise<{ prompt: Prompt } | undefined> {
    const session = this.#sessionOf(requestContext, state);
    const { system, history } = parted(prompt);
    session.history = history;
    const view = await session.compactor.prepare(history, { signal });
    return view === history ? undefined : { prompt: [...system, ...view] };
  }

  processLLMResponse({ chunks, requestContext, state, fromCache }: LLMResponse): void {
    if (fromCache) return;
    const finish = chunks.findLast(({ type }) => type === 'finish')?.payload as Finish | undefined;
    learn(this.#sessionOf(requestContext, state).compactor, finish?.output?.usage?.inputTokens);
  }

  /** Makes the context smaller after an overflow. Mastra then asks `processLLMRequest` again, which gives what was decided here. */
  async processAPIError({ error, requestContext, state, abortSignal: signal }: APIError): Promise<{ retry: boolean } | undefined> {
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

  #sessionOf(requestContext: RequestContext, state: object): Session {
    const memory = requestContext?.get(MEMORY) as Memory | undefined;
    const threadId = memory?.thread?.id ?? requestContext?.get(THREAD);
    const resourceId = (memory?.resourceId ?? requestContext?.get(RESOURCE)) as string | undefined;
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
function parted(prompt: Prompt): { system: Prompt; history: Prompt } {
  const first = prompt.findIndex(({ role }) => role !== 'system');
  const at = first === -1 ? prompt.length : first;
  return { system: prompt.slice(0, at), history: prompt.slice(at) };
}
