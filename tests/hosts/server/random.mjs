// Random numbers that are the same for the same seed.

/** @param {number} seed */
export function randomOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit) => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)],
    /** The list in another order. */
    shuffled: (list) => {
      const left = [...list];
      return Array.from(list, () => left.splice(below(left.length), 1)[0]);
    },
  };
}
