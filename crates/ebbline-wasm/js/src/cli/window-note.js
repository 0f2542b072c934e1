import { profiles } from '../node.js';
import { amount } from './style.js';

/**
 * Nothing weighs more in a replay than the window, so an assumed one is never assumed in silence.
 *
 * @param {{ context?: string, set?: string[], profile?: any }} values
 */
export function noteWindow({ context, set = [], profile }, notes, option = '--context') {
  if (context !== undefined || set.some((setting) => setting.startsWith('model.context='))) return;
  const known = profiles();
  const { policy } = known.find(({ name }) => name === profile) ?? known[0];
  notes.write(`ebbline: without ${option}, a window of ${amount(policy.model.context)} tokens is assumed\n`);
}
