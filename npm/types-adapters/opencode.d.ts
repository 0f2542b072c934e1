import type { Hooks, PluginInput } from "@opencode-ai/plugin";

import type { Compactor, CompactorOptions, CompactorRecord } from "../index.js";

/**
 * A plugin that keeps OpenCode's sessions inside the context window. What OpenCode stores stays whole; only what is sent to the model is
 * made smaller.
 *
 * @param compactorFor makes the compactor of a session from the options that OpenCode gives. Other options can be set beside them. It is
 *   called once for each session.
 * @throws `EbblineError` `invalid_option` if it is no function. A request fails with it if the function returns no compactor, or one
 *   compactor for two sessions.
 *
 * @example
 * ```js
 * export const Ebbline = ebblinePlugin((options) => createCompactor(options));
 * ```
 */
export function ebblinePlugin(
  compactorFor: (options: OpenCodeOptions, session: OpenCodeSession) => Compactor,
  options?: EbblinePluginOptions,
): EbblinePlugin;

/** What OpenCode gives for the compactor of a session. */
export interface OpenCodeOptions extends CompactorOptions {
  format: "opencode";
  /** The limits of the model, if OpenCode knows them. */
  model?: { context: number; output?: number };
}

export interface OpenCodeSession extends Pick<PluginInput, "client" | "directory"> {
  sessionID: string;
}

export interface EbblinePluginOptions {
  /** How many sessions are kept; 1,000 by default. Of more, the one that was not used for the longest time is forgotten. */
  limit?: number | undefined;
}

/** A plugin of OpenCode, with what it knows about the sessions. */
export interface EbblinePlugin {
  (
    input: Pick<PluginInput, "client" | "directory">,
  ): Promise<Required<Pick<Hooks, "experimental.chat.messages.transform" | "experimental.session.compacting" | "event" | "dispose">>>;
  /** The compactor of a session, for `undo`, `recall`, `record` and the like; `undefined` if nothing was sent for it yet. */
  compactor(sessionID: string): Compactor | undefined;
  /** Forgets a session and releases its memory. Returns whether there was one. */
  forget(sessionID: string): boolean;
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
