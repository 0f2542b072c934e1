import { EbblineError } from './errors.js';
import { wordsOf } from './guard.js';
import { withoutIntroduction } from './introductions.js';
import type { Tariff } from './media.js';
import { Kind, type Origin, Recorder } from './recorder.js';
import { type Engine, type Piece, type PutPieces, isWellFormed, putPieces } from './text-buffer.js';
import { hasJson, isBigInt } from './values.js';

/** What a piece is, and whether it is a text as it is or JSON. */
const KINDS: Readonly<Record<Origin, number>> = { ran: 2, printed: 4, added: 6 };
const CONTENT = 0;
const IS_TEXT = 1;
/** Kinds of parts whose data says nothing in words. */
const SILENT = new Set<number>([Kind.IMAGE, Kind.FILE]);
const NOTHING: readonly never[] = [];

/** The text of a part that came into its message in another way than that somebody said it. */
interface AddedText {
  readonly origin: Origin;
  readonly text: unknown;
}

/**
 * A recorder that also keeps the texts of the parts, for the request for a summary. The counterpart of the engine's
 * `format/pieces.rs`, which says where the texts of parts stand in a file.
 */
export class TextRecorder extends Recorder {
  /** For each part, the values that it is made of. */
  readonly texts: (readonly unknown[] | AddedText)[] = [];
  /** What the caller introduces summaries with: it says nothing about the conversation. */
  introduction: string | undefined;

  /**
   * The texts as pieces, as the engine reads them: its `summary/texts.rs`. Numbers that JSON cannot express are replaced by numbers
   * that it can.
   */
  put(engine?: Engine): PutPieces {
    try {
      return putPieces(this.texts.length, this.#pieces(), engine);
    } catch (error) {
      if (error instanceof EbblineError) throw error;
      const refusal = new EbblineError('too_deep', `the messages cannot be written as JSON: ${wordsOf(error)}`);
      refusal.cause = error;
      throw refusal;
    }
  }

  #pieces(): Piece[] {
    const pieces: Piece[] = [];
    for (let part = 0; part < this.texts.length; part += 1) {
      const said = this.texts[part];
      if (isAdded(said)) pieces.push(pieceOf(part, KINDS[said.origin], said.text));
      else for (let at = 0; at < said.length; at += 1) pieces.push(pieceOf(part, CONTENT, said[at]));
    }
    return pieces;
  }

  override restart(): void {
    super.restart();
    this.texts.length = 0;
  }

  override says(...pieces: unknown[]): void {
    this.texts[this.texts.length - 1] = pieces;
  }

  override saysAs(origin: Origin): void {
    const said = this.texts[this.texts.length - 1];
    const text = isAdded(said) ? undefined : said[0];
    if (text === undefined) return;
    this.texts[this.texts.length - 1] = { origin, text };
  }

  override text(kind: number, text: unknown): void {
    super.text(kind, text);
    const isSaid = typeof text === 'string' && !SILENT.has(kind);
    this.texts.push(isSaid ? [withoutIntroduction(text, this.introduction)] : NOTHING);
  }

  override value(kind: number, value: unknown): void {
    super.value(kind, value); // calls `media`, which adds the part
    if (hasJson(value) && !SILENT.has(kind)) this.says(value);
  }

  override media(kind: number, measured: unknown, call?: number, about?: unknown, tariff?: Tariff, data?: unknown): void {
    super.media(kind, measured, call, about, tariff, data);
    this.texts.push(NOTHING);
  }

  override values(kind: number, values: readonly unknown[]): void {
    super.values(kind, values);
    this.texts.push(NOTHING);
  }

  override data(kind: number, data: unknown, call?: number, about?: unknown, tariff?: Tariff): void {
    super.data(kind, data, call, about, tariff);
    this.texts.push(NOTHING);
  }

  override call(id: unknown, name: unknown, args: unknown): void {
    super.call(id, name, args);
    this.texts.push(args !== null && hasJson(args) ? [args] : NOTHING);
  }

  override result(id: unknown, name: unknown, output: number, texts: string | readonly unknown[], block?: number): number {
    const call = super.result(id, name, output, texts, block); // calls `resultOf` for a single text
    if (typeof texts !== 'string') this.texts.push([...texts]);
    return call;
  }

  override resultOf(id: unknown, name: unknown, output: number, value: unknown, block?: number, quoted?: boolean): number {
    const call = super.resultOf(id, name, output, value, block, quoted);
    this.texts.push(hasJson(value) ? [value] : NOTHING);
    return call;
  }

  override sealed(id: unknown, content: unknown): number {
    const call = super.sealed(id, content);
    this.texts.push(hasJson(content) ? [content] : NOTHING);
    return call;
  }
}

/** The calls whose arguments may hold the agent's plan, by their tool or by an argument: the engine's `summary/plan_list.rs`. */
const PLANS = /todo|plan|task|checklist/i;
const PROGRESS = 'task_progress';

/** Arguments that may hold how far the agent is. */
interface Progress {
  readonly [PROGRESS]?: unknown;
}

/** A recorder that keeps what was said and planned, and neither other calls nor results: that is what a summary carries. */
export class WordsRecorder extends TextRecorder {
  #silence(): void {
    this.texts[this.texts.length - 1] = NOTHING;
  }

  override call(id: unknown, name: unknown, args: unknown): void {
    super.call(id, name, args);
    const tells = typeof args === 'string' ? args.includes(PROGRESS) : (args as Progress | null | undefined)?.[PROGRESS] !== undefined;
    if (!tells && !(typeof name === 'string' && PLANS.test(name))) this.#silence();
  }

  override result(id: unknown, name: unknown, output: number, texts: string | readonly unknown[], block?: number): number {
    const call = super.result(id, name, output, texts, block);
    this.#silence();
    return call;
  }

  override resultOf(id: unknown, name: unknown, output: number, value: unknown, block?: number, quoted?: boolean): number {
    const call = super.resultOf(id, name, output, value, block, quoted);
    this.#silence();
    return call;
  }

  override sealed(id: unknown, content: unknown): number {
    const call = super.sealed(id, content);
    this.#silence();
    return call;
  }
}

function isAdded(said: readonly unknown[] | AddedText): said is AddedText {
  return !Array.isArray(said);
}

function pieceOf(part: number, kind: number, value: unknown): Piece {
  const word = part * 8 + kind;
  // Encoding would change a text with an unpaired surrogate, and JSON can express it.
  return typeof value === 'string' && isWellFormed(value) ? { word: word + IS_TEXT, text: value } : { word, text: jsonOf(value) };
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_, member) => (isBigInt(member) ? Number(member) : member));
  }
}
