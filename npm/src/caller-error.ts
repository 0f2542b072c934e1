/** An error of the caller's that reaches the caller as it is. */
export class CallerError {
  constructor(readonly error: unknown) {}
}
