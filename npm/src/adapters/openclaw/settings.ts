import type { Compactor } from '../../compactor-interface.js';
import type { CompactorOptions } from '../../compactor-options.js';
import { invalid } from '../common/refusal.js';

/** Where the settings stand. */
const PLACE = 'plugins.entries.ebbline.config';

/** What can be set there. It is what `createCompactor` takes, as far as JSON can say it. */
const NAMES = [
  'profile',
  'policy',
  'set',
  'pins',
  'accept',
  'chunks',
  'fallback',
  'timeout',
  'budgetTokens',
  'failures',
  'cooldown',
  'when',
];

/** The settings of `openclaw.json`. */
export type Settings = Pick<CompactorOptions, 'profile' | 'policy' | 'set' | 'pins' | 'accept' | 'chunks' | 'fallback' | 'timeout'> &
  Pick<CompactorOptions, 'budgetTokens' | 'failures' | 'cooldown' | 'when'>;

/**
 * The settings, if a compactor takes them.
 *
 * @throws `EbblineError` `invalid_option` with the place of what is wrong
 */
export function checkedSettings(
  given: Record<string, unknown> | undefined,
  compactorFor: (options: CompactorOptions) => Compactor,
): Settings {
  const settings = given ?? {};
  for (const name of Object.keys(settings)) {
    if (!NAMES.includes(name)) throw invalid(`${PLACE} has no setting \`${name}\`; there are ${NAMES.join(', ')}`);
  }
  try {
    compactorFor({ ...settings, format: 'pi', warn: false }).free();
  } catch (error) {
    throw invalid(`${PLACE}: ${(error as Error).message}`);
  }
  return settings;
}
