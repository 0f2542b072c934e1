// The tarball itself: publint and Are the Types Wrong have nothing to say.

import { join } from 'node:path';

import { manifestOf, run, versionOf } from '../project.mjs';

const programs = join(import.meta.dirname, '../../node_modules/.bin');

async function silent(folder, name, words, content) {
  const { stdout, stderr } = await run(folder, join(programs, name), words);
  if (!`${stdout}${stderr}`.includes(content)) throw new Error(`${name} has something to say:\n${stdout}${stderr}`);
}

/** Entries by what they can be had with: `import` and `require`, or `import` alone. What is no JavaScript is left out. */
function entries({ exports }) {
  const kinds = { both: [], importOnly: [], data: [] };
  for (const [path, value] of Object.entries(exports)) {
    const text = JSON.stringify(value);
    if (typeof value === 'string') kinds.data.push(path);
    else kinds[text.includes('"require"') ? 'both' : 'importOnly'].push(path);
  }
  return kinds;
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
      const { both, importOnly } = entries(manifestOf(folder));
      const words = ['--no-definitely-typed', '--no-emoji', '--no-color', tarball, '--entrypoints'];
      await silent(folder, 'attw', [...words, ...both], 'No problems found');
      await silent(folder, 'attw', ['--profile', 'esm-only', ...words, ...importOnly], '');
      return { checked: ['silent', `${both.length + importOnly.length} entries`] };
    },
  },
];
