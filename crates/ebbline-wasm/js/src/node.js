export {
  EbblineError,
  compact,
  compat,
  detect,
  finishSummary,
  init,
  plan,
  profiles,
  read,
  summaryRequest,
} from './node.cjs';
