// Minimizes the list of choices behind a failure within a time limit.

import { Choices } from './choices.mjs';

/**
 * The simplest list of choices found for which `fails` is true.
 *
 * `fails` gets choices, makes a session of them, and says whether that session fails like the first one.
 */
export function shrink(made, fails, milliseconds = 10_000) {
  const until = Date.now() + milliseconds;
  let best = made;
  const simpler = (candidate) => {
    if (Date.now() > until) return false;
    const choices = Choices.replay(candidate);
    if (!fails(choices)) return false;
    // Choices that were not used are not needed.
    const used = trimmed(choices.made);
    if (!isSimpler(used, best)) return false;
    best = used;
    return true;
  };
  for (let before; before !== best && Date.now() < until; ) {
    before = best;
    for (const size of [256, 64, 16, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) leaveOut(size, () => best, simpler);
    for (const size of [16, 4, 1]) setToZero(size, () => best, simpler);
    makeSmaller(() => best, simpler);
  }
  return best;
}

function leaveOut(size, best, simpler) {
  const step = size > 16 ? size : 1;
  for (let at = best().length - size; at >= 0; at -= step) simpler(best().toSpliced(at, size));
}

function setToZero(size, best, simpler) {
  for (let at = 0; at < best().length; at += size) {
    const list = best();
    const zeros = list.slice(at, at + size).fill(0);
    if (list.slice(at, at + size).some((number) => number > 0)) simpler(list.toSpliced(at, zeros.length, ...zeros));
  }
}

function makeSmaller(best, simpler) {
  for (let at = 0; at < best().length; at += 1) {
    let low = 0;
    while (low < (best()[at] ?? 0)) {
      const middle = Math.floor((low + best()[at]) / 2);
      if (!simpler(best().with(at, middle))) low = middle + 1;
    }
  }
}

function trimmed(list) {
  return list.slice(0, list.findLastIndex((number) => number > 0) + 1);
}

function isSimpler(list, other) {
  if (list.length !== other.length) return list.length < other.length;
  const at = list.findIndex((number, index) => number !== other[index]);
  return at !== -1 && list[at] < other[at];
}
