import { guarded } from '../guard.js';
import { question, questionAboutText, toJson } from './ask.js';
import { fromError } from './opencode-errors.js';

const ask = (name) => question('opencode', name);

/** The released 1.x line of OpenCode: its answers about its stored messages. */
export const opencode = {
  usable: ask('usable'),
  isOverflow: ask('isOverflow'),
  filterCompacted: ask('filterCompacted'),
  latest: ask('latest'),
  step: ask('step'),
  modelMessages: ask('modelMessages'),
  prune: ask('prune'),
  process: ask('process'),
  titleRequest: ask('titleRequest'),
  // Data that is a string counts as JSON, but a reply is plain text.
  title: guarded((reply, options) => ask('title')(toJson('the reply', reply), options)),
  bodyRequest: ask('bodyRequest'),
  diffs: ask('diffs'),
  isContextOverflow: questionAboutText('opencode', 'isContextOverflow'),
  fromError,
};
