/** Smaller numbers in the text of an error are no sizes of contexts. */
const LEAST = 1_000;

/**
 * The size of a context that a provider refused, and the window that it did not fit into, by the numbers in the text of the error;
 * `undefined` if they do not show which is which.
 *
 * @param {string | undefined} text
 * @returns {{ tokens: number, window: number } | undefined}
 */
export function figuresIn(text) {
  const found = text?.match(/\d[\d,_]*\d/g) ?? [];
  const numbers = found.map((number) => Number(number.replaceAll(/[,_]/g, ''))).filter((number) => number >= LEAST);
  if (numbers.length === 2) {
    const [one, other] = numbers;
    return one === other ? undefined : { tokens: Math.max(one, other), window: Math.min(one, other) };
  }
  // Anthropic adds the tokens kept for the answer: "188240 + 21333 > 200000".
  const [input, output, window] = numbers;
  return numbers.length === 3 && input + output > window && input < window ? { tokens: input + output, window } : undefined;
}
