// How the points of a sweep are named and drawn, on the terminal and in a file.

import { amount } from './style.js';

/** A chart leaves out what loses more than so many times what the frontier loses: it would press all others to the ground. */
const FAR = 4;
const LEAST = 10;
/** How many of them are named. */
const NAMED = 3;

/** @typedef {{ window: number | null, points: any[], far: any[] }} Panel the points of a window, and those that its chart leaves out */

/**
 * The points with their numbers, by window: only those of the same window are compared.
 *
 * @returns {Panel[]}
 */
export function panelsOf(points) {
  const windows = [...new Set(points.map(({ window }) => window))];
  const numbered = points.map((point, at) => ({ ...point, number: at + 1 }));
  return windows.map((window) => {
    const own = numbered.filter((point) => point.window === window);
    const most = FAR * Math.max(LEAST, ...lineOf(own).map(({ neededAgain }) => neededAgain));
    return { window, points: own.filter((point) => !isFar(point, most)), far: own.filter((point) => isFar(point, most)) };
  });
}

function isFar({ onFrontier, neededAgain }, most) {
  return !onFrontier && neededAgain > most;
}

/** What a chart leaves out, in words. */
export function farOf(far) {
  const named = far.slice(0, NAMED).map(({ profile, number, set, neededAgain }) => {
    return `${Object.keys(set).length === 0 ? profile : `#${number}`} (${amount(neededAgain)})`;
  });
  const more = far.length - named.length;
  return `far above: ${named.join(', ')}${more > 0 ? ` and ${amount(more)} more` : ''}`;
}

/** What a point is called: the profile, and the knobs that the grid turned. */
export function settingsOf({ set }) {
  return Object.entries(set)
    .map(([path, value]) => `${path}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}

/** The points of the frontier on which every request could be sent, or as many as anywhere, from cheap to careful. */
export function lineOf(points) {
  const least = Math.min(...points.map(({ overWindow }) => overWindow));
  const best = points.filter(({ onFrontier, overWindow }) => onFrontier && overWindow === least);
  return best.sort((one, other) => costOf(one) - costOf(other) || other.neededAgain - one.neededAgain);
}

/** The cost in percent of doing nothing. */
export function costOf({ ofNothing }) {
  return (ofNothing ?? 1) * 100;
}

/**
 * What stands beside a point in a chart: the name of a profile that the grid did not turn, or the number of a turned one on the
 * frontier. Points in the same place share a label.
 *
 * @returns {{ point: any, label: string }[]} in the order of their importance
 */
export function labelled(points) {
  const places = new Map();
  for (const point of points) {
    const isNamed = Object.keys(point.set).length === 0;
    if (!isNamed && !point.onFrontier) continue;
    const place = `${point.ofNothing} ${point.neededAgain}`;
    const { profiles = [], numbers = [], best = point } = places.get(place) ?? {};
    if (isNamed) profiles.push(point.profile);
    else numbers.push(`#${point.number}`);
    places.set(place, { profiles, numbers, best: best.onFrontier ? best : point });
  }
  const labels = [...places.values()].map(({ profiles, numbers, best }) => ({ point: best, label: shortened([...profiles, ...numbers]) }));
  return labels.sort((one, other) => Number(other.point.onFrontier) - Number(one.point.onFrontier));
}

function shortened(names) {
  return names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(', ');
}
