// pi and OpenCode as their users install them, with ebbline as they install it. OpenClaw takes longer: see installed/.

import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('installed/agents.mjs', import.meta.url));

for (const [name, command] of [
  ['pi', 'pi install npm:ebbline'],
  ['opencode', 'opencode plugin ebbline'],
]) {
  test(`\`${command}\` from an empty home: six turns in six processes, none refused`, async () => {
    await promisify(execFile)(process.execPath, [program, name]);
  });
}
