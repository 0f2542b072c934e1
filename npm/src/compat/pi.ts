import { question } from './ask.js';

const ask = (name) => question('pi', name);

export const pi = {
  estimate: ask('estimate'),
  context: ask('context'),
  cutPoint: ask('cutPoint'),
  prepare: ask('prepare'),
  serialize: ask('serialize'),
  overflow: ask('overflow'),
  check: ask('check'),
  compact: ask('compact'),
  branch: ask('branch'),
  branchSummary: ask('branchSummary'),
};
