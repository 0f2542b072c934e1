// What the command line takes from the engine beside the package's functions. The file is bundled when the package is put
// together; it is required, for of a file that an `import` names Node reads every letter to find its exports.
import { createRequire } from 'node:module';

export const { REMINDERS, callIds, compactRecorded, isBlank, nearest, noSummaryIn, outputOf, secondMessages, swept, textOfBytes } =
  createRequire(import.meta.url)('../node-engine.cjs');
