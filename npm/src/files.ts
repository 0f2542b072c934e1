import load, { TextBuffer, initSync } from './files-core.js';
import { SecondModule } from './second-module.js';

/** The module that reads and writes texts. Whoever passes arrays of live messages only does not need it. */
export const files = new SecondModule(
  { load, initSync, TextBuffer },
  'the module that reads texts, replays and validates is not loaded yet: `await init({ files: true })` first. `plan` and `compact` of an array of messages do without it',
);
