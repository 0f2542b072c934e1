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
  readonly #places = new Map<string, number>();
  /** the last variant of each reference */
  readonly #variants = new Map<string, number>();

  /** The place of the output that the eight letters of a reference lead to. */
  placeOf(letters: string): number | undefined {
    return this.#places.get(` [ref ${letters}]`);
  }

  /** Forgets the places from `length` on. */
  cut(length: number): void {
    for (const [reference, place] of this.#places) if (place >= length) this.#places.delete(reference);
  }

  /**
   * A message in which outputs were cleared, with references of its own.
   *
   * @param place of the message in the log
   * @param original the message as the log has it
   */
  distinct(message: unknown, place: number, original: unknown): unknown {
    const own = new Set<string>();
    eachReference(original, 0, (reference) => own.add(reference));
    const renamed = new Map<string, string>();
    eachReference(message, 0, (reference) => {
      if (own.has(reference) || renamed.has(reference)) return;
      const free = this.#free(reference, place);
      this.#places.set(free, place);
      if (free !== reference) renamed.set(reference, free);
    });
    return renamed.size === 0 ? message : rewritten(message, 0, renamed);
  }

  #free(reference: string, place: number): string {
    const isFree = (one: string) => (this.#places.get(one) ?? place) === place;
    if (isFree(reference)) return reference;
    let variant = (this.#variants.get(reference) ?? 0) + 1;
    while (!isFree(variantOf(reference, variant))) variant += 1;
    this.#variants.set(reference, variant);
    return variantOf(reference, variant);
  }
}

function eachReference(value: unknown, depth: number, use: (reference: string) => void): void {
  if (typeof value === 'string') {
    const reference = referenceAtEnd(value);
    if (reference !== undefined) use(reference);
  } else if (isSearched(value, depth)) {
    for (const inside of Object.values(value)) eachReference(inside, depth + 1, use);
  }
}

function rewritten(value: unknown, depth: number, renamed: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const reference = referenceAtEnd(value);
    const other = reference === undefined ? undefined : renamed.get(reference);
    return other === undefined ? value : value.slice(0, -other.length) + other;
  }
  if (!isSearched(value, depth)) return value;
  const changes: Record<string, unknown> = {};
  for (const [name, inside] of Object.entries(value)) {
    const made = rewritten(inside, depth + 1, renamed);
    if (made !== inside) changes[name] = made;
  }
  if (Object.keys(changes).length === 0) return value;
  return Array.isArray(value) ? Object.assign(value.slice(), changes) : withMembers(value, changes);
}

function isSearched(value: unknown, depth: number): value is object {
  return typeof value === 'object' && value !== null && depth < DEEPEST && !ArrayBuffer.isView(value);
}
