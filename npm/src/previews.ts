import type { OutputText } from './apply.js';
import { type Policy, previewOf } from './core.js';
import type { LiveFormat } from './formats/format.js';
import type { CountTokens } from './meter.js';
import { isBigInt } from './values.js';
import { countedBy } from './recall.js';
import { HAS_USAGE, MESSAGE, PART_WORDS, wellFormed } from './recorder.js';
import { putText } from './text-buffer.js';
import { TextRecorder } from './text-recorder.js';

/** Six words for each output that is cut: message, part, lengths of head and tail, the most that what stays may measure, images and files. */
export const WORDS_OF_CUT = 6;
/** No length is measured. */
const UNMEASURED = { wide: false, classes: false, ofJson: false, notation: false };

/**
 * What stays of the outputs that a plan cuts. The engine knows only how long they are, so the messages are walked once more for
 * their texts.
 *
 * @param cut six words for each output
 * @returns oldest first
 */
export function previewsOf(
  messages: readonly unknown[],
  format: LiveFormat,
  cut: Uint32Array,
  { handle, placeholder }: { readonly handle: Policy; readonly placeholder: string },
  countTokens: CountTokens | undefined,
): OutputText[] {
  if (cut.length === 0) return [];
  const recorder = new TextRecorder({ ...UNMEASURED, placeholder });
  try {
    format.walk(messages, recorder);
    const firsts = firstParts(recorder.records);
    return Array.from({ length: cut.length / WORDS_OF_CUT }, (_, at) => {
      const [message, part, head, tail, most, media] = cut.subarray(at * WORDS_OF_CUT, (at + 1) * WORDS_OF_CUT);
      const whole = textOf(recorder.texts[firsts[message] + part]);
      return { message, part, text: fitting(whole, { head, tail, most, media }, handle, countTokens) };
    });
  } finally {
    recorder.release();
  }
}

/** How an output is cut: the lengths of head and tail, the most that what stays may measure, and what its images and files measure. */
interface Cut {
  head: number;
  tail: number;
  most: number;
  media: number;
}

/** The text that stays; the engine does not know what the caller's own function counts. */
function fitting(text: string, { head, tail, most, media }: Cut, handle: Policy, countTokens: CountTokens | undefined) {
  const costs = countTokens === undefined ? undefined : countedBy(countTokens);
  for (let [first, last] = [head, tail]; ; [first, last] = [shorter(first), shorter(last)]) {
    const { buffer, length } = putText(text);
    const shown = previewOf(buffer, length, handle, first, last, most, media);
    if (costs === undefined || first + last === 0 || costs.costOf(shown) <= most) return shown;
  }
}

function shorter(length: number) {
  return Math.floor((length * 15) / 16);
}

/** The text of a part: a line for each of its values. A message that says something else when it is read again has none. */
function textOf(values: unknown) {
  return wellFormed((Array.isArray(values) ? values : []).map((value) => (typeof value === 'string' ? value : written(value))).join('\n'));
}

function written(value: unknown) {
  return JSON.stringify(value, (_, member) => (isBigInt(member) ? Number(member) : member)) ?? '';
}

/** For each message, the number of parts before it. */
function firstParts(words: Uint32Array) {
  const firsts: number[] = [];
  let parts = 0;
  for (let at = 0; at < words.length; ) {
    if (words[at] >= MESSAGE) {
      firsts.push(parts);
      at += (words[at] & HAS_USAGE) === 0 ? 1 : 2;
    } else {
      parts += 1;
      at += PART_WORDS;
    }
  }
  return firsts;
}
