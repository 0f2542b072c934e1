import { question } from './ask.js';

const ask = (name) => question('pi', name);

export const pi = {
  overflow: ask('overflow'),
};
