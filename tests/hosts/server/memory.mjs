// What a provider remembers of a session: what it signed, and what it sent together.
import { createHash } from 'node:crypto';

export class Memory {
  #made = 0;
  /** What each signature was given for. */
  #signed = new Map();
  /** What was sent together with a call or an item, by its id. */
  together = new Map();

  id(prefix) {
    this.#made += 1;
    return `${prefix}_${String(this.#made).padStart(6, '0')}`;
  }

  /** A signature of a value. The same value is signed with another signature each time. */
  sign(value) {
    const text = JSON.stringify(value);
    const signature = createHash('sha256')
      .update(`${this.id('s')} ${text}`)
      .digest('base64');
    this.#signed.set(signature, text);
    return signature;
  }

  /** Whether this signature was given for exactly this value. */
  isSigned(signature, value) {
    return this.#signed.get(signature) === JSON.stringify(value);
  }
}
