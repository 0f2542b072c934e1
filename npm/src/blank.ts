import * as core from './core.js';
import { engineMemory } from './engine.js';

/** Whether a summary shows nothing, and therefore counts as empty. */
export function isBlank(summary: string): boolean {
  engineMemory();
  // An unpaired surrogate is passed as U+FFFD, which is visible.
  return core.isBlank(summary);
}
