import { EbblineError } from './errors.js';
import { files } from './files.js';
import { readSettings } from './files-core.js';
import { guarded } from './guard.js';
import { checkText, checkedForSettings, jsonFor } from './options.js';

/**
 * The policy of a profile, changed by its system's own settings: `plan(messages, { policy: policyFromSettings(…) })`.
 *
 * `settings` is the settings object, or the text of the file; the package reads neither files nor the environment.
 */
export const policyFromSettings = guarded(function policyFromSettings(profile, settings, surroundings) {
  files.memory();
  const { environment = {}, model } = checkedForSettings(surroundings);
  checkText('the profile', profile);
  const text = textOf(settings ?? {});
  const flags = Object.entries(environment).filter(([, value]) => typeof value === 'string');
  return JSON.parse(readSettings(profile, text, flags.flat(), model));
});

function textOf(settings) {
  if (typeof settings === 'object') return jsonFor('invalid_settings', 'the settings', settings);
  if (typeof settings !== 'string') throw new EbblineError('invalid_settings', 'the settings must be an object or JSON text');
  checkText('the settings', settings);
  return settings;
}
