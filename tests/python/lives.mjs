// The world of tests/hosts/lives for agents in Python: `node lives.mjs TURNS` prints a line of JSON that says where the server is and what the user
// says, and with the end of standard input what the server has seen.

import { strict } from '../hosts/lives/life.mjs';
import { SYSTEM, WINDOW, answerTo, factsOf, ordersUntil, wordsOf } from '../hosts/lives/world.mjs';
import { startProvider } from '../hosts/provider.mjs';

const turns = Array.from({ length: Number(process.argv[2]) }, (_, turn) => turn);
const { url, seen, close } = await startProvider({ window: WINDOW, answer: ({ number }) => answerTo(number), faults: strict() });
console.log(JSON.stringify({ url, system: SYSTEM, window: WINDOW, words: turns.map(wordsOf) }));
process.stdin.resume();
process.stdin.on('end', async () => {
  const last = JSON.stringify(seen.bodies.at(-1));
  const lost = [...turns.map(factsOf), ...ordersUntil(turns.length)].filter((fact) => !last.includes(JSON.stringify(fact).slice(1, -1)));
  const { requests, refused, violations } = seen;
  console.log(JSON.stringify({ requests, refused, violations, lost }));
  await close();
});
