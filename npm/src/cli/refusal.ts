// Why something cannot be done, as the commands have it.

/** An error that says so itself. */
export class Refused extends Error {
  readonly refusal: string;

  /** @param refusal in JSON */
  constructor(refusal: string) {
    super();
    this.refusal = refusal;
  }
}

/** What an error says. */
export function wordsOf(error: unknown): string {
  return String((error as Partial<Error> | null | undefined)?.message ?? error);
}

/** The refusal of an error, in JSON. */
export function refusalOf(error: unknown): string {
  if (error instanceof Refused) return error.refusal;
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  const words = wordsOf(error).split('\n')[0];
  // What the engine says is a reason, what the system says has a code.
  if (name === 'EbblineError') return JSON.stringify({ Reason: words });
  return JSON.stringify({ System: { code: String(code ?? ''), words } });
}
