export { EbblineError, compact, compat, detect, init, plan, profiles, read, validate } from './node.cjs';
