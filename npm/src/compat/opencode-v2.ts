import { question } from './ask.js';

const ask = (name) => question('opencodeV2', name);

export const opencodeV2 = {
  compact: ask('compact'),
  required: ask('required'),
};
