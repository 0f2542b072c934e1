import { EbblineError } from './errors.js';
import { files } from './files.js';
import * as filesCore from './files-core.js';
import type { Violation } from './generated/reports.js';
import type { RuleName } from './generated/words.js';
import { guarded } from './guard.js';
import { checkRule, checked } from './options.js';
import type { ValidateOptions } from './plan-options.js';
import { sourceOf } from './session-source.js';
import { putText, takeBytes, takeString } from './text-buffer.js';

/** What {@link repair} did. */
export interface Repaired {
  /** What was done, one entry for each fault, in the order in which it was done. */
  done: Mended[];
  /** The violations that are left in the repaired text, because they cannot be mended. */
  left: Violation[];
}

/** One fault that {@link repair} mended. */
export interface Mended {
  /**
   * `removed`: the part, or the message if nothing else was in it, is gone. `moved`: a result now is where the provider expects it.
   * `added`: a result which says that the outcome is unknown. `filled`: an empty text as the content of a result, or a note in the
   * place of what was removed. `joined`: a message became part of the one before it.
   */
  mending: 'removed' | 'moved' | 'added' | 'filled' | 'joined';
  rule: RuleName;
  /** The message in the text as it was, by its index among the messages that {@link read} finds. */
  message: number;
  /** What was wrong and what was done, in words. */
  text: string;
  /** The line of the message in the text as it was, counted from 1. */
  line: number;
  /** Its first byte in that text, counted from 0. */
  byte: number;
}

/**
 * Mends what a provider would refuse in the text of a session: results without calls, calls without results, results that are not
 * behind their calls, and what is empty. Only ranges of bytes change, and a text without faults comes back as it is. No outcome is
 * invented: a call without a result is removed, or, where the message is signed and must not change, gets a result which says that
 * the outcome is unknown.
 *
 * `also` and `except` change the rules, as in {@link validate}: with `also: ["empty_text"]`, empty texts of OpenAI Chat go as well, which
 * OpenAI itself takes and other servers refuse.
 *
 * @param input the text of a session file, or its bytes
 * @returns the text, what was done (`done`), and what cannot be mended (`left`)
 * @throws {@link EbblineError}
 *
 * @example
 * ```js
 * const { text, done, left } = repair(file);
 * for (const { text, line } of done) console.log(`line ${line}: ${text}`);
 * ```
 */
export const repair: {
  (input: string, options?: ValidateOptions): Repaired & { text: string };
  (input: Uint8Array, options?: ValidateOptions): Repaired & { bytes: Uint8Array };
} = guarded(function repair(input: unknown, options?: unknown) {
  const { format, strict = false, conversation, also = [], except = [] } = checked(options);
  for (const name of [...also, ...except]) checkRule(name);
  const source = sourceOf(input);
  if (Array.isArray(source)) {
    throw new EbblineError('invalid_option', 'repair mends the text of a session: pass its text or bytes, not an array');
  }
  const { buffer, length } = putText(source, files);
  const repaired = new filesCore.Repaired(buffer, length, format, strict, conversation, also, except);
  try {
    const report = repaired.report();
    const text = repaired.text();
    try {
      return { ...(typeof source === 'string' ? { text: takeString(text, files) } : { bytes: takeBytes(text, files) }), ...report };
    } finally {
      text.free();
    }
  } finally {
    repaired.free();
  }
}) as typeof repair;
