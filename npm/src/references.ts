// Marks that cannot be forged in text; the counterpart of the engine's `marks.rs`.

const BEGINS = '[Compaction summary: it stands for ';
const LEAD =
  /^\[Compaction summary: it stands for (\d{1,9}) earlier messages; the next (\d{1,9}) are kept word for word\] \[ref ([a-p]{8})\]\n\n/;
/** What the model says to a summary in front of a message of the user, so that their roles differ. */
export const ACKNOWLEDGED = 'Understood.';
/** How many UTF-16 units of a text are used to compute a reference. */
const READ = 256;
/** The beginnings of ids that readers make up for calls without ids: a zero unit, a hash, and words. */
const HASH = '#'.charCodeAt(0);
const WITHOUT_ID = 'call without id ';
/** The beginning of every reference, and the length of a reference. */
const REFERENCE = ' [ref ';
const REFERENCE_LENGTH = 15;
const CLOSING = ']'.charCodeAt(0);
const FIRST = 'a'.charCodeAt(0);
/** How far two variants of a reference are apart, by what a distance is divided by it, and how many variants there are. */
const STEP = 0x9e37_79b1;
const PER_STEP = 0x0e8b_2f51;
const VARIANTS = 1 << 16;
/** The longest text that may be what remains of a pruned output. */
const MOST_LEFT = 2048;

/** The text of a pruned output: the placeholder and a reference to its call. */
export function cleared(placeholder: string, id: unknown): string {
  return `${placeholder}${referenceTo(typeof id === 'string' ? id : '')}`;
}

/**
 * Whether {@link cleared} wrote a text for the call `id`, with any placeholder. A tool that foresees the id of its call could write the
 * reference itself, so a text that is longer than what remains of an output is none.
 */
export function isCleared(text: string, id: unknown): boolean {
  if (typeof id !== 'string' || text.length > MOST_LEFT || !endsInReference(text)) return false;
  return isReferenceTo(text.slice(-REFERENCE_LENGTH), id);
}

/** Whether a reference, or a variant of it, is one to the call `id`. */
export function isReferenceTo(text: string, id: string): boolean {
  const number = numberOf(text);
  return number !== undefined && Math.imul(number - hashOf(id), PER_STEP) >>> 0 < VARIANTS;
}

/**
 * A reference that differs from another one and leads to a call with the same id: some servers begin to count ids anew in every turn.
 *
 * @param text the reference
 * @param variant its number, above 0
 */
export function variantOf(text: string, variant: number): string {
  return written((numberOf(text) ?? 0) + Math.imul(variant, STEP));
}

/** The reference at the end of a text, if there is one. */
export function referenceAtEnd(text: string): string | undefined {
  const end = endsInReference(text) ? text.slice(-REFERENCE_LENGTH) : undefined;
  return end !== undefined && numberOf(end) !== undefined ? end : undefined;
}

function numberOf(text: string): number | undefined {
  const letters = /^ \[ref ([a-p]{8})\]$/.exec(text)?.[1];
  if (letters === undefined) return undefined;
  let number = 0;
  for (let letter = 7; letter >= 0; letter -= 1) number = (number << 4) | (letters.charCodeAt(letter) - FIRST);
  return number >>> 0;
}

/** Whether a text ends like a reference. Almost no text does, and the last unit already shows it. */
export function endsInReference(text: string): boolean {
  return text.charCodeAt(text.length - 1) === CLOSING && text.startsWith(REFERENCE, text.length - REFERENCE_LENGTH);
}

/** The reference to a call; the empty id means a call without an id. */
export function referenceTo(id: string): string {
  return written(hashOf(id));
}

/**
 * The first line of a summary.
 *
 * @param standsFor how many messages it replaces
 * @param kept how many messages follow it when it is written
 * @param anchor the first call after it, or the first text after it that no user wrote; the summary itself
 * if there is none
 */
export function lead(standsFor: number, kept: number, anchor: string): string {
  const mark = markOf(kept, anchor);
  return `${BEGINS}${standsFor} earlier messages; the next ${kept} are kept word for word]${mark}\n\n`;
}

/** What a text says that claims to be a summary: how many messages behind it are kept, and a mark that only what follows it fits. */
export interface Claim {
  readonly kept: number;
  readonly mark: string;
}

/** The claim of a text that says it is a summary. What follows the text proves or disproves it. */
export function claimOf(text: unknown): (Claim & { readonly fitsItself: boolean }) | undefined {
  if (typeof text !== 'string' || !text.startsWith(BEGINS)) return undefined;
  const found = LEAD.exec(text);
  if (found === null) return undefined;
  const kept = Number(found[2]);
  const mark = ` [ref ${found[3]}]`;
  const claim = { kept, mark };
  return { ...claim, fitsItself: fits(claim, text.slice(found[0].length)) };
}

/** A text that claims to be a summary, as its first line and the rest; `undefined` if it claims nothing. */
export function splitAtLead(text: string): { lead: string; rest: string } | undefined {
  const found = text.startsWith(BEGINS) ? LEAD.exec(text) : null;
  return found === null ? undefined : { lead: found[0], rest: text.slice(found[0].length) };
}

/** Whether a claim is true if `anchor` is the anchor that follows the summary. */
export function fits({ kept, mark }: Claim, anchor: string): boolean {
  return mark === markOf(kept, anchor);
}

/** Whether the id is in the session, and not one that a format made up. */
export function isOwn(id: unknown): id is string {
  if (typeof id !== 'string') return false;
  const first = id.charCodeAt(0);
  return first !== 0 && first !== HASH && !id.startsWith(WITHOUT_ID);
}

function hashOf(id: string): number {
  return hashed(['output', id]);
}

function markOf(kept: number, anchor: string): string {
  return written(hashed(['summary', String(kept), anchor]));
}

/** FNV-1a over the length and the first UTF-16 units of each word, followed by a final mix that spreads every bit. */
function hashed(words: readonly string[]): number {
  let hash = 0x811c_9dc5;
  const mix = (unit: number) => {
    hash = Math.imul(hash ^ unit, 0x0100_0193);
  };
  for (const word of words) {
    const text = word.isWellFormed?.() === false ? word.toWellFormed() : word;
    for (let at = 0; at < text.length && at < READ; at += 1) mix(text.charCodeAt(at));
    mix(0x1_0000 | text.length);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function written(hash: number): string {
  let letters = '';
  for (let letter = 0; letter < 8; letter += 1) letters += String.fromCharCode(97 + ((hash >>> (letter * 4)) & 0xf));
  return ` [ref ${letters}]`;
}
