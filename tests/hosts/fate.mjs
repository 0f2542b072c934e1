// Where an agent is cancelled or killed, drawn at random.
import { Killed } from './agent-loop.mjs';

/** When a call ends early: before it, directly behind it, or a little later. */
const WHEN = ['before', 'at once', 'soon'];
/** How much more often than elsewhere something happens at places that are seldom reached, and how much less where events stream. */
const WEIGHTS = {
  'in the middle of an answer': 0.1,
  refused: 20,
  summarize: 4,
  recover: 10,
  'recover is done': 20,
  compactNow: 5,
  'compactNow is done': 20,
  put: 0.15,
  'hooks.before': 2,
  'hooks.after': 4,
  'hooks.failed': 8,
};

export class Fate {
  #random;
  #killed;
  #cancelled;
  /** How often the agent was killed or cancelled at each place. */
  seen = {};

  /**
   * @param {ReturnType<import('./server/random.mjs').randomOf>} random
   * @param {{ killed: number, cancelled: number, isBackground: boolean }} chances
   */
  constructor(random, { killed, cancelled, isBackground }) {
    this.#random = random;
    this.#killed = killed;
    this.#cancelled = cancelled;
    this.isBackground = isBackground;
  }

  get shuffled() {
    return this.#random.shuffled;
  }

  /** The process may end here. */
  point(name) {
    if (!this.#random.chance(this.#killed * (WEIGHTS[name] ?? 1))) return;
    this.count(`killed: ${name}`);
    throw new Killed(name);
  }

  /** How a call of the compactor ends early, or what it waits for; `undefined` if it does not. */
  endOf(name, moments = WHEN) {
    const { chance, pick } = this.#random;
    const often = WEIGHTS[name] ?? 1;
    const isKill = chance(this.#killed * 3 * often);
    if (!isKill && !chance(Math.min(0.5, this.#cancelled * often))) return undefined;
    return { isKill, when: pick(moments) };
  }

  count(name) {
    this.seen[name] = (this.seen[name] ?? 0) + 1;
  }
}
