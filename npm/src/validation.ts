import { restrictionsOf } from './formats/common/restrictions.js';
import type { Calls } from './call-numbers.js';
import { files } from './files.js';
import * as filesCore from './files-core.js';
import type { PendingCall, Violation } from './generated/reports.js';
import type { FormatName } from './generated/words.js';
import { guarded } from './guard.js';
import { walk } from './live-plan.js';
import { checkRule, checked } from './options.js';
import type { ValidateOptions } from './plan-options.js';
import { policyOf } from './ready-policy.js';
import { type SessionInput, sourceOf } from './session-source.js';
import { readText } from './text-session.js';

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

/** A call that waits for its result, as the engine knows it: by its number. */
type NumberedCall = Omit<PendingCall, 'id'> & { number?: number };

/**
 * What the engine finds in live messages, whose ids it does not know.
 *
 * @internal
 */
export type NumberedValidation = Omit<Validation, 'pending'> & { pending: NumberedCall[] };

/**
 * Says whether a session is a request that its provider accepts, and which rules it breaks where. Only what the agent would
 * send now counts. In a browser, `await init({ files: true })` comes first: the rules are in the module that reads texts.
 *
 * @param input the text of a session file, its bytes, or an array of live messages, as for {@link plan}
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const { valid, violations } = validate(messages, { also: ["last_role"] });
 * ```
 */
export const validate = guarded(function validate(input: SessionInput, options?: ValidateOptions): Validation {
  const given = checked(options);
  const { also = [], except = [] } = given;
  for (const name of [...also, ...except]) checkRule(name);
  const policy = policyOf(given);
  const source = sourceOf(input);
  if (!Array.isArray(source)) return readText(source, given, policy, (session) => session.validate(also, except));
  files.memory();
  const measures = { placeholder: policy.placeholder, wide: false, classes: false, ofJson: false, notation: false };
  return walk(source, { ...given, countTokens: undefined }, { measures }, false, ({ format }, recorder) => {
    const { emptyCalls, cacheMarks, blankTexts, calls: refused } = restrictionsOf(format, source);
    const { records, tools, calls } = recorder;
    const found = filesCore.validateRecords(records, tools, format.name, also, except, emptyCalls, cacheMarks, blankTexts, refused);
    return { ...found, pending: found.pending.map((call) => named(call, calls)) };
  });
});

/** A call that waits for its result, with its id instead of its number. */
function named({ number, message, part, ...call }: NumberedCall, calls: Calls): PendingCall {
  const id = number === undefined ? undefined : calls.idOf(number);
  return { message, part, ...(id !== undefined && { id }), ...call };
}
