import { TextRecorder } from './text-recorder.js';

/** A recorder that keeps the texts of outputs. */
export class OutputRecorder extends TextRecorder {
  /** Each with the id of its call and the message that holds it. */
  readonly all: { id: string; text: string; message: number }[] = [];

  #keep(id: unknown, texts: readonly unknown[]): void {
    if (typeof id !== 'string') return;
    const text = texts.map((piece) => (typeof piece === 'string' ? piece : JSON.stringify(piece))).join('\n');
    this.all.push({ id, text, message: this.messages - 1 });
  }

  override result(id: unknown, name: unknown, output: number, texts: string | readonly unknown[], block?: number): number {
    const call = super.result(id, name, output, texts, block);
    if (typeof texts !== 'string') this.#keep(id, texts);
    return call;
  }

  override resultOf(id: unknown, name: unknown, output: number, value: unknown, block?: number, quoted?: boolean): number {
    const call = super.resultOf(id, name, output, value, block, quoted);
    this.#keep(id, [value]);
    return call;
  }
}
