export {
  EbblineError,
  classifyError,
  compact,
  compat,
  detect,
  init,
  plan,
  policyFromSettings,
  profiles,
  read,
  validate,
} from './node.cjs';
