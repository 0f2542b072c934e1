// What node-cjs.ts is bundled into.
export { EbblineError, cl100k, o200k } from './node-cjs.js';
