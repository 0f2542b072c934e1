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

/** The text of a pruned output: the placeholder and a reference to its call. */
export function cleared(placeholder, id) {
  return `${placeholder}${referenceTo(typeof id === 'string' ? id : '')}`;
}

/** Whether {@link cleared} wrote a text for the call `id`, with any placeholder. */
export function isCleared(text, id) {
  return typeof id === 'string' && endsInReference(text) && text.endsWith(referenceTo(id));
}

/** Whether a text ends like a reference. Almost no text does, and the last unit already shows it. */
export function endsInReference(text) {
  return text.charCodeAt(text.length - 1) === CLOSING && text.startsWith(REFERENCE, text.length - REFERENCE_LENGTH);
}

/** The reference to a call; the empty id means a call without an id. */
export function referenceTo(id) {
  return reference(['output', id]);
}

/**
 * The first line of a summary.
 *
 * @param {number} standsFor how many messages it replaces
 * @param {number} kept how many messages follow it when it is written
 * @param {string} anchor the first call after it, or the first text after it that no user wrote; the summary itself
 * if there is none
 */
export function lead(standsFor, kept, anchor) {
  const mark = reference(['summary', String(kept), anchor]);
  return `${BEGINS}${standsFor} earlier messages; the next ${kept} are kept word for word]${mark}\n\n`;
}

/**
 * The claim of a text that says it is a summary. What follows the text proves or disproves it.
 *
 * @returns {{ kept: number, mark: string, fitsItself: boolean } | undefined}
 */
export function claimOf(text) {
  if (typeof text !== 'string' || !text.startsWith(BEGINS)) return undefined;
  const found = LEAD.exec(text);
  if (found === null) return undefined;
  const kept = Number(found[2]);
  const mark = ` [ref ${found[3]}]`;
  const claim = { kept, mark };
  return { ...claim, fitsItself: fits(claim, text.slice(found[0].length)) };
}

/** A text that claims to be a summary, as its first line and the rest; `undefined` if it claims nothing. */
export function splitAtLead(text) {
  const found = text.startsWith(BEGINS) ? LEAD.exec(text) : null;
  return found === null ? undefined : { lead: found[0], rest: text.slice(found[0].length) };
}

/** Whether a claim is true if `anchor` is the anchor that follows the summary. */
export function fits({ kept, mark }, anchor) {
  return mark === reference(['summary', String(kept), anchor]);
}

/** Whether the id is in the session, and not one that a format made up. */
export function isOwn(id) {
  if (typeof id !== 'string') return false;
  const first = id.charCodeAt(0);
  return first !== 0 && first !== HASH && !id.startsWith(WITHOUT_ID);
}

/** FNV-1a over the length and the first UTF-16 units of each word, followed by a final mix that spreads every bit. */
function reference(words) {
  let hash = 0x811c_9dc5;
  const mix = (unit) => {
    hash = Math.imul(hash ^ unit, 0x0100_0193);
  };
  for (const word of words) {
    const text = word.isWellFormed?.() === false ? word.toWellFormed() : word;
    for (let at = 0; at < text.length && at < READ; at += 1) mix(text.charCodeAt(at));
    mix(0x1_0000 | text.length);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  hash ^= hash >>> 16;
  let letters = '';
  for (let letter = 0; letter < 8; letter += 1) letters += String.fromCharCode(97 + ((hash >>> (letter * 4)) & 0xf));
  return ` [ref ${letters}]`;
}
