// What tokenx estimates: reads a JSON array of texts from standard input, writes one of numbers. The package is looked
// for where the benchmarks install their peers, or in the folder that EBBLINE_TOKENX names.

import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';

const folder = process.env.EBBLINE_TOKENX ?? fileURLToPath(new URL('../bench/node_modules/tokenx', import.meta.url));
const { module, exports, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const entry = exports?.['.']?.import?.default ?? exports?.['.']?.default ?? exports?.['.'] ?? module ?? main;
const { estimateTokenCount } = await import(pathToFileURL(join(folder, entry)));

const texts = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(texts.map((text) => estimateTokenCount(text))));
