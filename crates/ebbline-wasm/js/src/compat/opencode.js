import { question, questionAboutText } from './ask.js';
import { fromError } from './opencode-errors.js';

const ask = (name) => question('opencode', name);

export const opencode = {
  isContextOverflow: questionAboutText('opencode', 'isContextOverflow'),
  fromError,
};
