import { question } from './ask.js';

const ask = (name) => question('tunacode', name);

export const tunacode = {};
