// The tarball itself: publint and Are the Types Wrong must report nothing.

import { join } from 'node:path';

import { manifestOf, run, versionOf } from '../project.mjs';

const programs = join(import.meta.dirname, '../../node_modules/.bin');

async function silent(folder, name, words, content) {
  const { stdout, stderr } = await run(folder, join(programs, name), words);
  if (!`${stdout}${stderr}`.includes(content)) throw new Error(`${name} has something to say:\n${stdout}${stderr}`);
}

/**
 * Entries by attw's profile: the old resolution, which does not read `exports`, finds no subpaths, and some subpaths
 * support `import` only. Files that are not JavaScript are left out.
 */
function entriesByProfile({ exports }) {
  const profiles = { strict: [], node16: [], 'esm-only': [] };
  for (const [path, value] of Object.entries(exports)) {
    if (typeof value === 'string') continue;
    const isBoth = JSON.stringify(value).includes('"require"');
    profiles[path === '.' ? 'strict' : isBoth ? 'node16' : 'esm-only'].push(path);
  }
  return Object.entries(profiles).filter(([, paths]) => paths.length > 0);
}

export const rows = [
  {
    runtime: 'publint',
    version: () => versionOf('publint'),
    files: {},
    async run(folder, tarball) {
      await silent(folder, 'publint', ['run', '--strict', tarball], 'All good!');
      return { checked: ['silent'] };
    },
  },
  {
    runtime: 'attw',
    version: () => versionOf('@arethetypeswrong/cli'),
    files: {},
    async run(folder, tarball) {
      const profiles = entriesByProfile(manifestOf(folder));
      for (const [profile, paths] of profiles) {
        const words = ['--no-definitely-typed', '--no-emoji', '--no-color', '--profile', profile, tarball, '--entrypoints', ...paths];
        await silent(folder, 'attw', words, profile === 'strict' ? 'No problems found' : '');
      }
      return { checked: ['silent', `${profiles.flatMap(([, paths]) => paths).length} entries`] };
    },
  },
];
