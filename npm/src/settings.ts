import { checkText, jsonFor } from './engine-json.js';
import { EbblineError } from './errors.js';
import { files } from './files.js';
import { readSettings } from './files-core.js';
import type { Policy } from './generated/policy.js';
import type { ProfileName } from './generated/words.js';
import { guarded } from './guard.js';
import { checkedForSettings } from './options.js';

/** What settings depend on beside their file. */
export interface SettingsSurroundings {
  /** Environment flags, for example `process.env`. */
  environment?: Record<string, string | undefined> | undefined;
  /** The model in use, `provider/model`. */
  model?: string | undefined;
}

/**
 * Returns the policy of a profile, changed by its system's own settings: `plan(messages, { policy: policyFromSettings(…) })`.
 *
 * pi: `settings.json`. OpenCode: `opencode.json`, and its flags `OPENCODE_DISABLE_AUTOCOMPACT`, `OPENCODE_DISABLE_PRUNE` and
 * `OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX`. TunaCode: `tunacode.json`. The package itself reads neither files nor the environment.
 *
 * @param settings the settings, or the text of the file
 * @throws {@link EbblineError} `invalid_settings`, with the name of the setting that cannot be used
 */
export const policyFromSettings = guarded(function policyFromSettings(
  profile: ProfileName,
  settings: string | object,
  surroundings?: SettingsSurroundings,
): Policy {
  files.memory();
  const { environment = {}, model } = checkedForSettings(surroundings);
  checkText('the profile', profile);
  const text = textOf(settings ?? {});
  const flags = Object.entries<unknown>(environment).filter((flag): flag is [string, string] => typeof flag[1] === 'string');
  return readSettings(profile, text, flags.flat(), model);
});

function textOf(settings: unknown): string {
  if (typeof settings === 'object') return jsonFor('invalid_settings', 'the settings', settings);
  if (typeof settings !== 'string') throw new EbblineError('invalid_settings', 'the settings must be an object or JSON text');
  checkText('the settings', settings);
  return settings;
}
