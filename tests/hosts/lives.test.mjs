// Adapters through the real packages of hosts and providers, against a server as strict as these: long sessions in a small window, with tools of
// up to 60 kB, a restart of the process in front of every turn of the user, overflows in the provider's words, and a summarizer that fails every
// third time. With EBBLINE_LONG=1, each life has 300 steps.

import { test } from 'node:test';

import { HOSTS as OF_AI_SDK } from './lives/ai-sdk.mjs';
import { HOSTS as OF_CLIENTS } from './lives/clients.mjs';
import { HOSTS as OF_FRAMEWORKS } from './lives/frameworks.mjs';
import { assertWhole, liveThrough } from './lives/life.mjs';
import { TURN } from './lives/world.mjs';

const TURNS = process.env.EBBLINE_LONG === '1' ? 12 : 3;

for (const host of [...OF_CLIENTS, ...OF_AI_SDK, ...OF_FRAMEWORKS]) {
  test(`${host.name}: ${TURNS * TURN} steps, no request that is refused but for its size, nothing lost`, { timeout: 600_000 }, async () => {
    const life = await liveThrough(host, TURNS);
    if (process.env.EBBLINE_FIGURES) {
      console.log(host.name, JSON.stringify({ refused: life.seen.refused, asked: life.told.asked, ...life.told.events }));
    }
    assertWhole(life, TURNS, host);
  });
}
