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
} from './node.cjs';
