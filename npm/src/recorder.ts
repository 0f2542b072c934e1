import { Calls } from './call-numbers.js';
import {
  BY_PLACE,
  Flag,
  HAS_USAGE,
  Kind,
  MESSAGE,
  MOST_PIECES,
  Output,
  PART_WORDS,
  ROLES,
  Role,
  SIGNED,
  Turn,
} from './generated/records.js';
import { isInjected } from './injection.js';
import { type CountTokens, type Measures, Meter } from './meter.js';
import { ANY, type Tariff, tokensOfFile } from './media.js';
import { PackedWords, wordOf } from './packed-words.js';
import { endsInReference, isCleared, isOwn, referenceTo } from './references.js';
import { SummaryClaims } from './summary-claims.js';
import { hasJson } from './values.js';

export { Flag, HAS_USAGE, Kind, MESSAGE, Output, PART_WORDS, Role, Turn };

/** The bits of a part's kind, and the kinds whose encrypted content stands for what they do not say. */
const KINDS = ROLES;
const ENCRYPTED = new Set<number>([Kind.THINKING, Kind.SUMMARY, Kind.OTHER]);
/** What a unit of encrypted content costs, in 64ths of a token: four of base64 are about a token of what they stand for. */
const COST_OF_ENCRYPTED = 16;
/** Bytes of a signature that are no text: one that can hold no more than the part's own text is that text once more. */
const SEAL = 256;
/** Whose words the newest message holds so far: see the engine's `format/recorder/speech.rs`. */
const [SETTLED, NOBODYS, AGENTS] = [0, 1, 2];

/** The placeholder that other systems write for a pruned output. */
const PLACEHOLDER = '[Old tool result content cleared]';
/** The reference after the placeholder of a call without an id. */
const NO_CALL = referenceTo('');

/** What a policy says about reading. */
export interface ReadingSettings extends Measures {
  /** the text that replaces a pruned output */
  readonly placeholder: string;
}

/** The tools that records number, from 1. */
export class Tools {
  names: string[] = [];
  numbers = new Map<string, number>();
}

/** How the text of a part came into a message. */
export type Origin = 'ran' | 'printed' | 'added';

/**
 * Records messages and parts for a format's `walk`, packed into words. The counterpart of the engine's recorder
 * (`format/recorder/`): reading a session from text and walking it give the same records. `State` is what the format remembers.
 */
export class Recorder<State = unknown> extends PackedWords {
  readonly placeholder: string;
  readonly length: Meter;
  /** Message, part of the message, and block in turn, for each prunable result; only if the messages are to be changed. */
  readonly slots: number[] | undefined;
  /** The index of each message in the caller's array, if the format sends them in another order. */
  places: number[] | undefined;
  /** What the format remembers about the messages so far: plain data. */
  state: State | undefined;
  calls = Calls.begin();
  readonly claims: SummaryClaims;
  /** the calls whose outputs must stay */
  seals: ReadonlySet<unknown> | undefined;
  readonly #tools: Tools;
  #speech = { whose: SETTLED, injected: Turn.CONTEXT as number };

  /**
   * @param settings the policy's settings for reading
   * @param forEdit whether to record the places of results, so that they can be pruned
   * @param tools the tools that already have numbers
   * @param countTokens counts tokens, if the policy uses such a function
   */
  constructor(settings: ReadingSettings, forEdit = false, tools = new Tools(), countTokens?: CountTokens) {
    super();
    this.placeholder = settings.placeholder;
    this.length = new Meter(settings, countTokens);
    this.slots = forEdit ? [] : undefined;
    this.claims = new SummaryClaims(this, forEdit);
    this.#tools = tools;
  }

  /** The tools' names, in the order of their first appearance. */
  get tools(): string[] {
    return this.#tools.names;
  }

  /** The anchor of each message, for a summary in front of it; only if the messages are to be changed. */
  get anchors(): string[] | undefined {
    return this.claims.anchors;
  }

  /** What a message counts as that an agent wrote in the user's name. */
  set injected(turn: number) {
    this.#speech.injected = turn;
  }

