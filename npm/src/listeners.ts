import type { Compaction, CompactionCause, CompactorEvent } from './compaction.js';
import { CallerError, untilCancelled } from './cancellation.js';
import { checkedForWish } from './compactor-checks.js';
import type { CompactionWish, CompactorHooks, CompactorOptions } from './compactor-options.js';
import { EbblineError } from './errors.js';
import type { Plan } from './generated/plan.js';
import { wordsOf } from './guard.js';
import { Notices } from './notices.js';

/** Whoever hears what happens in a compactor, or has a say in it. */
export class Listeners {
  readonly notices: Notices;
  #onEvent;
  #hooks: CompactorHooks;

  constructor({ onEvent, hooks = {}, warn = true }: Pick<CompactorOptions, 'onEvent' | 'hooks' | 'warn'>) {
    this.#onEvent = onEvent;
    this.#hooks = hooks;
    this.notices = new Notices(warn && onEvent === undefined);
  }

  emit(event: CompactorEvent) {
    if (event.type === 'summary_failed') this.notices.say('summary_failed', { error: wordsOf(event.error) });
    try {
      this.#onEvent?.(event);
    } catch {
      // Whoever listens must not be able to break the agent.
    }
  }

  /** Whether anybody is asked before a compaction. */
  get isAsked() {
    return this.#hooks.before !== undefined;
  }

  /** What the caller's own code says to a compaction: `false` if it must not be made, otherwise its wishes. */
  async allowed(
    compaction: { cause: CompactionCause; step: 'prune' | 'summarize'; plan: Plan },
    signal: AbortSignal | undefined,
  ): Promise<CompactionWish | false> {
    const { before } = this.#hooks;
    try {
      const wish = await untilCancelled(before?.(compaction), signal);
      return wish === false ? false : checkedForWish(wish);
    } catch (error) {
      throw error instanceof CallerError || error instanceof EbblineError ? error : new CallerError(error);
    }
  }

  /** Says that a compaction was made, and waits. A call that is cancelled waits no longer: the compaction was reported and stays. */
  async hearAfter(compaction: Compaction, signal: AbortSignal | undefined) {
    const { after } = this.#hooks;
    if (after === undefined) return;
    try {
      await untilCancelled(after(compaction), signal);
    } catch (error) {
      if (signal?.aborted !== true) throw asCallers(error);
    }
  }

  /** Says that a summary failed, and waits. */
  async hearFailed(failure: { cause: CompactionCause; error: unknown }, signal: AbortSignal | undefined) {
    const { failed } = this.#hooks;
    if (failed === undefined) return;
    try {
      await untilCancelled(failed(failure), signal);
    } catch (error) {
      throw asCallers(error);
    }
  }
}

function asCallers(error: unknown) {
  return error instanceof CallerError ? error : new CallerError(error);
}
