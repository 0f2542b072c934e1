import { scaleOf } from './scale.js';
import { amount, counted } from './style.js';
import { PAGE, axesOf, line, rounded, shortened, svgFile, widthOf, words } from './svg.js';

const STYLE = `
.size { fill: var(--fill); }
.curve { fill: none; stroke: var(--line); stroke-width: 1.5; stroke-linejoin: round; }
.limit { stroke: var(--limit); stroke-width: 1.2; }
.threshold { stroke-dasharray: 6 4; }
.of-limit { fill: var(--limit); font-size: 12px; }
.pruned { fill: var(--pruned); }
.summarised { fill: var(--summarised); }`;

/** Requests that are larger than this many are drawn as the largest of each group. */
const MOST_POINTS = 800;
/** The longest title. */
const TITLE = 90;

/** The size of the context over the requests of a replay, as an SVG file. */
export function replaySvg(name, { profile, requests, compactions, overhead, window, threshold, cost }) {
  const sizes = requests.map(({ tokens }) => tokens + overhead);
  const largest = sizes.reduce((most, size) => Math.max(most, size), 1);
  // A window that is far from being full would press the curve to the ground.
  const limits = [
    { at: threshold, kind: 'limit threshold', label: 'full from' },
    { at: window, kind: 'limit', label: 'window' },
  ].filter(({ at }) => at !== null && at <= largest * 3);
  const chart = axesOf({
    x: scaleOf(0, Math.max(1, sizes.length - 1), { whole: true }),
    y: scaleOf(
      0,
      limits.reduce((most, { at }) => Math.max(most, at), largest),
      { whole: true },
    ),
    xTitle: 'requests',
    yTitle: 'tokens of the request',
    xLabel: amount,
    yLabel: amount,
    drop: 12,
  });
  const prunes = compactions.filter(({ retain }) => !retain.applied);
  const summaries = compactions.filter(({ retain }) => retain.applied);
  const done = `${counted(prunes.length, 'prune')}, ${summaries.length === 1 ? '1 summary' : `${amount(summaries.length)} summaries`}`;
  const limit = window === null ? '' : `; window ${amount(window)} tokens, full from ${amount(threshold)}`;
  const what = `${counted(requests.length, 'request')}, ${done}; cost ${amount(Math.round(cost))} fresh input tokens${limit}`;
  const title = `${name} under ${profile}`;
  return svgFile({
    title,
    about: `The size of the context at each request. ${what}.`,
    style: STYLE,
    panels: [
      [
        words(PAGE.left, 34, shortened(title, TITLE), { kind: 'title' }),
        words(PAGE.left, 55, what, { kind: 'quiet' }),
        ...chart.lines,
        ...curveOf(sizes, chart),
        ...limits.flatMap(({ at, kind, label }) => limitOf(chart.yOf(at), kind, `${label} ${amount(at)}`)),
        ...compactions.map(({ request, retain }) => markOf(chart.xOf(request), retain.applied)),
        ...legendOf(prunes.length > 0, summaries.length > 0),
      ],
    ],
  });
}

/** The curve, and what lies below it. Of neighbours that share a pixel, the largest and the smallest are drawn. */
function curveOf(sizes, { xOf, yOf }) {
  const each = Math.max(1, Math.ceil((2 * sizes.length) / MOST_POINTS));
  const places = [];
  for (let at = 0; at < sizes.length; at += each) {
    const group = sizes.slice(at, at + each).map((size, place) => ({ size, at: at + place }));
    const [most, least] = [Math.max(...group.map(({ size }) => size)), Math.min(...group.map(({ size }) => size))];
    const ends = [group.find(({ size }) => size === most), group.find(({ size }) => size === least)];
    places.push(...new Set(ends.sort((one, other) => one.at - other.at)));
  }
  const curve = places.map(({ size, at }) => `${rounded(xOf(at))} ${rounded(yOf(size))}`).join('L');
  const ground = rounded(yOf(0));
  return [
    `<path class="size" d="M${rounded(xOf(0))} ${ground}L${curve}L${rounded(xOf(sizes.length - 1))} ${ground}Z"/>`,
    `<path class="curve" d="M${curve}"/>`,
  ];
}

function limitOf(y, kind, label) {
  const end = PAGE.width - PAGE.right;
  return [line(PAGE.left, y, end, y, kind), words(end - 4, y - 6, label, { kind: 'of-limit', anchor: 'end' })];
}

/** A mark below the axis: a triangle for a prune, a diamond for a summary. */
function markOf(x, isSummary) {
  const y = PAGE.height - PAGE.bottom + 3;
  return isSummary
    ? `<path class="summarised" d="M${rounded(x)} ${y}l5 6l-5 6l-5 -6Z"/>`
    : `<path class="pruned" d="M${rounded(x)} ${y}l4.5 8h-9Z"/>`;
}

function legendOf(hasPrunes, hasSummaries) {
  const entries = [
    ...(hasPrunes ? [{ isSummary: false, text: 'outputs pruned' }] : []),
    ...(hasSummaries ? [{ isSummary: true, text: 'summary made' }] : []),
  ];
  let x = PAGE.left + 6;
  return entries.map(({ isSummary, text }) => {
    const lift = PAGE.bottom - 3 - 32;
    const entry = `<g transform="translate(0 ${lift})">${markOf(x, isSummary)}</g>${words(x + 13, PAGE.height - 22, text, { kind: 'tick' })}`;
    x += widthOf(text) + 44;
    return entry;
  });
}
