import { costOf, farOf, labelled, lineOf } from './points.js';
import { scaleOf } from './scale.js';
import { amount } from './style.js';

/** The rows of a chart. */
const HEIGHT = 16;
/** Marks: on the frontier or beaten; squares where some requests are larger than the window. */
export const MARKS = { frontier: '●', beaten: '○', frontierOver: '■', beatenOver: '□' };

/**
 * The points of a sweep by cost and loss, drawn with characters. The dots are the frontier: beyond them is no point.
 *
 * @param {import('./points.js').Panel} panel
 * @param {number} width in characters
 * @returns {string[]} lines
 */
export function scatterOf({ points, far }, width, style) {
  const losses = points.map(({ neededAgain }) => neededAgain);
  const costs = points.map(costOf);
  const y = scaleOf(0, Math.max(...losses), { whole: true });
  const x = scaleOf(Math.min(...costs), Math.max(...costs));
  const gutter = Math.max(...y.ticks.map((tick) => amount(tick).length));
  const canvas = new Canvas(Math.max(20, width - gutter - 3), x, y);
  const line = lineOf(points);
  line.forEach((point, at) => {
    if (at > 0) canvas.step(line[at - 1], point);
  });
  for (const point of points.toSorted((one, other) => Number(one.onFrontier) - Number(other.onFrontier))) canvas.mark(point);
  for (const { point, label } of labelled(points)) canvas.label(point, label);
  const named = new Map(y.ticks.map((tick) => [canvas.row(tick), amount(tick)]));
  const rows = canvas.cells.map((cells, row) => {
    const title = (named.get(row) ?? '').padStart(gutter);
    return `${title} ${style.dim(named.has(row) ? '┤' : '│')}${painted(cells, style)}`.trimEnd();
  });
  const indent = ' '.repeat(gutter + 1);
  return [
    style.dim(`${indent}outputs needed again`),
    ...rows,
    `${indent}${style.dim(canvas.axis())}`,
    `${indent}${canvas.ticks()}`.trimEnd(),
    style.dim(`${indent}cost, of what doing nothing costs`),
    style.dim(`${indent}${legendOf(points)}`),
    ...(far.length === 0 ? [] : [style.dim(`${indent}${farOf(far)}`)]),
  ];
}

function legendOf(points) {
  const said = [`${MARKS.frontier} on the frontier`];
  if (points.some(({ onFrontier }) => !onFrontier)) said.push(`${MARKS.beaten} beaten`);
  if (points.some(({ overWindow }) => overWindow > 0))
    said.push(`${MARKS.frontierOver} ${MARKS.beatenOver} the same, with requests larger than the window`);
  return said.join('   ');
}

function painted(cells, style) {
  const paint = (cell) => {
    if (cell === MARKS.frontier) return style.good(cell);
    return cell === '·' || cell === MARKS.beaten || cell === MARKS.beatenOver ? style.dim(cell) : cell;
  };
  return cells.map(paint).join('');
}

/** The mark of a point. */
export function markOf({ onFrontier, overWindow }) {
  if (overWindow > 0) return onFrontier ? MARKS.frontierOver : MARKS.beatenOver;
  return onFrontier ? MARKS.frontier : MARKS.beaten;
}

class Canvas {
  constructor(width, x, y) {
    this.width = width;
    this.x = x;
    this.y = y;
    this.cells = Array.from({ length: HEIGHT }, () => Array(width).fill(' '));
  }

  column(cost) {
    return placed(cost, this.x, this.width);
  }

  row(loss) {
    return HEIGHT - 1 - placed(loss, this.y, HEIGHT);
  }

  /** What lies between two neighbours of the frontier: to the right at the same loss, then down. */
  step(one, other) {
    const [from, to] = [this.column(costOf(one)), this.column(costOf(other))];
    const [top, bottom] = [this.row(one.neededAgain), this.row(other.neededAgain)];
    for (let column = from; column <= to; column += 1) this.cells[top][column] = '·';
    for (let row = top; row <= bottom; row += 1) this.cells[row][to] = '·';
  }

  mark(point) {
    this.cells[this.row(point.neededAgain)][this.column(costOf(point))] = markOf(point);
  }

  /** Writes a label beside a point where there is room for it: right of it, left of it, above or below. */
  label(point, label) {
    const text = [...label];
    const [row, column] = [this.row(point.neededAgain), this.column(costOf(point))];
    const places = [
      [row, column + 2],
      [row, column - text.length - 1],
      [row - 1, column],
      [row + 1, column],
      [row - 1, column - text.length + 1],
      [row + 1, column - text.length + 1],
    ];
    const place = places.find(([at, from]) => this.#isFree(at, from - 1, text.length + 2));
    if (place === undefined) return;
    const [at, from] = place;
    text.forEach((character, place) => (this.cells[at][from + place] = character));
  }

  #isFree(row, from, length) {
    const cells = this.cells[row];
    if (cells === undefined || from < -1 || from + length > this.width + 1) return false;
    const needed = cells.slice(Math.max(from + 1, 0), from + length - 1);
    const around = [cells[from], cells[from + length - 1]].filter((cell) => cell !== undefined);
    return needed.every((cell) => cell === ' ') && around.every((cell) => cell === ' ' || cell === '·' || isMark(cell));
  }

  axis() {
    const columns = this.x.ticks.map((tick) => this.column(tick));
    const line = Array.from({ length: this.width }, (_, column) => (columns.includes(column) ? '┬' : '─'));
    return `└${line.join('')}`;
  }

  /** The figures below the axis; one that would run into its neighbour is left out. */
  ticks() {
    const line = Array(this.width + 8).fill(' ');
    let end = 0;
    for (const tick of this.x.ticks) {
      const text = `${amount(tick)} %`;
      const middle = this.column(tick) - Math.floor(text.length / 2) + 1;
      const from = Math.max(Math.min(middle, this.width + 1 - text.length), 0);
      if (from < end) continue;
      [...text].forEach((character, place) => (line[from + place] = character));
      end = from + text.length + 2;
    }
    return line.join('');
  }
}

function isMark(cell) {
  return Object.values(MARKS).includes(cell);
}

/** The cell of a figure on a scale. */
function placed(figure, { from, to }, cells) {
  return Math.round(((figure - from) / (to - from)) * (cells - 1));
}