  /** For a growing session: continues after `words`, if given, with known starts and its own memory. */
  keep(words?: Uint32Array): void {
    this.release();
    this.grow(words);
    this.calls = new Calls();
    this.length.forget();
  }

  /** For a growing session: removes all but the first `count` messages. */
  truncate(count: number): void {
    if (count >= this.messages) return;
    this.starts?.truncate(this, count);
    this.messages = count;
    this.claims.truncate(count);
    if (count === 0) this.state = undefined;
  }

  /** Removes everything, to walk again. */
  restart(): void {
    this.clear();
    this.claims.restart();
    this.calls.restart();
    if (this.slots !== undefined) this.slots.length = 0;
  }

  /** Gives the memory back for the next walk. */
  release(): void {
    this.giveBack();
    this.calls.release();
  }

  /** What follows is read from `message`. */
  enter(message: unknown): void {
    if (this.length.isLooking) this.length.enter(message);
  }

  /** Begins a message; the parts that follow belong to it. `usage` is the tokens reported with it, 0 for none. */
  begin(role: number, turn: number = Turn.NO, flags: number = Flag.NONE, usage = 0): void {
    this.starts?.begin(this);
    const { claims } = this;
    claims.isAnchored = false;
    this.#speech.whose = turn === Turn.PERSON ? NOBODYS : SETTLED;
    this.addMessage(role | turn | flags, this.messages > claims.staleUntil ? usage : 0);
  }

  /** Checks whether the newest message, whose text is `text`, begins like a summary of ebbline. */
  checkSummary(text: unknown): void {
    this.claims.check(text);
  }

  /** For the newest message, a summary by a field of its format: records how many messages behind it existed already. */
  setKept(kept: unknown): void {
    if (!(typeof kept === 'number' && kept >= 1 && kept < 1e15)) return;
    this.keptBehind(Math.floor(kept));
    this.claims.note(Math.floor(kept));
  }

  /** The same if the format itself recognizes outdated usage. */
  keptBehind(kept: number): void {
    this.claims.writeKept(this.header, kept);
  }

  /** Adds a part of one text; an empty part if the value is not a text. */
  text(kind: number, text: unknown): void {
    const { claims } = this;
    // Agents, providers and passes drop thinking, and a summary must be known afterwards.
    if (!claims.isAnchored && kind === Kind.TEXT && typeof text === 'string' && text !== '' && !claims.isUsers()) claims.anchor(text);
    if (this.#speech.whose !== SETTLED && kind === Kind.TEXT && typeof text === 'string') this.#speak(text);
    if (this.length.isPlain) {
      this.addPart(kind, 1, typeof text === 'string' ? text.length : 0, 0, 0);
      return;
    }
    this.length.reset();
    if (typeof text === 'string') this.length.text(text);
    this.#part(kind, 1, 0, 0);
  }

  /** Notes whose words a text of a person's message are: if an agent wrote all of them, the message begins no turn. */
  #speak(text: string) {
    const isAgents = isInjected(text);
    if (isAgents === undefined) return;
    if (!isAgents) return this.#owns();
    const speech = this.#speech;
    if (speech.whose !== NOBODYS || (this.words[this.header] & Flag.SUMMARY) !== 0) return;
    speech.whose = AGENTS;
    this.setTurn(speech.injected);
  }

  /** The newest message holds something of the user's own: words, an image. */
  #owns(): void {
    if (this.#speech.whose === AGENTS) this.setTurn(Turn.PERSON);
    this.#speech.whose = SETTLED;
  }

  /** Says which texts the part added last is made of, where they are not what it was measured by: see `text-recorder.ts`. */
  says(..._texts: unknown[]): void {}

  /** Says what an output was before it was cleared, if the session still has it: see `output-recorder.ts`. */
  before(_id: unknown, _output: string): void {}

  /** Says how the text added last came into its message: see `text-recorder.ts`. */
  saysAs(_origin: Origin): void {}

