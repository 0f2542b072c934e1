import { question } from './ask.js';

const ask = (name) => question('opencode', name);

export const opencode = {};
