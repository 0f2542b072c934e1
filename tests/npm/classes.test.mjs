// The class-aware estimate of live texts, for the same table of texts as in the engine's own test.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { internal } from './package.mjs';

const { classedArguments, classedInJson, classedLength } = await internal('character-costs.js');
const table = JSON.parse(readFileSync(new URL('../texts/classes.json', import.meta.url), 'utf8'));

for (const [list, rows] of Object.entries(table)) {
  test(`${list}: the figures of the engine`, () => {
    for (const { name, text, times = 1, classed, arguments: ofArguments, inJson } of rows) {
      const whole = text.repeat(times);
      const figures = [classedLength(whole), classedArguments(whole), classedInJson(whole)];
      assert.deepEqual(figures, [classed, ofArguments, inJson], name);
    }
  });
}
