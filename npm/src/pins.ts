import type { Pin } from './compactor-options.js';
import { Glob } from './glob.js';
import type { RecorderClass } from './live-plan.js';
import { invalid } from './option-checks.js';
import { TextRecorder } from './text-recorder.js';

const MEMBERS = { tool: 'string', contains: 'string', path: 'string', message: 'function' };
const WORDS = 'an object with one or more of { tool, contains, path, message }: a glob, a text, a glob, a function of a message';

/** A pin that was checked. */
interface Rule {
  tool: Glob | undefined;
  contains: string | undefined;
  path: Glob | undefined;
  message: ((message: unknown, index: number) => unknown) | undefined;
}

/** What a part is that may be pinned. */
interface Pinnable {
  name?: unknown;
  text: string;
  paths: string[];
}

/**
 * What the caller pinned: parts that stay word for word, whatever happens to the messages around them. A part is pinned if one rule
 * fits it, and a rule fits if all of its members do.
 */
export class Pins {
  #rules: Rule[];

  constructor(rules: readonly unknown[]) {
    this.#rules = rules.map(checkedRule);
  }

  /** A class of recorders that note the pinned parts and the calls with pinned outputs while these messages are walked. */
  recorderOf(messages: readonly unknown[]): RecorderClass<PinRecorder> {
    const rules = this.#rules;
    return class extends PinRecorder {
      override rules = rules;
      override given = messages;
    };
  }
}

/** A recorder that also notes which parts are pinned. */
export class PinRecorder extends TextRecorder {
  rules: Rule[] = [];
  given: readonly unknown[] = [];
  /** The indices of the pinned parts, and the calls whose outputs they are. */
  pinned: number[] = [];
  sealing = new Set<string>();
  #known = new Map<unknown, { name: unknown; paths: string[] }>();
  #isWithin = new Map<number, { index: number; answer: boolean }>();

  override restart() {
    super.restart();
    this.pinned = [];
    this.sealing = new Set();
    this.#known = new Map();
  }

  override text(kind: number, text: unknown) {
    super.text(kind, text);
    if (typeof text === 'string' && this.#fits({ text, paths: [] })) this.#pin();
  }

  override call(id: unknown, name: unknown, args: unknown) {
    super.call(id, name, args);
    const text = textOf(args);
    this.#known.set(id, { name, paths: pathsIn(args) });
    if (this.#fits({ name, text, paths: [] }, ({ tool }) => tool === undefined)) this.#pin();
  }

  override result(id: unknown, name: unknown, output: number, texts: string | readonly unknown[], block?: number) {
    const call = super.result(id, name, output, texts, block);
    if (typeof texts !== 'string') this.#output(id, name, [...texts].map(textOf).join('\n'));
    return call;
  }

  override resultOf(id: unknown, name: unknown, output: number, value: unknown, block?: number, quoted?: boolean) {
    const call = super.resultOf(id, name, output, value, block, quoted);
    this.#output(id, name, textOf(value));
    return call;
  }

  #output(id: unknown, given: unknown, text: string) {
    const { name, paths } = this.#known.get(id) ?? { name: given, paths: [] };
    if (!this.#fits({ name: given ?? name, text, paths })) return;
    this.#pin();
    if (typeof id === 'string') this.sealing.add(id);
  }

  #pin() {
    this.pinned.push(this.texts.length - 1);
  }

  #fits({ name, text, paths }: Pinnable, isMeant: (rule: Rule) => boolean = () => true) {
    return this.rules.some(
      (rule) =>
        isMeant(rule) &&
        (rule.tool === undefined || (typeof name === 'string' && rule.tool.test(name))) &&
        (rule.contains === undefined || text.includes(rule.contains)) &&
        (rule.path === undefined || paths.some((path) => rule.path?.test(path))) &&
        (rule.message === undefined || this.#isOfMessage(rule.message)),
    );
  }

  #isOfMessage(isMeant: NonNullable<Rule['message']>) {
    const index = this.places?.[this.messages - 1] ?? this.messages - 1;
    const key = this.rules.findIndex(({ message }) => message === isMeant);
    const known = this.#isWithin.get(key);
    if (known?.index === index) return known.answer;
    const answer = isMeant(this.given[index], index) === true;
    this.#isWithin.set(key, { index, answer });
    return answer;
  }
}

function checkedRule(given: unknown): Rule {
  // Each member is read once, because a second read might return another value.
  const rule: Record<string, unknown> = typeof given === 'object' && given !== null ? { ...given } : {};
  const names = Object.keys(rule);
  if (names.length === 0 || !names.every((name) => isMember(name) && typeof rule[name] === MEMBERS[name]) || rule.contains === '') {
    throw invalid(`a pin must be ${WORDS}`);
  }
  const { tool, contains, path, message } = rule as Pin;
  return {
    tool: tool === undefined ? undefined : new Glob(tool),
    contains,
    path: path === undefined ? undefined : new Glob(path),
    message: message as Rule['message'],
  };
}

function isMember(name: string): name is keyof typeof MEMBERS {
  return Object.hasOwn(MEMBERS, name);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The texts among a call's arguments that may be paths. */
function pathsIn(args: unknown): string[] {
  let value = args;
  if (typeof args === 'string') {
    try {
      value = JSON.parse(args);
    } catch {
      return [];
    }
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value)
    .flat()
    .filter((one) => typeof one === 'string');
}
