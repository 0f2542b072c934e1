// A grid of policies over many sessions: what each point costs and loses, and which points stand on the frontier.

import { profiles } from '../node.js';
import { gridOf, lifeOptions } from './args.js';
import { alignedTable, known, percent } from './columns.js';
import { overFiles } from './corpus.js';
import { csvOf } from './csv.js';
import { swept } from './engine.js';
import { FileError, UsageError } from './exit.js';
import { nameOf, readText } from './files.js';
import { costOf, panelsOf, settingsOf } from './points.js';
import { MARKS, markOf, scatterOf } from './scatter.js';
import { amount, counted, isColored, printable, styles } from './style.js';
import { writeSvg } from './svg-file.js';
import { noteWindow } from './window-note.js';

/** The width of a chart that is written to a file or a pipe, and of one on a wide terminal. */
const WIDTH = 100;
/** How many beaten points the table shows; `--json` and `--csv` have all. */
const BEATEN = 40;

/** @returns {Promise<number>} the exit code */
export async function sweepAll(given, out, notes) {
  const { values } = given;
  const { profile, set, ...life } = lifeOptions({ ...values, set: undefined, context: undefined });
  const grid = await gridFor(values);
  // What is wrong with the grid is said before the sessions are read.
  swept(grid, life, () => {});
  if (grid.windows === undefined && grid.set?.['model.context'] === undefined) noteWindow({ profile: grid.policy }, notes, '--window');
  const figures = [];
  let report;
  const exit = await overFiles(given, notes, {
    kind: 'sweep',
    work: { grid, options: life },
    take: (_, ofFile) => figures.push(ofFile),
    show: () => {
      report = swept(grid, life, (made) => {
        for (const ofFile of figures) made.add(ofFile);
        return made.report();
      });
      if (values.json) out.write(`${JSON.stringify(report)}\n`);
      else if (values.csv) out.write(csvOf(report.points.map(rowOf)));
      else
        out.write(
          pageOf(report, Math.min(WIDTH, out.columns ?? (Number(process.env.COLUMNS) || WIDTH)), styles(isColored(values.color, out))),
        );
    },
  });
  if (values.svg !== undefined && report !== undefined) {
    const { sweepSvg } = await import('./svg-sweep.js');
    await writeSvg(values.svg, sweepSvg(report));
  }
  return exit;
}

/** The grid that the command line describes. One that names nothing at all consists of every profile. */
async function gridFor(values) {
  const named = gridOf(values);
  const everything = profiles().map(({ name }) => name);
  if (values.grid !== undefined) {
    if (Object.keys(named).length > 0) throw new UsageError('--grid FILE is a whole grid: nothing else of a grid can be given beside it');
    return readGrid(values.grid);
  }
  const { policies } = named;
  if (policies?.length === 1 && policies[0] === 'all') return { ...named, policies: everything };
  return named.policy === undefined && named.set === undefined && policies === undefined ? { ...named, policies: everything } : named;
}

async function readGrid(name) {
  const text = await readText(name);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FileError(`${nameOf(name)} holds no grid: ${error.message.split('\n')[0]}`);
  }
}

/** A point as a row of a spreadsheet: one column for each knob of the grid. */
function rowOf({ set, ...point }, at) {
  const settings = Object.entries(set).map(([path, value]) => [path, typeof value === 'object' ? JSON.stringify(value) : value]);
  const { profile, ...figures } = point;
  return {
    point: at + 1,
    profile,
    ...Object.fromEntries(settings),
    ...figures,
    beatenBy: point.beatenBy === null ? null : point.beatenBy + 1,
  };
}

function pageOf({ sessions, points }, width, style) {
  const [{ requests }] = points;
  const title = `${counted(sessions, 'session')}, ${counted(requests, 'request')}, ${counted(points.length, 'point')}`;
  const lines = [style.strong(title), ''];
  const panels = requests > 0 ? panelsOf(points) : [];
  for (const panel of panels) {
    if (panels.length > 1) lines.push(style.strong(`window ${known(panel.window, amount)}`));
    lines.push(...scatterOf(panel, width, style), '');
  }
  return `${[...lines, ...tableOf(points, style), '', ...NOTES.map(style.dim)].join('\n')}\n`;
}

function tableOf(points, style) {
  const ranked = panelsOf(points).flatMap((panel) => [...panel.points, ...panel.far].sort((one, other) => costOf(one) - costOf(other)));
  const beaten = ranked.filter(({ onFrontier }) => !onFrontier);
  const isShown = new Set(beaten.slice(0, BEATEN));
  const rows = ranked.filter((point) => point.onFrontier || isShown.has(point));
  const isSplit = points.some(({ neededAgain, neededAgainPruned }) => neededAgain > neededAgainPruned);
  /** @type {Parameters<typeof alignedTable>[0]} */
  const columns = [
    ['', markOf, 'left'],
    ['#', ({ number }) => String(number)],
    ['profile', ({ profile }) => printable(profile), 'left'],
    ['window', ({ window }) => known(window, amount)],
    ['threshold', ({ threshold }) => known(threshold, amount)],
    ['cost', ({ ofNothing }) => known(ofNothing, percent)],
    ['needed again', ({ neededAgain }) => amount(neededAgain)],
    ...(isSplit
      ? [/** @type {any} */ (['summarised', ({ neededAgain, neededAgainPruned }) => amount(neededAgain - neededAgainPruned)])]
      : []),
    ['read again', ({ readAgain }) => amount(readAgain)],
    ['prunes', ({ prunes }) => amount(prunes)],
    ['summaries', ({ summaries }) => amount(summaries)],
    ['too large', ({ unfit }) => amount(unfit)],
    ['over window', ({ window, overWindow }) => known(window === null ? null : overWindow, amount)],
    ['beaten by', ({ beatenBy }) => (beatenBy === null ? '' : `#${beatenBy + 1}`)],
    ['', (point) => printable(settingsOf(point)), 'left'],
  ];
  const [titles, ...lines] = alignedTable(columns, rows);
  const hidden = beaten.length - isShown.size;
  return [
    style.dim(titles),
    ...lines.map((line, at) => (markOf(rows[at]) === MARKS.frontier ? style.good(line) : line)),
    ...(hidden > 0 ? [style.dim(`and ${counted(hidden, 'point')} more that are beaten: --json and --csv list them`)] : []),
  ];
}

const NOTES = [
  'Cost: of what the same sessions cost without any compaction. Needed again: outputs that left and that the assistant uses later;',
  'summarised: those of them for which a summary stood, though its words are not known. A point is beaten if another is better in',
  'cost, in what is needed again or in requests over the window, and worse in none of them, in the same window. Which of the others is',
  'best depends on what a lost output is worth: none is claimed. The messages are fixed: figures compare policies, they predict no agent.',
];
