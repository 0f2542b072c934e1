// Compares answers.

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { ebbline } from '../package.mjs';

const { EbblineError } = ebbline;
const INSTRUCTION = '(instruction)';

/** Fails unless both are deeply equal. */
export function equal(what, ours, expected) {
  if (isDeepStrictEqual(ours, expected)) return;
  throw new Error(`${what}: ours ${JSON.stringify(ours)}, expected ${JSON.stringify(expected)}`);
}

/** The system raised an exception, so the package must refuse with an error of its own. */
export function throws(call) {
  try {
    call();
  } catch (error) {
    if (error instanceof EbblineError) return;
    throw error;
  }
  throw new Error('the system raised an exception, we did not');
}

/**
 * Compares a prompt with the expected one, in which `(instruction)` replaces each line of the original wording;
 * everything but the wording must agree. A digest is of the original wording: beginning and end are compared.
 */
export function samePrompt(what, ours, expected) {
  const whole = typeof expected === 'string' ? expected : expected.text;
  const wrong = whole === undefined ? digestDiffers(ours, expected) : wordingDiffers(ours, whole);
  if (wrong !== undefined) throw new Error(`${what}: ${wrong}`);
}

function wordingDiffers(ours, expected) {
  const [first, ...pieces] = expected.split(INSTRUCTION);
  if (!ours.startsWith(first)) return `begins ${JSON.stringify(ours.slice(0, 80))}, not ${JSON.stringify(first)}`;
  const last = pieces.pop();
  if (last === undefined)
    return ours.length === first.length ? undefined : `goes on with ${JSON.stringify(ours.slice(first.length, first.length + 80))}`;
  let rest = ours.slice(first.length);
  if (!rest.endsWith(last)) return `does not end with ${JSON.stringify(last)}`;
  rest = rest.slice(0, rest.length - last.length);
  for (const piece of pieces.map((text) => text.trim()).filter(Boolean)) {
    const at = rest.indexOf(piece);
    if (at < 0) return `lacks ${JSON.stringify(piece)}`;
    rest = rest.slice(at + piece.length);
  }
  return undefined;
}

function digestDiffers(ours, { head, tail }) {
  const begins = head.split(INSTRUCTION)[0];
  const ends = tail.split(INSTRUCTION).at(-1);
  if (!ours.startsWith(begins)) return `begins ${JSON.stringify(ours.slice(0, 80))}, not ${JSON.stringify(begins)}`;
  return ours.endsWith(ends) ? undefined : `does not end with ${JSON.stringify(ends)}`;
}

/** Compares a text with the expected one, or with its digest: SHA-256, length, beginning and end. */
export function sameText(what, ours, expected) {
  const wanted = typeof expected === 'string' ? { text: expected } : expected;
  if (wanted.text !== undefined) return equal(what, ours, wanted.text);
  const sha256 = createHash('sha256')
    .update(ours.toWellFormed?.() ?? ours, 'utf8')
    .digest('hex');
  equal(`${what}, SHA-256`, sha256, wanted.sha256);
}
