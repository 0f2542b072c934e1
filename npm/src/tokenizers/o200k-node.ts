// Both `import` and `require` get what node.cjs holds: one vocabulary, one EbblineError.
import { EbblineError, o200k } from './node.cjs';

export const { load, loadSync } = o200k;
export { EbblineError };
