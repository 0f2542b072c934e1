// Charts as SVG files that need nothing else: no script, no font, no style sheet. They are light or dark as the reader prefers.

/** The page, and the room around the chart for axes and words. */
export const PAGE = { width: 960, height: 600, left: 86, right: 32, top: 74, bottom: 104 };

const STYLE = `
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: var(--ink); }
.page { fill: var(--page); }
.title { font-size: 17px; font-weight: 600; }
.quiet { fill: var(--quiet); }
.tick { fill: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums; }
.grid { stroke: var(--grid); stroke-width: 1; }
.axis { stroke: var(--quiet); stroke-width: 1; }
.label { font-size: 12px; paint-order: stroke; stroke: var(--page); stroke-width: 4px; stroke-linejoin: round; }
svg { --page: #ffffff; --ink: #1c2330; --quiet: #5d6778; --grid: #e6e9ee; --best: #0a7d55; --other: #8a94a6; --fill: #cfe0f5;
  --line: #2f6db5; --pruned: #b36b00; --summarised: #8b3fb0; --limit: #c0392b; }
@media (prefers-color-scheme: dark) {
  svg { --page: #14181f; --ink: #e8ebf0; --quiet: #9aa5b5; --grid: #2a313c; --best: #3ecf98; --other: #7d8797; --fill: #22384f;
    --line: #6aa9ee; --pruned: #e5a23d; --summarised: #c58be0; --limit: #ff7b6b; }
}`;

/**
 * A whole file.
 *
 * @param {{ title: string, about: string, style?: string, panels: string[][] }} chart `about` says in words what
 *   the chart shows; panels stand below each other
 */
export function svgFile({ title, about, style = '', panels }) {
  const { width } = PAGE;
  const height = PAGE.height * panels.length;
  const body = panels.flatMap((panel, at) => (at === 0 ? panel : [`<g transform="translate(0 ${at * PAGE.height})">`, ...panel, '</g>']));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title about">
<title id="title">${escaped(title)}</title>
<desc id="about">${escaped(about)}</desc>
<style>${STYLE}${style}
</style>
<rect class="page" width="${width}" height="${height}"/>
${body.join('\n')}
</svg>
`;
}

/** Text as XML: control characters are none that XML has. */
export function escaped(text) {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return String(text)
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => names[character]);
}

/** A text at a place. */
export function words(x, y, text, { kind = '', anchor = 'start', turn = '' } = {}) {
  const turned = turn === '' ? '' : ` transform="${turn}"`;
  return `<text x="${rounded(x)}" y="${rounded(y)}"${kind === '' ? '' : ` class="${kind}"`} text-anchor="${anchor}"${turned}>${escaped(text)}</text>`;
}

/** A coordinate, short enough to read. */
export function rounded(figure) {
  return String(Math.round(figure * 10) / 10);
}

/**
 * Axes with a grid, and where figures lie on them.
 *
 * @typedef {import('./scale.js').Scale} Scale
 * @param {{ x: Scale, y: Scale, xTitle: string, yTitle: string, xLabel: (tick: number) => string, yLabel: (tick: number) => string,
 *   drop?: number }} axes `drop`: the room for marks between the axis and its figures
 */
export function axesOf({ x, y, xTitle, yTitle, xLabel, yLabel, drop = 0 }) {
  const { width, height, left, right, top, bottom } = PAGE;
  const [end, base] = [width - right, height - bottom];
  const xOf = (figure) => left + ((figure - x.from) / (x.to - x.from)) * (end - left);
  const yOf = (figure) => base - ((figure - y.from) / (y.to - y.from)) * (base - top);
  const lines = [
    ...y.ticks.map((tick) => line(left, yOf(tick), end, yOf(tick), 'grid')),
    ...y.ticks.map((tick) => words(left - 10, yOf(tick) + 4, yLabel(tick), { kind: 'tick', anchor: 'end' })),
    ...x.ticks.map((tick) => line(xOf(tick), base, xOf(tick), base + 5, 'axis')),
    ...x.ticks.map((tick) => words(xOf(tick), base + drop + 20, xLabel(tick), { kind: 'tick', anchor: 'middle' })),
    line(left, base, end, base, 'axis'),
    words((left + end) / 2, base + drop + 44, xTitle, { kind: 'quiet', anchor: 'middle' }),
    words(22, (top + base) / 2, yTitle, { kind: 'quiet', anchor: 'middle', turn: `rotate(-90 22 ${rounded((top + base) / 2)})` }),
  ];
  return { lines, xOf, yOf };
}

export function line(x1, y1, x2, y2, kind) {
  return `<line class="${kind}" x1="${rounded(x1)}" y1="${rounded(y1)}" x2="${rounded(x2)}" y2="${rounded(y2)}"/>`;
}

/** Roughly how wide a label is, rather more than less; a file cannot measure text. */
export function widthOf(label) {
  return [...label].length * 7.4;
}

/** A text that fits on a line; of a long one, such as a path, the end says more than the beginning. */
export function shortened(text, longest = 120) {
  const characters = [...text];
  return characters.length > longest ? `…${characters.slice(1 - longest).join('')}` : text;
}
