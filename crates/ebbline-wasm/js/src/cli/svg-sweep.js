import { costOf, labelled, lineOf, panelsOf, settingsOf } from './points.js';
import { scaleOf } from './scale.js';
import { amount, counted } from './style.js';
import { PAGE, axesOf, escaped, rounded, svgFile, widthOf, words } from './svg.js';

const STYLE = `
.best { fill: var(--best); stroke: var(--page); }
.beaten { fill: var(--page); stroke: var(--other); stroke-width: 1.5; }
.frontier { fill: none; stroke: var(--best); stroke-width: 1.5; stroke-dasharray: 5 4; }
.of-best { font-weight: 600; }
.of-beaten { fill: var(--quiet); }`;

/** The points of a sweep by cost and loss, as an SVG file: one chart for each window. */
export function sweepSvg({ sessions, points }) {
  const panels = panelsOf(points);
  const what = `${counted(points.length, 'point')} over ${counted(sessions, 'session')} with ${counted(points[0].requests, 'request')}`;
  const told = panels.map((panel) => `${titleOf(panel)}, from cheap to careful: ${lineOf(panel.points).map(toldOf).join('; ')}.`);
  return svgFile({
    title: 'Cost against loss',
    about: `${what}. On the frontier ${told.join(' ')}`,
    style: STYLE,
    panels: panels.map((panel) => panelOf(panel, sessions)),
  });
}

function titleOf({ window }) {
  return window === null ? 'without a known window' : `in a window of ${amount(window)} tokens`;
}

function panelOf(panel, sessions) {
  const { points, far } = panel;
  const what = `${counted(points.length + far.length, 'point')} over ${counted(sessions, 'session')} with ${counted(points[0].requests, 'request')}`;
  const costs = points.map(costOf);
  const chart = axesOf({
    x: scaleOf(Math.min(...costs), Math.max(...costs)),
    y: scaleOf(0, Math.max(...points.map(({ neededAgain }) => neededAgain)), { whole: true }),
    xTitle: 'cost, in percent of doing nothing',
    yTitle: 'outputs needed again',
    xLabel: (tick) => `${amount(tick)} %`,
    yLabel: amount,
  });
  const at = (point) => [chart.xOf(costOf(point)), chart.yOf(point.neededAgain)];
  const best = points.filter(({ onFrontier }) => onFrontier);
  const most = Math.max(0, ...far.map(({ neededAgain }) => neededAgain));
  const beyond = far.length === 0 ? '' : `; ${counted(far.length, 'point')} far above, up to ${amount(most)}`;
  return [
    words(PAGE.left, 34, `Cost against loss ${titleOf(panel)}`, { kind: 'title' }),
    words(PAGE.left, 55, `${what}; ${best.length} on the frontier${beyond}`, { kind: 'quiet' }),
    ...chart.lines,
    frontierOf(lineOf(points).map(at)),
    ...points.toSorted((one, other) => Number(one.onFrontier) - Number(other.onFrontier)).map((point) => markOf(point, at(point))),
    ...labelsOf(points, at),
    ...legendOf(points),
  ];
}

/** Steps, because nothing is known between two points. */
function frontierOf(places) {
  if (places.length < 2) return '';
  const [[x, y], ...rest] = places;
  const steps = rest.map(([x, y]) => `H${rounded(x)}V${rounded(y)}`);
  return `<path class="frontier" d="M${rounded(x)} ${rounded(y)}${steps.join('')}"/>`;
}

/** A disc, or a square where some requests are larger than the window. */
function markOf(point, place) {
  const [x, y] = place;
  const kind = point.onFrontier ? 'best' : 'beaten';
  const size = point.onFrontier ? 6 : 4.5;
  const shape =
    point.overWindow > 0
      ? `<rect class="${kind}" x="${rounded(x - size)}" y="${rounded(y - size)}" width="${2 * size}" height="${2 * size}">`
      : `<circle class="${kind}" cx="${rounded(x)}" cy="${rounded(y)}" r="${size}">`;
  return `${shape}<title>${escaped(toldOf(point))}</title>${point.overWindow > 0 ? '</rect>' : '</circle>'}`;
}

function toldOf(point) {
  const { number, profile, neededAgain, prunes, summaries, overWindow, beatenBy } = point;
  const settings = settingsOf(point);
  return [
    `#${number} ${profile}${settings === '' ? '' : ` ${settings}`}`,
    `cost ${costOf(point).toFixed(1)} %`,
    `needed again ${amount(neededAgain)}`,
    `prunes ${amount(prunes)}`,
    `summaries ${amount(summaries)}`,
    ...(overWindow > 0 ? [`requests over the window ${amount(overWindow)}`] : []),
    ...(beatenBy === null ? [] : [`beaten by #${beatenBy + 1}`]),
  ].join(', ');
}

/** Labels where there is room for them; where there is none, the point's title says what it is. */
function labelsOf(points, at) {
  const marks = points.map((point) => {
    const [x, y] = at(point);
    return { left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 };
  });
  const taken = [...marks, ...stepsOf(lineOf(points).map(at))];
  return labelled(points).flatMap(({ point, label }) => {
    const [x, y] = at(point);
    const width = widthOf(label);
    const left = { anchor: /** @type {const} */ ('end'), from: -width };
    const right = { anchor: /** @type {const} */ ('start'), from: 0 };
    const places = [
      { ...right, x: x + 10, y: y + 4 },
      { ...left, x: x - 10, y: y + 4 },
      { ...right, x: x + 8, y: y - 12 },
      { ...left, x: x - 8, y: y + 20 },
      { ...left, x: x - 8, y: y - 12 },
      { ...right, x: x + 8, y: y + 20 },
    ];
    const isFree = (place) => {
      const box = boxOf(place, width);
      return isInside(box) && !taken.some((other) => overlap(box, other));
    };
    const place = places.find(isFree);
    if (place === undefined) return [];
    taken.push(boxOf(place, width));
    return [words(place.x, place.y, label, { kind: `label ${point.onFrontier ? 'of-best' : 'of-beaten'}`, anchor: place.anchor })];
  });
}

function boxOf({ x, y, from }, width) {
  return { left: x + from, right: x + from + width, top: y - 12, bottom: y + 4 };
}

/** The line of the frontier as boxes, which no label covers. */
function stepsOf(places) {
  return places.slice(1).flatMap(([x, y], at) => {
    const [fromX, fromY] = places[at];
    return [
      { left: fromX, right: x, top: fromY - 1, bottom: fromY + 1 },
      { left: x - 1, right: x + 1, top: fromY, bottom: y },
    ];
  });
}

function isInside({ left, right, top, bottom }) {
  return left >= PAGE.left && right <= PAGE.width - 4 && top >= PAGE.top - 12 && bottom <= PAGE.height - PAGE.bottom;
}

function overlap(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function legendOf(points) {
  const y = PAGE.height - 22;
  const entries = [
    [`<circle class="best" cx="0" cy="-4" r="6"/>`, 'on the frontier: no other point is better in one respect and worse in none'],
    [`<circle class="beaten" cx="0" cy="-4" r="4.5"/>`, 'beaten'],
    ...(points.some(({ overWindow }) => overWindow > 0)
      ? [[`<rect class="beaten" x="-4.5" y="-8.5" width="9" height="9"/>`, 'with requests larger than the window']]
      : []),
  ];
  let x = PAGE.left + 6;
  return entries.map(([mark, text]) => {
    const entry = `<g transform="translate(${rounded(x)} ${y})">${mark}${words(13, 0, text, { kind: 'tick' })}</g>`;
    x += widthOf(text) * 0.86 + 40;
    return entry;
  });
}
