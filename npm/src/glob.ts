/** What a glob is made of, besides characters that stand for themselves. */
const ONE = 0;
const NAME = 1;
const ANY = 2;
/** Any folders, or none. */
const FOLDERS = 3;

/**
 * A glob: `*` stands for anything but a slash, `**` for anything, `**` with a slash behind it for any folders or none, `?` for one
 * character but a slash. All ways to match are followed at once, so that no glob takes exponential time.
 */
export class Glob {
  readonly #parts: readonly (string | number)[];

  constructor(glob: string) {
    this.#parts = (glob.match(/\*{2,}\/|\*{2,}|[^]/gu) ?? []).map(partOf);
  }

  test(text: string): boolean {
    let open: ReadonlySet<number> = this.#from(0, new Set());
    for (const character of text) {
      if (open.size === 0) return false;
      open = this.#after(open, character);
    }
    return open.has(this.#parts.length);
  }

  /** Adds the places that are reached at `at` without a character. */
  #from(at: number, open: Set<number>): ReadonlySet<number> {
    let place = at;
    while (!open.has(place)) {
      open.add(place);
      const part = this.#parts[place];
      if (typeof part === 'string' || part === ONE || part === undefined) break;
      place += 1;
    }
    return open;
  }

  /** The places that are reached by a character. */
  #after(open: ReadonlySet<number>, character: string): ReadonlySet<number> {
    const isSlash = character === '/';
    const inside: number[] = [];
    const next = new Set<number>();
    for (const place of open) {
      const part = this.#parts[place];
      if (part === character || (part === ONE && !isSlash)) this.#from(place + 1, next);
      else if (part === ANY || (part === NAME && !isSlash)) this.#from(place, next);
      else if (part === FOLDERS) {
        inside.push(place);
        if (isSlash) this.#from(place + 1, next);
      }
    }
    // Inside the name of a folder, nothing behind it is reached before its slash.
    for (const place of inside) next.add(place);
    return next;
  }
}

function partOf(part: string): string | number {
  if (part === '?') return ONE;
  if (part === '*') return NAME;
  if (part.length === 1 || !part.startsWith('**')) return part;
  return part.endsWith('/') ? FOLDERS : ANY;
}