  /**
   * Marks the newest part as signed, unless `signature` is empty or not a text. What is encrypted is sent and billed. Where it stands
   * for what the part does not say, the part costs what it costs; `base64` is the length of that.
   */
  sign(signature: unknown, base64?: number): void {
    if (typeof signature !== 'string' || signature === '') return;
    const { words, used } = this;
    words[used - PART_WORDS] |= SIGNED;
    if (!ENCRYPTED.has(words[used - PART_WORDS] & KINDS)) return;
    const length = base64 ?? signature.length;
    const said = words[used - PART_WORDS + 1];
    if (said > 0 && Math.floor(length / 4) * 3 <= said + SEAL) return;
    const cost = wordOf(length * COST_OF_ENCRYPTED);
    if (this.length.classes) words[used - 5] = Math.max(words[used - 5], cost);
    if (this.length.ofJson) words[used - 1] = Math.max(words[used - 1], cost);
  }

  /** Sets the native length of the newest part to that of `JSON.stringify(value)`, for policies that use it. */
  setNativeLength(value: unknown): void {
    if (!this.length.isNotation || !hasJson(value)) return;
    this.words[this.used - 2] = this.length.written(value) + 1;
  }

  /** Adds any other value as a part, measured as compact JSON; an empty part if there is no value. */
  value(kind: number, value: unknown): void {
    this.media(kind, value, 0);
  }

