import { question, questionAboutText } from './ask.js';

const ask = (name) => question('tunacode', name);

export const tunacode = {
  isContextOverflow: questionAboutText('tunacode', 'isContextOverflow'),
};
