// The fixtures of all formats. Each format has a folder here, with sessions in it.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Every fixture, in the order of their names: its name, the folder that is called like its format, and its path. */
export const fixtureFiles = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: format }) =>
    readdirSync(join(here, format))
      .filter((name) => /\.jsonl?$/.test(name))
      .map((name) => ({ name, format, path: join(here, format, name) })),
  )
  .sort((one, other) => (one.name < other.name ? -1 : 1));