  /**
   * Adds an image or file by its data; inside the result of `call` unless that is 0. A file costs what `tariff` says of what `about`,
   * its block, says that it is. Where more than the data is measured, `data` is what the file consists of.
   */
  media(kind: number, measured: unknown, call = 0, about?: unknown, tariff: Tariff = ANY, data: unknown = measured): void {
    const { length } = this;
    this.#enclosed(kind, call, about, tariff, data, () => {
      if (hasJson(measured)) length.value(measured);
    });
  }

  /** The same for data as sent: bytes as base64. */
  data(kind: number, data: unknown, call = 0, about?: unknown, tariff: Tariff = ANY): void {
    this.#enclosed(kind, call, about, tariff, data, () => this.length.data(data));
  }

  /** Adds a file by the values that it consists of. */
  values(kind: number, values: readonly unknown[]): void {
    this.#enclosed(kind, 0, undefined, ANY, undefined, () => {
      for (const value of values) this.length.value(value);
    });
  }

  #enclosed(kind: number, call: number, about: unknown, tariff: Tariff, data: unknown, measure: () => void): void {
    const { length } = this;
    length.reset();
    const isFile = kind === Kind.FILE && about !== undefined && (length.classes || length.ofJson);
    const tokens = isFile ? tokensOfFile(data, about, tariff) : undefined;
    if (tokens !== undefined) length.priced(tokens, measure);
    else if (!(length.skipsImages && kind === Kind.IMAGE)) measure();
    if (call === 0 && this.#speech.whose !== SETTLED && (kind === Kind.IMAGE || kind === Kind.FILE)) this.#owns();
    this.#part(kind, 1, call, 0);
  }

  /** Adds a tool call; `args` is measured as text if it is a string, else as compact JSON. */
  call(id: unknown, name: unknown, args: unknown): void {
    if (!this.claims.isAnchored && isOwn(id)) this.claims.anchor(id);
    const call = this.#call(id);
    const tool = this.#tool(name);
    if (call !== 0 && tool !== 0) this.calls.tools[call] = tool;
    this.length.reset();
    if (args !== null && hasJson(args)) this.length.args(args);
    this.#part(Kind.CALL, 1, call, tool);
  }

  /**
   * Adds a tool result and returns its call, for parts that belong to it. The default for the name is the call's.
   *
   * @param output one of {@link Output}
   * @param texts the texts of the result; other values count as compact JSON
   * @param block the result's block in its message, if it can be pruned
   */
  result(id: unknown, name: unknown, output: number, texts: string | readonly unknown[], block?: number): number {
    if (typeof texts === 'string') return this.resultOf(id, name, output, texts, block);
    this.length.reset();
    for (let at = 0; at < texts.length; at += 1) this.length.value(texts[at]);
    return this.#result(id, name, output, texts.length, block);
  }

  /** Adds a tool result of one value: a text unchanged, unless it is to be quoted like other JSON. */
  resultOf(id: unknown, name: unknown, output: number, value: unknown, block?: number, quoted = false): number {
    this.length.reset();
    if (hasJson(value)) {
      if (quoted) this.length.compact(value, 0);
      else this.length.value(value);
    }
    return this.#result(id, name, output, 1, block);
  }

  /** Adds a tool result that the provider made and verifies, as compact JSON. */
  sealed(id: unknown, content: unknown): number {
    this.length.reset();
    if (hasJson(content)) this.length.value(content);
    return this.#result(id, undefined, Output.SEALED, 1, undefined);
  }

  /** Records that the session has no id for the newest call. */
  pairedByPlace(): void {
    this.words[this.used - PART_WORDS] |= BY_PLACE;
  }

  /** What may be done with an output with this text for the call `id`. */
  outputOf(text: unknown, id: unknown, hasFailed: boolean): number {
    const ordinary = hasFailed ? Output.ERROR : Output.ORDINARY;
    if (typeof text !== 'string') return ordinary;
    if (isCleared(text, id)) return Output.PRUNED;
    if (!this.#isPlaceholder(text)) return ordinary;
    return hasFailed ? Output.FAILED_PLACEHOLDER : Output.PLACEHOLDER;
  }

  /** Whether a text is the configured placeholder or one that another system writes. */
  #isPlaceholder(text: string): boolean {
    if (text === PLACEHOLDER || text === this.placeholder) return true;
    if (!endsInReference(text) || !text.endsWith(NO_CALL)) return false;
    const bare = text.slice(0, -NO_CALL.length);
    return bare === PLACEHOLDER || bare === this.placeholder;
  }

  #result(id: unknown, name: unknown, outputOf: number, pieces: number, block: number | undefined): number {
    if (!this.claims.isAnchored && isOwn(id)) this.claims.anchor(id);
    // For a failed call whose error text cannot be cleared.
    const hasFailed = outputOf === Output.ERROR || outputOf === Output.FAILED_PLACEHOLDER;
    const ownOutput = hasFailed && block === undefined ? Output.FIXED_ERROR : outputOf;
    const output = this.seals?.has(id) ? Output.SEALED : ownOutput;
    const call = this.#call(id);
    const tool = this.#tool(name) || (this.calls.tools[call] ?? 0);
    if (block !== undefined) this.slots?.push(this.messages - 1, this.parts, block);
    this.#part(Kind.RESULT | output, Math.min(pieces, MOST_PIECES), call, tool);
    return call;
  }

  /** Adds a part with the lengths that were measured last. */
  #part(head: number, pieces: number, call: number, tool: number): void {
    const { length } = this;
    this.addPart(head, pieces, length.utf16, call, tool);
    if (length.isPlain) return;
    const { words, used } = this;
    words[used - 7] = wordOf(length.codePoints);
    words[used - 6] = wordOf(length.bytes);
    words[used - 5] = wordOf(length.classed);
    words[used - 1] = wordOf(length.classedJson);
  }

  /** The number of a call, from 1; 0 if `id` is not a text. */
  #call(id: unknown): number {
    if (typeof id !== 'string') return 0;
    const { calls } = this;
    // The map contains well-formed ids, so an id found in it is well-formed.
    let number = calls.known(id);
    if (number === undefined) {
      const key = wellFormed(id);
      number = (key === id ? undefined : calls.known(key)) ?? calls.add(key);
    }
    if (this.starts !== undefined && number > this.starts.ids.length) this.starts.ids.push(wellFormed(id));
    return number;
  }

  /** The number of a tool, from 1; 0 if `name` is not a text. */
  #tool(name: unknown): number {
    if (typeof name !== 'string') return 0;
    const { names, numbers } = this.#tools;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    const key = wellFormed(name);
    const same = key === name ? undefined : numbers.get(key);
    if (same !== undefined) return same;
    const number = names.push(key);
    numbers.set(key, number);
    return number;
  }
}

/** The text as the engine would decode it: an unpaired surrogate becomes U+FFFD. */
export function wellFormed(text: string): string {
  return text.isWellFormed?.() === false ? text.toWellFormed() : text;
}
