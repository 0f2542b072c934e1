import { question } from './ask.js';

export const brutus = {
  filterCompacted: question('brutus', 'filterCompacted'),
};
