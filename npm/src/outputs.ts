import { TextRecorder } from './texts.js';

/** A recorder that keeps the texts of outputs by the ids of their calls. */
export class OutputRecorder extends TextRecorder {
  outputs: Map<string, string> = new Map();
  /** All of them, each with the message that holds it. */
  all: { id: string; text: string; message: number }[] = [];

  #keep(id, texts) {
    if (typeof id !== 'string') return;
    const text = texts.map((piece) => (typeof piece === 'string' ? piece : JSON.stringify(piece))).join('\n');
    this.outputs.set(id, text);
    this.all.push({ id, text, message: this.messages - 1 });
  }

  result(id, name, output, texts, block) {
    const call = super.result(id, name, output, texts, block);
    if (typeof texts !== 'string') this.#keep(id, [...texts]);
    return call;
  }

  resultOf(id, name, output, value, block, quoted) {
    const call = super.resultOf(id, name, output, value, block, quoted);
    this.#keep(id, [value]);
    return call;
  }
}
