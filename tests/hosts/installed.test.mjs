// pi as its users install it, with ebbline as they install it. OpenCode and OpenClaw take longer: see installed/.

import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

test('`pi install npm:ebbline` from an empty home: six turns in six processes, none refused', async () => {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('installed/agents.mjs', import.meta.url)), 'pi']);
});
