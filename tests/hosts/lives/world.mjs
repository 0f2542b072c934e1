// What happens in a life: what the scripted model does at each step, what its tools give, and what the user says.

/** How many steps a turn of the user has; behind it, another process goes on. */
export const TURN = 25;
/** The model's window in tokens of four characters, and what the compactor is told. */
export const WINDOW = 32_000;
export const SYSTEM = `You are a careful agent. ${'Read before you write, and say what you found. '.repeat(120)}`;
/** Sizes of outputs in bytes; one in twenty is as large as tools allow. */
const SIZES = [
  400, 2_600, 900, 9_000, 700, 4_000, 24_000, 1_200, 6_000, 300, 15_000, 2_000, 800, 60_000, 500, 3_000, 12_000, 1_000, 5_000, 700,
];

/** What the user says at the beginning of each turn. The first words are the goal, the second an order for the whole session. */
export function wordsOf(turn) {
  const fact = factsOf(turn);
  const order = ORDERS[turn % ORDERS.length];
  return turn === 0
    ? `Find out why invoices are off by one cent. The ticket is ${fact}. ${order}`
    : `Go on with part ${turn}. The customer of this part is ${fact}. ${turn < ORDERS.length ? order : ''}`.trim();
}

const ORDERS = [
  'Never edit anything under vendor/legacy-billing.',
  'Always run the tests with `make check-fast`.',
  'Only deploy to eu-west-7.',
];

/** What must be there at the end: what the user named in a turn. */
export function factsOf(turn) {
  return `CUST-${(turn + 3) * 7919}`;
}

/** The standing orders that were given until then. */
export function ordersUntil(turns) {
  return ORDERS.slice(0, turns);
}

/** The answer to request `number`, the first of which is 1. */
export function answerTo(number) {
  if (number % TURN === 0) return { text: `Part ${number / TURN} is done: the rounding was looked at in ${TURN - 1} places.` };
  const call = (which) => ({ id: `call_${number}_${which}`, name: 'read', arguments: { at: number, which } });
  // What the model says fills the window as well, so that pruning alone does not do.
  const text = `I look at file ${number}, because the one before does not round. `.repeat(number % 3 === 0 ? 40 : 12).trim();
  return { text, calls: number % 6 === 0 ? [call(0), call(1)] : [call(0)] };
}

/** What the tool gives. */
export function outputOf({ at, which }) {
  const size = which === 1 ? 1_500 : SIZES[at % SIZES.length];
  const lines = [];
  for (let length = 0, line = 0; length < size; line += 1) {
    lines.push(
      `${line + 1}: const cents${(at * 7919 + line) % 1000} = Math.round(ledger[${(at * 31 + line * 17) % 977}] * 100) / ${which + 1};`,
    );
    length += lines.at(-1).length + 1;
  }
  return lines.join('\n').slice(0, size);
}
