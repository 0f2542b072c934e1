import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";

import type { Compactor, CompactorOptions, CompactorRecord } from "../index.js";

/**
 * An extension that keeps pi's session inside the context window. The session file stays whole; only what is sent to the model is made
 * smaller. It adds the command `/ebbline` (status, compact, undo, redo).
 *
 * @param compactorFor makes the compactor of a session from the options that pi gives. Other options can be set beside them.
 * @throws `EbblineError` `invalid_option` if it is no function. pi reports an error of the extension if it returns no compactor.
 *
 * @example
 * ```js
 * export default ebblineExtension((options) => createCompactor(options));
 * ```
 */
export function ebblineExtension(compactorFor: (options: PiSessionOptions) => Compactor): ExtensionFactory;

/** What pi gives for the compactor of a session. */
export interface PiSessionOptions extends CompactorOptions {
  format: "pi";
  /** Asks the model of the session. */
  summarize: NonNullable<CompactorOptions["summarize"]>;
  /** Tells the user about compactions, and notes that the record must be stored. Call it in an `onEvent` of your own. */
  onEvent: NonNullable<CompactorOptions["onEvent"]>;
  /** The limits of the model, if pi knows them. */
  model?: { context: number; output?: number };
  /** What was decided when the session was open before. */
  record?: NonNullable<CompactorOptions["record"]>;
}

/**
 * The compactor of a stored session, in a process that makes one anew: it goes on with the `record` of an earlier one. If the history is
 * another one, so that the record does not fit, it starts over, and {@link Compactor.begunAnew} says why.
 */
export function resumeCompactor<C extends Compactor>(
  create: (record: CompactorRecord | undefined) => C | Promise<C>,
  record: CompactorRecord | null | undefined,
  messages: readonly unknown[],
): Promise<C>;
