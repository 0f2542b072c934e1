import type { FormatName, RuleName } from './generated/words.js';

/** What {@link validate} found. */
export interface Validation {
  /** Whether no rule is violated. */
  valid: boolean;
  /** The format whose rules were checked. */
  format: FormatName;
  /** Every violation, in the order of the messages. */
  violations: Violation[];
  /** The calls at the end that have no result yet, in order. They are not violations. */
  pending: PendingCall[];
}

/** A call that still waits for its result. It must stay in the session until the result has arrived. */
export interface PendingCall {
  /** The message that makes the call, by its index in the array, or among the messages that {@link read} finds in a text. */
  message: number;
  /** The call, by its index in the message. */
  part: number;
  /** The call's id; missing when it has none. */
  id?: string;
  /** The tool's name, if it is known. */
  tool?: string;
  /** What happens when a late result arrives, in words. */
  text: string;
  /** The line on which the message begins, counted from 1; only for text. */
  line?: number;
  /** The byte at which the message begins, counted from 0; only for text. */
  byte?: number;
}

/** One place at which a session breaks a rule. */
export interface Violation {
  /** The message, by its index in the array, or among the messages that {@link read} finds in a text; 0 for an empty list. */
  message: number;
  /** The part, by its index in the message; missing if the message as a whole breaks the rule. */
  part?: number;
  rule: RuleName;
  /** What is wrong, in words. */
  text: string;
  /** The line on which the message begins, counted from 1; only for text. */
  line?: number;
  /** The byte at which the message begins, counted from 0; only for text. */
  byte?: number;
}
