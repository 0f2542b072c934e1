/** An error of the caller's that reaches the caller as it is. */
export class CallerError {
  constructor(error) {
    this.error = error;
  }
}
