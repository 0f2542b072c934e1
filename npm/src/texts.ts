import { EbblineError } from './errors.js';
import { wordsOf } from './guard.js';
import { hasJson, isBigInt } from './measure.js';
import { withoutIntroduction } from './introductions.js';
import { Kind, Recorder } from './packed-messages.js';
import { isWellFormed, putPieces } from './text.js';

/** What a piece is, and whether it is a text as it is or JSON. */
const KINDS = { ran: 2, printed: 4, added: 6 };
const CONTENT = 0;
const IS_TEXT = 1;
/** Kinds of parts whose data says nothing in words. */
const SILENT = new Set([Kind.IMAGE, Kind.FILE]);
const NOTHING: unknown[] = [];

/**
 * A recorder that also keeps the texts of the parts, for the request for a summary. The counterpart of the engine's
 * `format/pieces.rs`, which says where the texts of parts stand in a file.
 */
export class TextRecorder extends Recorder {
  /** For each part, the values that it is made of; an object if they are not what it says by itself: see {@link KINDS}. */
  texts: (unknown[] | Record<string, unknown>)[] = [];
  /** What the caller introduces summaries with: it says nothing about the conversation. */
  introduction: string | undefined;

  /**
   * The texts as pieces, as the engine reads them: its `summary/texts.rs`. Numbers that JSON cannot express are replaced by numbers
   * that it can.
   *
   * @returns the buffer with the pieces, and the words that describe them
   */
  put(engine: import('./text.js').Engine): [object, Uint32Array] {
    try {
      return putPieces(this.texts.length, this.#pieces(), engine);
    } catch (error) {
      if (error instanceof EbblineError) throw error;
      const refusal = new EbblineError('too_deep', `the messages cannot be written as JSON: ${wordsOf(error)}`);
      refusal.cause = error;
      throw refusal;
    }
  }

  #pieces(): import('./text.js').Piece[] {
    const pieces = [];
    for (let part = 0; part < this.texts.length; part += 1) {
      const said = this.texts[part];
      if (Array.isArray(said)) for (let at = 0; at < said.length; at += 1) pieces.push(pieceOf(part, CONTENT, said[at]));
      else for (const member in said) pieces.push(pieceOf(part, KINDS[member], said[member]));
    }
    return pieces;
  }

  restart() {
    super.restart();
    this.texts.length = 0;
  }

  says(...pieces) {
    this.texts[this.texts.length - 1] = pieces;
  }

  saysAs(member: 'ran' | 'printed' | 'added') {
    const [text] = this.texts[this.texts.length - 1] as unknown[];
    if (text === undefined) return;
    this.texts[this.texts.length - 1] = { [member]: text };
  }

  text(kind, text) {
    super.text(kind, text);
    const isSaid = typeof text === 'string' && !SILENT.has(kind);
    this.texts.push(isSaid ? [withoutIntroduction(text, this.introduction)] : NOTHING);
  }

  value(kind, value) {
    super.value(kind, value); // calls `media`, which adds the part
    if (hasJson(value) && !SILENT.has(kind)) this.says(value);
  }

  media(...enclosed) {
    super.media(...enclosed);
    this.texts.push(NOTHING);
  }

  values(kind, values) {
    super.values(kind, values);
    this.texts.push(NOTHING);
  }

  data(...enclosed) {
    super.data(...enclosed);
    this.texts.push(NOTHING);
  }

  call(id, name, args) {
    super.call(id, name, args);
    this.texts.push(args !== null && hasJson(args) ? [args] : NOTHING);
  }

  result(id, name, output, texts, block) {
    const call = super.result(id, name, output, texts, block); // calls `resultOf` for a single text
    if (typeof texts !== 'string') this.texts.push([...texts]);
    return call;
  }

  resultOf(id, name, output, value, block, quoted) {
    const call = super.resultOf(id, name, output, value, block, quoted);
    this.texts.push(hasJson(value) ? [value] : NOTHING);
    return call;
  }

  sealed(id, content) {
    const call = super.sealed(id, content);
    this.texts.push(hasJson(content) ? [content] : NOTHING);
    return call;
  }
}

/** The calls whose arguments may hold the agent's plan, by their tool or by an argument: the engine's `summary/plan_list.rs`. */
const PLANS = /todo|plan|task|checklist/i;
const PROGRESS = 'task_progress';

/** A recorder that keeps what was said and planned, and neither other calls nor results: that is what a summary carries. */
export class WordsRecorder extends TextRecorder {
  #silence() {
    this.texts[this.texts.length - 1] = NOTHING;
  }

  call(id, name, args) {
    super.call(id, name, args);
    const tells = typeof args === 'string' ? args.includes(PROGRESS) : args?.[PROGRESS] !== undefined;
    if (!tells && !(typeof name === 'string' && PLANS.test(name))) this.#silence();
  }

  result(id, name, output, texts, block) {
    const call = super.result(id, name, output, texts, block);
    this.#silence();
    return call;
  }

  resultOf(id, name, output, value, block, quoted) {
    const call = super.resultOf(id, name, output, value, block, quoted);
    this.#silence();
    return call;
  }

  sealed(id, content) {
    const call = super.sealed(id, content);
    this.#silence();
    return call;
  }
}

function pieceOf(part, kind, value): import('./text.js').Piece {
  const word = part * 8 + kind;
  // Encoding would change a text with an unpaired surrogate, and JSON can express it.
  return typeof value === 'string' && isWellFormed(value) ? { word: word + IS_TEXT, text: value } : { word, text: jsonOf(value) };
}

function jsonOf(value) {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_, member) => (isBigInt(member) ? Number(member) : member));
  }
}
