import { withMembers } from './copy.js';
import { referenceAtEnd, variantOf } from './references.js';

/** How deep a reference may stand in a message. */
const DEEPEST = 16;

/**
 * Which output each reference in a view leads to. Where ids of calls repeat, the reference of one output would be that of another: it is
 * replaced by a variant.
 */
export class ReferencePlaces {
  /** the place of the output in the log, by the reference */
  #places: Map<string, number> = new Map();
  /** the last variant of each reference */
  #variants: Map<string, number> = new Map();

  /** The place of the output that the eight letters of a reference lead to. */
  placeOf(letters) {
    return this.#places.get(` [ref ${letters}]`);
  }

  /** Forgets the places from `length` on. */
  cut(length) {
    for (const [reference, place] of this.#places) if (place >= length) this.#places.delete(reference);
  }

  /**
   * A message in which outputs were cleared, with references of its own.
   *
   * @param place of the message in the log
   * @param original the message as the log has it
   */
  distinct(message: any, place: number, original: any) {
    const own = new Set();
    eachReference(original, 0, (reference) => own.add(reference));
    const renamed: Map<string, string> = new Map();
    eachReference(message, 0, (reference) => {
      if (own.has(reference) || renamed.has(reference)) return;
      const free = this.#free(reference, place);
      this.#places.set(free, place);
      if (free !== reference) renamed.set(reference, free);
    });
    return renamed.size === 0 ? message : rewritten(message, 0, renamed);
  }

  #free(reference, place) {
    const isFree = (one) => (this.#places.get(one) ?? place) === place;
    if (isFree(reference)) return reference;
    let variant = (this.#variants.get(reference) ?? 0) + 1;
    while (!isFree(variantOf(reference, variant))) variant += 1;
    this.#variants.set(reference, variant);
    return variantOf(reference, variant);
  }
}

function eachReference(value, depth, use) {
  if (typeof value === 'string') {
    const reference = referenceAtEnd(value);
    if (reference !== undefined) use(reference);
  } else if (isSearched(value, depth)) {
    for (const inside of Object.values(value)) eachReference(inside, depth + 1, use);
  }
}

function rewritten(value, depth, renamed) {
  if (typeof value === 'string') {
    const reference = referenceAtEnd(value);
    const other = reference && renamed.get(reference);
    return other === undefined ? value : value.slice(0, -other.length) + other;
  }
  if (!isSearched(value, depth)) return value;
  const changes = {};
  for (const [name, inside] of Object.entries(value)) {
    const made = rewritten(inside, depth + 1, renamed);
    if (made !== inside) changes[name] = made;
  }
  if (Object.keys(changes).length === 0) return value;
  return Array.isArray(value) ? Object.assign(value.slice(), changes) : withMembers(value, changes);
}

function isSearched(value, depth) {
  return typeof value === 'object' && value !== null && depth < DEEPEST && !ArrayBuffer.isView(value);
}
