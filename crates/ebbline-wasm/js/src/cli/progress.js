/** How long nothing is said, and how often afterwards, in milliseconds. */
const PATIENCE = 1000;
const EVERY = 200;
/** The size of a file that takes long enough for a line, in bytes. */
const LONG = 8_000_000;
/** Clears the line and goes to its beginning. */
const CLEAR = '\r\u001b[K';

/**
 * A line on a terminal that says how far a long piece of work is, and how long the rest takes at the pace so far: a byte takes as
 * long as any other.
 *
 * @param {{ isTTY?: boolean, write: (text: string) => void }} notes
 * @param {number[]} sizes of the pieces
 */
export function progressOn(notes, sizes, now = () => performance.now()) {
  const whole = sizes.reduce((sum, size) => sum + size + 1, 0);
  const begun = now();
  let bytes = 0;
  let count = 0;
  let isShown = false;
  const show = () => {
    const taken = now() - begun;
    if (taken < PATIENCE) return;
    isShown = true;
    const left = bytes === 0 ? '' : `, about ${durationOf((taken / bytes) * (whole - bytes))} left`;
    const share = Math.floor((bytes / whole) * 100);
    notes.write(`${CLEAR}ebbline: ${share} %, ${count} of ${sizes.length} files${left}`);
  };
  const timer = notes.isTTY === true ? setInterval(show, EVERY) : undefined;
  const clear = () => {
    if (isShown) notes.write(CLEAR);
    isShown = false;
  };
  return {
    done: (at) => {
      bytes += sizes[at] + 1;
      count += 1;
    },
    clear,
    end: () => {
      clearInterval(timer);
      clear();
    },
  };
}

/**
 * A line on a terminal that says for how long something outside this program has been waited for.
 *
 * @param {{ isTTY?: boolean, write: (text: string) => void }} notes
 */
export function waitingOn(notes, now = () => performance.now()) {
  const begun = now();
  let isShown = false;
  const show = () => {
    isShown = true;
    notes.write(`${CLEAR}ebbline: waiting for the command, ${durationOf(now() - begun)}`);
  };
  const timer = notes.isTTY === true ? setInterval(show, PATIENCE) : undefined;
  return {
    end: () => {
      clearInterval(timer);
      if (isShown) notes.write(CLEAR);
    },
  };
}

/**
 * A line on a terminal that says which long file is worked on. The engine works without a pause, so the line appears at once and
 * does not move.
 *
 * @param {{ isTTY?: boolean, write: (text: string) => void }} notes
 * @param {{ name: string, bytes: number, at: number, of: number }} file
 * @returns {() => void} clears the line
 */
export function longFileOn(notes, { name, bytes, at, of }) {
  if (notes.isTTY !== true || bytes < LONG) return () => {};
  const place = of > 1 ? `file ${at + 1} of ${of}, ` : '';
  notes.write(`${CLEAR}ebbline: ${place}${name} (${Math.round(bytes / 1e6)} MB)`);
  let isShown = true;
  return () => {
    if (isShown) notes.write(CLEAR);
    isShown = false;
  };
}

/** `8 s`, `3 min`, `2 h` */
function durationOf(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
