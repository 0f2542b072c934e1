// Why something cannot be done, as the commands have it.

/** An error that says so itself. */
export class Refused extends Error {
  /** @param refusal in JSON, if it is a text */
  constructor(refusal: object | string) {
    super();
    this.refusal = typeof refusal === 'string' ? refusal : JSON.stringify(refusal);
  }
}

/** The refusal of an error, in JSON. */
export function refusalOf(error) {
  if (error instanceof Refused) return error.refusal;
  const words = String(error?.message ?? error).split('\n')[0];
  // What the engine says is a reason, what the system says has a code.
  if (error?.name === 'EbblineError') return JSON.stringify({ Reason: words });
  return JSON.stringify({ System: { code: String(error?.code ?? ''), words } });
}

/** `{ Ok: … }` or `{ Err: … }` in JSON; what is done gives the JSON of what comes of it. */
export function resultOf(done) {
  try {
    return `{"Ok":${done()}}`;
  } catch (error) {
    return `{"Err":${refusalOf(error)}}`;
  }
}
