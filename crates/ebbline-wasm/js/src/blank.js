import * as core from './core.js';
import { engineMemory } from './engine.js';

/** Whether a summary shows nothing, and so is none. */
export function isBlank(summary) {
  engineMemory();
  // An unpaired surrogate crosses as U+FFFD, which is seen.
  return core.isBlank(summary);
}
