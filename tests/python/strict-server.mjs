// The provider's server of `tests/hosts`, for programs in other languages: `node strict-server.mjs WINDOW` prints its address, and
// with the end of standard input what it has seen. It refuses what OpenAI would refuse.

import { randomOf } from '../hosts/server/random.mjs';
import { tokensOf } from '../hosts/server/count.mjs';
import { startProvider } from '../hosts/server/provider.mjs';

const OUTPUT = 1_000;
const server = await startProvider(tokensOf);
const { session, url } = server.open({
  format: 'openai_chat',
  random: randomOf(7),
  window: Number(process.argv[2]),
  output: OUTPUT,
  thinks: false,
});
console.log(url);
process.stdin.resume();
process.stdin.on('end', () => {
  console.log(JSON.stringify(session.seen));
  server.close();
});
