// Instructions of the native engine, counted by valgrind: unlike times, they are the same in every run.

import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

import { digits, short, whole } from './tables.mjs';

const LENGTHS = [100, 1_000, 100_000];
const TURNS = 100;

/**
 * Rows of a table, or nothing where there is no valgrind.
 *
 * @param {string} program `examples/counted`
 * @param {string} file a session file
 * @param {string[]} profiles
 * @param {boolean} isQuick
 */
export function instructions(program, file, profiles, isQuick) {
  if (spawnSync('valgrind', ['--version']).status !== 0) return undefined;
  /** Instructions per operation. A run without operations gives the cost of starting, which must not count. */
  const each = (words, operations, profile) => {
    const with_ = count(program, [...words, String(operations), profile]);
    const without = count(program, [...words, '0', profile]);
    return (with_ - without) / operations;
  };
  const chosen = isQuick ? profiles.slice(0, 1) : profiles;
  const rows = chosen.flatMap((profile) =>
    (isQuick ? LENGTHS.slice(0, 2) : LENGTHS).map((length) => [
      `two messages and a decision at ${short(length)} messages, ${profile}`,
      whole(each(['push', String(length)], TURNS, profile)),
    ]),
  );
  const { size: bytes } = statSync(file);
  for (const profile of chosen) {
    rows.push([`a byte of JSON Lines read and planned, ${profile}`, digits(each(['read', file], 1, profile) / bytes)]);
  }
  return rows;
}

function count(program, words) {
  const given = ['--tool=callgrind', '--callgrind-out-file=/dev/null', program, ...words];
  const { stderr, status } = spawnSync('valgrind', given, { encoding: 'utf8' });
  const [, collected] = /Collected : (\d+)/u.exec(stderr) ?? [];
  if (status !== 0 || collected === undefined) throw new Error(`valgrind ${given.join(' ')}: ${stderr.trim()}`);
  return Number(collected);
}
