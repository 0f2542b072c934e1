import { EbblineError } from './errors.js';
import { wordsOf } from './guard.js';
import { hasJson, isBigInt } from './measure.js';
import { withoutIntroduction } from './introductions.js';
import { Kind, Recorder } from './records.js';

/** Kinds of parts whose data says nothing in words. */
const SILENT = new Set([Kind.IMAGE, Kind.FILE]);
/** @type {unknown[]} */
const NOTHING = [];

/**
 * A recorder that also keeps the texts of the parts, for the request for a summary. The counterpart of the engine's
 * `format/places.rs`, which says where the texts of parts stand in a file.
 */
export class TextRecorder extends Recorder {
  /**
   * For each part, the values that it is made of; an object if the user ran a command.
   *
   * @type {(unknown[] | { ran: unknown } | { printed: unknown })[]}
   */
  texts = [];
  /** What the caller introduces summaries with: it says nothing about the conversation. @type {string | undefined} */
  introduction;

  /** The texts as JSON, as the engine reads them. Numbers that JSON cannot express are replaced by numbers that it can. */
  json() {
    try {
      return this.#written();
    } catch (error) {
      const refusal = new EbblineError('too_deep', `the messages cannot be written as JSON: ${wordsOf(error)}`);
      refusal.cause = error;
      throw refusal;
    }
  }

  #written() {
    try {
      return JSON.stringify(this.texts);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return JSON.stringify(this.texts, (_, member) => (isBigInt(member) ? Number(member) : member));
    }
  }

  restart() {
    super.restart();
    this.texts.length = 0;
  }

  says(...pieces) {
    this.texts[this.texts.length - 1] = pieces;
  }

  /** @param {'ran' | 'printed'} member */
  saysCommand(member) {
    const [text] = /** @type {unknown[]} */ (this.texts[this.texts.length - 1]);
    this.texts[this.texts.length - 1] = member === 'ran' ? { ran: text } : { printed: text };
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

  media(kind, data, call) {
    super.media(kind, data, call);
    this.texts.push(NOTHING);
  }

  data(kind, data, call) {
    super.data(kind, data, call);
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

/** A recorder that keeps what was said, and neither calls nor their results: a summary carries the user's own words. */
export class WordsRecorder extends TextRecorder {
  #silence() {
    this.texts[this.texts.length - 1] = NOTHING;
  }

  call(id, name, args) {
    super.call(id, name, args);
    this.#silence();
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
