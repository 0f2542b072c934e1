// What npm's compactor makes of a record: reads `{record, history, model}`, prints `{view, record}`.

import { readFileSync } from 'node:fs';

import { ebbline } from '../npm/package.mjs';

const { record, history, model } = JSON.parse(readFileSync(0, 'utf8'));
const compactor = ebbline.createCompactor({ model, record, summarize: 'deterministic' });
const view = await compactor.prepare(history);
console.log(JSON.stringify({ view, record: compactor.record }));
