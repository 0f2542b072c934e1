// Sessions whose text the module of files reads.

import { askedOf } from './decision.js';
import { files } from './files.js';
import * as filesCore from './files-core.js';
import type { Plan } from './generated/plan.js';
import { invalid } from './option-checks.js';
import type { GivenOptions } from './options.js';
import type { ReadyPolicy } from './ready-policy.js';
import { putText } from './text-buffer.js';

/** Reads a text and calls `use` with the session. */
export function readText<T>(
  source: string | Uint8Array,
  { format, strict, conversation }: Pick<GivenOptions, 'format' | 'strict' | 'conversation'>,
  { placeholder }: ReadyPolicy,
  use: (session: filesCore.SessionText) => T,
): T {
  const { buffer, length } = putText(source, files);
  const session = new filesCore.SessionText(buffer, length, format, placeholder, strict ?? false, conversation);
  try {
    return use(session);
  } finally {
    session.free();
  }
}

/** Plans a session that was read, and calls `use` with the plan: in the engine's own form, and as a value. */
export function planText<T>(
  session: filesCore.SessionText,
  given: GivenOptions,
  { json }: ReadyPolicy,
  use: (planned: filesCore.Plan, plan: Plan) => T,
): T {
  const planned = session.plan(json, ...askedOf(given));
  try {
    return use(planned, JSON.parse(planned.toJson()));
  } finally {
    planned.free();
  }
}

/** Of a text the engine reads lengths alone. */
export function refuseCounting({ countTokens }: Pick<GivenOptions, 'countTokens'>) {
  if (countTokens === undefined) return;
  throw invalid('the option countTokens counts live messages: pass their array, not text');
}
