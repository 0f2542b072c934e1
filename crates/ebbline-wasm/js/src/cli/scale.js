/** So many steps a scale has at most. */
const STEPS = 6;

/** Figures that differ by a smaller share than this are the same: sums of fractions differ by that much. */
const SAME = 1e-9;

/** @typedef {{ from: number, to: number, ticks: number[] }} Scale */

/**
 * The round figures of a scale that covers figures, and the range that they span. Without a difference between the figures the
 * range is one step wide.
 *
 * @param {number} least
 * @param {number} most
 * @param {{ whole?: boolean }} [how] `whole`: only whole numbers are on the scale
 * @returns {Scale}
 */
export function scaleOf(least, most, { whole = false } = {}) {
  const range = most - least;
  const step = stepOf(range > Math.abs(most) * SAME ? range : 0, whole);
  const from = Math.floor(least / step);
  const to = Math.max(Math.ceil(most / step), from + 1);
  const ticks = Array.from({ length: to - from + 1 }, (_, at) => round((from + at) * step));
  return { from: ticks[0], to: ticks[ticks.length - 1], ticks };
}

/** 1, 2 or 5, and zeros. */
function stepOf(range, whole) {
  const least = range > 0 ? range / STEPS : 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((figure) => figure * power).find((figure) => figure >= least) ?? power * 10;
  return whole ? Math.max(1, Math.ceil(step)) : step;
}

/** Without the trace that binary fractions leave. */
function round(figure) {
  return Number(figure.toPrecision(12));
}
