import { question } from './ask.js';

/** BRUTUS, a specification that follows OpenCode of January 2026. */
export interface BrutusCompat {
  /** The indices of the messages that are sent to the model; a summary counts even if it is unfinished or failed. */
  filterCompacted(messages: readonly unknown[] | string): number[];
}

const brutus: BrutusCompat = {
  filterCompacted: question('brutus', 'filterCompacted'),
};

export default brutus;
