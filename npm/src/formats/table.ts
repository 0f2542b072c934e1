// What the signs of live messages say. Which formats there are, and in which order, is generated of the engine's entries.

import { FORMATS } from '../generated/formats.js';
import type { Format, LiveFormat } from './format.js';
import { openaiChat } from './openai-chat.js';
import { Looker, type Sign } from './signs.js';

/** The format of an empty array, for which no format does anything. */
export const OF_NOTHING: LiveFormat = openaiChat;

/** How many bits there are, because snapshots contain them. */
const MOST_BITS = 31;
/** The bit of each sign. */
const bits = new Map<object, number>();
const lookedFor: [bit: number, sign: Sign][] = [];

function bitOf(sought: object | undefined, signs: readonly Sign[]): number {
  if (sought === undefined) return 0;
  const known = bits.get(sought);
  if (known !== undefined) return known;
  if (bits.size === MOST_BITS) throw new Error(`there are more than ${MOST_BITS} things to look for in a message`);
  const bit = 1 << bits.size;
  bits.set(sought, bit);
  for (const sign of signs) lookedFor.push([bit, sign]);
  return bit;
}

const bitOfSign = (sign: Sign | undefined): number => (sign === undefined ? 0 : bitOf(sign, [sign]));

const rows = FORMATS.map((format) => ({
  format,
  shown: bitOf(format.signs, format.signs),
  beside: bitOfSign(format.beside),
  without: bitOfSign(format.without),
}));
const guesses = FORMATS.flatMap((format) =>
  format.guess === undefined
    ? []
    : [
        {
          format,
          shown: bitOfSign(format.guess.shown),
          without: (format.guess.without ?? []).reduce((bits, sign) => bits | bitOfSign(sign), 0),
        },
      ],
);

/** Looks for the signs of all formats; the other functions of this file interpret its bits. */
export const looker = new Looker(lookedFor);

/** The format with this name; `undefined` if live messages of it are unknown. */
export function formatCalled(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name);
}

/** A format, and whether one of its signs was found or it is a guess. */
export interface Shown {
  readonly format: Format;
  readonly basis: 'sign' | 'guess';
}

/** The format that is shown: by one of its signs or, if no format shows any, by a guess. */
export function shownBy(seen: number): Shown | undefined {
  for (const { format, shown, beside, without } of rows) {
    if ((seen & shown) !== 0 && (beside === 0 || (seen & beside) !== 0) && (seen & without) === 0) return { format, basis: 'sign' };
  }
  // Several formats write the remaining lists the same way.
  for (const { format, shown, without } of guesses) {
    if ((shown === 0 || (seen & shown) !== 0) && (seen & without) === 0) return { format, basis: 'guess' };
  }
  return undefined;
}

/** The first sign of a format that is shown, in words. It is rarely needed, so the signs are looked for again. */
export function signOf({ signs }: Format, messages: readonly unknown[]): string {
  const seen = new Looker(signs.map((sign, at) => [1 << at, sign])).over(messages, 0, messages.length);
  return (signs.find((_, at) => (seen & (1 << at)) !== 0) ?? signs[0]).words;
}
