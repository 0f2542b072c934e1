export { EbblineError, compact, detect, init, plan, profiles, read } from './node.cjs';
