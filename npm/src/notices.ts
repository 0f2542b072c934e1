import { NOTICES } from './generated/names.js';
import type { PolicyOptions } from './policy-options.js';
import { policyOf } from './ready-policy.js';
import { isSameToModel, isSystem } from './equality.js';

/** So many beginnings of other sessions are remembered. */
const MOST_BEGINNINGS = 8;

/** What is most likely a mistake of the caller, said on the console once for each compactor, unless somebody listens to its events. */
export class Notices {
  #isWanted: boolean;
  #said: Set<string> = new Set();
  #beginnings: unknown[] = [];
  #current: unknown;

  constructor(isWanted: boolean) {
    this.#isWanted = isWanted;
  }

  say(kind: keyof typeof NOTICES, figures: Record<string, unknown>) {
    if (!this.#isWanted || this.#said.has(kind)) return;
    this.#said.add(kind);
    globalThis.console?.warn(`ebbline: ${filled(NOTICES[kind], figures)} (\`onEvent\` hears of such things, \`warn: false\` is silent.)`);
  }

  /** A history was taken: whether it shares nothing with the one before, of which so many messages were known. */
  took(log: readonly unknown[], isOther: boolean, known: number) {
    if (!this.#isWanted) return;
    const before = this.#current;
    this.#current = log.find((message) => !isSystem(message));
    if (!isOther) return;
    const comesBack = this.#beginnings.some((beginning) => isSameToModel(beginning, this.#current));
    if (before !== undefined && this.#beginnings.length < MOST_BEGINNINGS) this.#beginnings.push(before);
    this.say(comesBack ? 'two_sessions' : 'replaced', { known });
  }

  /** Looks at the limits of the model. */
  limits({ profile, policy, model, set }: PolicyOptions) {
    if (!this.#isWanted || ['no_model', 'no_window', 'large_output'].some((kind) => this.#said.has(kind))) return;
    const { context, output } = JSON.parse(policyOf({ profile, policy, model, set }).json).model;
    const figures = { window: context, output };
    const members: Record<string, unknown> = policy ?? {};
    const said = [model?.context, policy?.model?.context, members['model.context'], set?.['model.context']];
    const isKnown = said.some((value) => value !== undefined);
    if (!isKnown) this.say('no_model', figures);
    else if (!(context > 0)) this.say('no_window', figures);
    else if (output >= context) this.say('large_output', figures);
  }
}

/** A sentence with its figures. */
function filled(sentence: string, figures: Record<string, unknown>) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => String(figures[name] ?? 'unknown'));
}
