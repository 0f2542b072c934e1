import load, { TextBuffer, initSync } from '../compat-core.js';
import { SecondModule } from '../second-module.js';

/** The module that answers for other systems. */
export const engine = new SecondModule(
  { load, initSync, TextBuffer },
  'the module of `compat` is not loaded yet: `await init({ compat: true })` first',
);
