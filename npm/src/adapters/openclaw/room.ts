import type { Assembly, Compaction } from './host.js';
import type { Limits } from './record-file.js';

/** The share of the room that an overflow takes away at least, and that all overflows take away at most. */
const STEP = 0.1;
const MOST = 0.8;

/** How many tokens the messages of a session may have. */
export class Room {
  #limits: Limits | undefined;
  /** The tokens of the running turn, which OpenClaw sends behind what it gets, and the most of the turn before. */
  #pending = 0;
  #most = 0;

  constructor(limits: Limits | undefined) {
    this.#limits = limits;
  }

  get limits(): Limits | undefined {
    return this.#limits;
  }

  /** The limits of the model, as a compactor takes them. */
  get model(): { context: number; name: string } | undefined {
    return this.#limits && { context: Math.max(this.#limits.window, this.#limits.budget), name: this.#limits.model };
  }

  /**
   * Learns from what OpenClaw says before a request. At the beginning of a turn, its budget is for the messages alone. In the turn, it is
   * the whole window less what is pending, which leaves no room for the system prompt and the tools. Returns whether a turn begins.
   */
  begins({ tokenBudget: budget, model, runtimeSettings }: Assembly): boolean {
    if (budget === undefined) return true;
    const { model: used, limits } = runtimeSettings ?? {};
    const name = [used?.provider, used?.resolved ?? model].filter(Boolean).join('/');
    const whole = limits?.promptTokenBudget ?? budget;
    const known = this.#limits?.model === name ? this.#limits : undefined;
    const isFirst = whole === budget;
    if (isFirst || known === undefined) {
      this.#most = Math.max(this.#pending, Math.floor(this.#most / 2));
      this.#pending = 0;
      this.#limits = { model: name, window: known?.window ?? whole, budget, missing: known?.missing ?? 0 };
    } else {
      this.#pending = whole - budget;
      this.#limits = { ...known, window: whole };
    }
    return isFirst;
  }

  /** What the messages may have now; `undefined` if OpenClaw has said nothing. */
  get now(): number | undefined {
    return this.#limits && Math.max(1, this.#limits.budget - this.#limits.missing - this.#pending);
  }

  /** What they may have so that a turn as large as the last ones fits behind them. */
  get ahead(): number {
    const { budget = 0, missing = 0 } = this.#limits ?? {};
    const whole = Math.max(1, budget - missing);
    return Math.max(Math.floor(whole / 2), whole - Math.max(this.#pending, this.#most));
  }

  /** Learns from a request that was refused as too large: what OpenClaw says is more than what fits. Returns whether less was possible. */
  refused({ tokenBudget = 0, currentTokenCount = 0 }: Pick<Compaction, 'tokenBudget' | 'currentTokenCount'>): boolean {
    if (this.#limits === undefined) return false;
    const { budget, missing } = this.#limits;
    const excess = Math.max(currentTokenCount - tokenBudget, Math.ceil(STEP * budget));
    const more = Math.min(missing + excess, Math.floor(MOST * budget));
    this.#limits = { ...this.#limits, missing: more };
    return more > missing;
  }
}
