// The agent as a process of its own, which killed.test.mjs kills. It goes on with what is in its folder, and ends when it has so many answers.
// node killed-agent.mjs FORMAT URL FOLDER ANSWERS SEED
import { Agent } from './agent-loop.mjs';
import { ebbline } from './adapter.mjs';
import { FileDisk } from './disk.mjs';
import { Fate } from './fate.mjs';
import { randomOf } from './server/random.mjs';
import { outputOf } from './server/script.mjs';
import { GIVEN_UP, Watch } from './watch.mjs';

const [format, url, folder, answers, seed] = process.argv.slice(2);
const GOAL = 'Find out why the login test fails, and mend it without a change to the migrations.';
/** What the agent knows of the server: nothing. */
const UNKNOWN = /** @type {any} */ ({ seen: { invalid: [], overflows: 0 }, last: {}, isHonest: false, limit: 0 });

const watch = new Watch(UNKNOWN, format, true, false);
watch.mustHold.push(GOAL);
const agent = new Agent({
  format: /** @type {any} */ (format),
  url,
  output: 1_500,
  thinks: true,
  disk: new FileDisk(folder),
  options: { model: { context: 12_000, output: 1_500 }, now: () => 1_790_000_000_000 },
  createCompactor: ebbline.createCompactor,
  toolOutput: outputOf,
  fate: new Fate(randomOf(Number(seed)), { killed: 0, cancelled: 0.05, isBackground: false }),
  watch,
});

const orderOf = (number) => `And now test number ${number}; it has to pass, too.`;
const isModel = ({ role, type }) => ['assistant', 'model'].includes(role) || type === 'function_call';
const countOf = (test) => agent.history.filter(test).length;
const saidBefore = () => countOf((message) => JSON.stringify(message).includes('And now test number'));

process.stdout.write(`at ${agent.history.length}\n`);
while (countOf(isModel) < Number(answers)) {
  if (agent.isAnswered) agent.say(agent.history.length === 0 ? GOAL : orderOf(saidBefore() + 1));
  watch.newest = saidBefore() === 0 ? GOAL : orderOf(saidBefore());
  try {
    await agent.turn();
  } catch (error) {
    const isOfTheNetwork = error.status !== undefined || error instanceof TypeError || error.message === 'the stream ended too early';
    if (!isOfTheNetwork && !GIVEN_UP.includes(error.code)) throw error;
  }
}
await agent.end();
