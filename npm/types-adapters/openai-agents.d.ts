import type { CallModelInputFilter, Model, ModelProvider, Session } from "@openai/agents";

import type { Compactor, CompactorRecord } from "../index.js";

/**
 * A model of the OpenAI Agents SDK, or a provider of models, with a compactor in front of it. The runner keeps the whole history, and
 * the compactor's view is sent. Usage is learnt, and a request that is refused as too large is made smaller and sent once more.
 *
 * The compactor needs the option `format: "openai_agents"`, because messages without calls look like those of the Responses API.
 *
 * @throws `EbblineError` `invalid_option` for anything else than a model or provider and a compactor
 *
 * @example
 * ```js
 * const compactor = createCompactor({ format: "openai_agents", model: { context: 200_000 }, summarize });
 * const agent = new Agent({ name: "Reader", model: compacting(model, compactor), tools });
 * await run(agent, "Find the fault.", { session });
 * ```
 */
export function compacting<T extends Model | ModelProvider>(source: T, compactor: Compactor): T;

/**
 * The options of a run whose input passes the compactor, where the model itself cannot be wrapped. The session that it returns stores
 * the whole history. An input filter sees neither usage nor errors: give the compactor the option `overhead`, and expect that an
 * overflow is thrown by the run.
 *
 * @example
 * ```js
 * await run(agent, "Find the fault.", compactingRun(compactor, { session: new MemorySession() }));
 * ```
 */
export function compactingRun(compactor: Compactor): { callModelInputFilter: CallModelInputFilter };
export function compactingRun(
  compactor: Compactor,
  options: { session: Session },
): { callModelInputFilter: CallModelInputFilter; session: Session };

/**
 * The compactor of a stored session, in a process that makes one anew: it goes on with the `record` of an earlier one. If the history is
 * another one, so that the record does not fit, it starts over, and {@link Compactor.begunAnew} says why.
 */
export function resumeCompactor<C extends Compactor>(
  create: (record: CompactorRecord | undefined) => C | Promise<C>,
  record: CompactorRecord | null | undefined,
  messages: readonly unknown[],
): Promise<C>;
