/** How long nothing is said, and how often afterwards, in milliseconds. */
const PATIENCE = 1000;
const EVERY = 200;
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
    notes.write(`${CLEAR}ebbline: ${count} of ${sizes.length} files${left}`);
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

/** `8 s`, `3 min`, `2 h` */
function durationOf(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
