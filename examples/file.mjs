// Compact a session file: any supported agent's, in its own format, byte for byte the same but for what the plan names.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { compact, detect, validate } from 'ebbline';

import { history } from './model.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ebbline-example-'));
const file = join(folder, 'session.json');
writeFileSync(file, JSON.stringify({ model: 'scripted', messages: history(20, 20_000) }, undefined, 1));

const bytes = readFileSync(file);
console.log(`format: ${detect(bytes).format}`);
const done = compact(bytes, { profile: 'opencode@2026-06', set: { 'prune.enabled': true } });
writeFileSync(file, done.bytes);
console.log(`pruned outputs: ${done.applied.pruned > 0}, smaller: ${done.bytes.length < bytes.length}`);
console.log(`broken rules: ${validate(readFileSync(file)).violations.length}`);
rmSync(folder, { recursive: true });

// It prints:
// → format: openai_chat
// → pruned outputs: true, smaller: true
// → broken rules: 0
