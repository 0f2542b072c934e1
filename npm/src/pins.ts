import { EbblineError } from './errors.js';
import { Glob } from './glob.js';
import { TextRecorder } from './text-recorder.js';

const MEMBERS = { tool: 'string', contains: 'string', path: 'string', message: 'function' };
const WORDS = 'an object with one or more of { tool, contains, path, message }: a glob, a text, a glob, a function of a message';

/**
 * What the caller pinned: parts that stay word for word, whatever happens to the messages around them. A part is pinned if one rule
 * fits it, and a rule fits if all of its members do.
 */
export class Pins {
  #rules;

  constructor(rules: any[]) {
    this.#rules = rules.map(checkedRule);
  }

  /** Notes the pinned parts and the calls with pinned outputs while messages are walked. */
  recorderOf(messages) {
    const rules = this.#rules;
    return class extends PinRecorder {
      rules = rules;
      given = messages;
    };
  }
}

/** A recorder that also notes which parts are pinned. */
class PinRecorder extends TextRecorder {
  rules: any[] = [];
  given: unknown[] = [];
  /** The indices of the pinned parts, and the calls whose outputs they are. */
  pinned = [];
  sealing = new Set();
  #known: Map<unknown, { name: unknown; paths: string[] }> = new Map();
  #isWithin = new Map();

  restart() {
    super.restart();
    this.pinned = [];
    this.sealing = new Set();
    this.#known = new Map();
  }

  text(kind, text) {
    super.text(kind, text);
    if (typeof text === 'string' && this.#fits({ text, paths: [] })) this.#pin();
  }

  call(id, name, args) {
    super.call(id, name, args);
    const text = textOf(args);
    this.#known.set(id, { name, paths: pathsIn(args) });
    if (this.#fits({ name, text, paths: [] }, ({ tool }) => tool === undefined)) this.#pin();
  }

  result(id, name, output, texts, block) {
    const call = super.result(id, name, output, texts, block);
    if (typeof texts !== 'string') this.#output(id, name, [...texts].map(textOf).join('\n'));
    return call;
  }

  resultOf(id, name, output, value, block, quoted) {
    const call = super.resultOf(id, name, output, value, block, quoted);
    this.#output(id, name, textOf(value));
    return call;
  }

  #output(id, given, text) {
    const { name, paths } = this.#known.get(id) ?? { name: given, paths: [] };
    if (!this.#fits({ name: given ?? name, text, paths })) return;
    this.#pin();
    if (typeof id === 'string') this.sealing.add(id);
  }

  #pin() {
    this.pinned.push(this.texts.length - 1);
  }

  #fits({ name = undefined, text, paths }, isMeant = (_) => true) {
    return this.rules.some(
      (rule) =>
        isMeant(rule) &&
        (rule.tool === undefined || (typeof name === 'string' && rule.tool.test(name))) &&
        (rule.contains === undefined || text.includes(rule.contains)) &&
        (rule.path === undefined || paths.some((path) => rule.path.test(path))) &&
        (rule.message === undefined || this.#isOfMessage(rule.message)),
    );
  }

  #isOfMessage(isMeant) {
    const index = this.places?.[this.messages - 1] ?? this.messages - 1;
    const key = this.rules.findIndex(({ message }) => message === isMeant);
    const known = this.#isWithin.get(key);
    if (known?.index === index) return known.answer;
    const answer = isMeant(this.given[index], index) === true;
    this.#isWithin.set(key, { index, answer });
    return answer;
  }
}

function checkedRule(given) {
  // Each member is read once, because a second read might return another value.
  const rule = typeof given === 'object' && given !== null ? { ...given } : {};
  const names = Object.keys(rule);
  const isSound = names.length > 0 && names.every((name) => Object.hasOwn(MEMBERS, name) && typeof rule[name] === MEMBERS[name]);
  if (!isSound || rule.contains === '') throw new EbblineError('invalid_option', `a pin must be ${WORDS}`);
  const { tool, contains, path, message } = rule;
  return {
    tool: tool === undefined ? undefined : new Glob(tool),
    contains,
    path: path === undefined ? undefined : new Glob(path),
    message,
  };
}

function textOf(value) {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The texts among a call's arguments that may be paths. */
function pathsIn(args) {
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
