import * as core from './core.js';
import { engineMemory } from './engine.js';
import { EbblineError } from './errors.js';

/**
 * The policy of a profile as its system's own settings turn it: `plan(messages, { policy: policyFromSettings(…) })`.
 *
 * `settings` is the settings object, or the text of the file; the package reads neither files nor the environment.
 */
export function policyFromSettings(profile, settings, { environment = {}, model } = {}) {
  engineMemory();
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings ?? {});
  if (text === undefined) throw new EbblineError('invalid_settings', 'the settings must be an object or JSON text');
  const flags = Object.entries(environment).filter(([, value]) => typeof value === 'string');
  return JSON.parse(core.readSettings(profile, text, flags.flat(), model));
}
