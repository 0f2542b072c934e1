export { EbblineError, classifyError, compact, compat, detect, init, plan, profiles, read } from './node.cjs';
