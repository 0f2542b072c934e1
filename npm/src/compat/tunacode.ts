import { question, questionAboutText } from './ask.js';

const ask = (name) => question('tunacode', name);

export const tunacode = {
  compact: ask('compact'),
  inject: ask('inject'),
  record: ask('record'),
  serialize: ask('serialize'),
  prune: ask('prune'),
  isContextOverflow: questionAboutText('tunacode', 'isContextOverflow'),
};
