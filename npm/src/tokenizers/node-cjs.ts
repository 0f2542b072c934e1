// The tokenizers in Node, both encodings. It is bundled into node.cjs, which reads a file when it is asked for it.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { loaderOf } from './loader.js';

export const o200k = of('o200k');
export const cl100k = of('cl100k');
export { EbblineError } from './tokenizer-error.js';

function of(name: 'o200k' | 'cl100k') {
  const path = (file: string) => join(__dirname, file);
  return loaderOf(`${name}_base`, {
    wasm: () => readFileSync(path('tokenizer.wasm')),
    ranks: () => readFile(path(`${name}.bin`)),
    ranksNow: () => readFileSync(path(`${name}.bin`)),
  });
}
