import { Output, PART_WORDS } from './recorder.js';
import { TextRecorder } from './text-recorder.js';

/** The bits of a part that say what may be done with its output, and those of outputs that are gone. */
const OUTPUTS = Output.SEALED | Output.PLACEHOLDER;
const GONE = new Set<number>([Output.PRUNED, Output.PLACEHOLDER, Output.FAILED_PLACEHOLDER]);

/** A recorder that keeps the texts of outputs. */
export class OutputRecorder extends TextRecorder {
  /** Each with the id of its call, the message that holds it, and whether it is the output itself and not what stands in its place. */
  readonly all: { id: string; text: string; message: number; isWhole: boolean }[] = [];

  #keep(id: unknown, texts: readonly unknown[]): void {
    if (typeof id !== 'string') return;
    const text = texts.map((piece) => (typeof piece === 'string' ? piece : JSON.stringify(piece))).join('\n');
    const isWhole = !GONE.has(this.words[this.used - PART_WORDS] & OUTPUTS);
    this.all.push({ id, text, message: this.messages - 1, isWhole });
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

  override before(id: unknown, output: string): void {
    if (typeof id === 'string') this.all.push({ id, text: output, message: this.messages - 1, isWhole: true });
  }
}
