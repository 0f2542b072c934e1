// Both `import` and `require` get what node.cjs holds: one vocabulary, one EbblineError.
import { EbblineError, cl100k } from './node.cjs';

export const { load, loadSync } = cl100k;
export { EbblineError };
