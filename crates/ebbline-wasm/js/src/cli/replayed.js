// A session's life under a policy: what it would have done, and what that would have cost.

import { replay } from '../node.js';
import { lifeOptions } from './args.js';
import { csvOf } from './csv.js';
import { nameOf, readBytes } from './files.js';
import { amount, counted, isColored, printable, styles } from './style.js';
import { writeSvg } from './svg-file.js';
import { noteWindow } from './window-note.js';

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** The width of a chart that is written to a file or a pipe. */
const DEFAULT_WIDTH = 100;
/** The rows of a chart. */
const HEIGHT = 8;

export async function replayFile(name, { values }, out, notes) {
  noteWindow(values, notes);
  const life = replay(await readBytes(name), { ...lifeOptions(values), ...(values['cache-check'] && { cacheCheck: true }) });
  if (values.svg !== undefined) {
    const { replaySvg } = await import('./svg-replay.js');
    await writeSvg(values.svg, replaySvg(nameOf(name), life));
  }
  if (values.json) return void out.write(`${JSON.stringify({ file: name, ...life })}\n`);
  if (values.csv) return void out.write(csvOf(rowsOf(life)));
  const style = styles(isColored(values.color, out));
  const width = Math.max(20, out.columns ?? (Number(process.env.COLUMNS) || DEFAULT_WIDTH));
  out.write(`${accountOf(name, life, style).join('\n')}\n\n${chartOf(life, width, style).join('\n')}\n`);
}

function accountOf(name, life, style) {
  const answered = life.requests.filter(({ charge }) => charge !== null);
  const prunes = life.compactions.filter(({ prune }) => prune.applied).length;
  const summaries = life.compactions.filter(({ retain }) => retain.applied).length;
  const peak = Math.max(0, ...life.requests.map(({ tokens }) => tokens));
  const unfit = answered.filter(({ fits }) => !fits).length;
  const over = answered.filter(({ overWindow }) => overWindow).length;
  const { cached, broken, output } = life.total;
  const input = life.total.fresh + cached + life.total.written;
  const share = input === 0 ? 0 : Math.round((cached / input) * 100);
  const known = { whole: '', restored: ', its own compactions undone', tail: '; what was before its summary is not known' }[life.known];
  return [
    style.strong(`${printable(nameOf(name))}  ${life.profile}`),
    `${counted(life.messages, 'message')}, ${counted(answered.length, 'request')}${known}`,
    `${counted(prunes, 'prune')}, ${counted(summaries, 'summary').replace('summarys', 'summaries')}; largest request ${amount(peak + life.overhead)} tokens` +
      (unfit > 0 ? `; ${counted(unfit, 'request')} above the threshold, with nothing left to remove` : ''),
    limitsOf(life) + (over > 0 ? `; ${counted(over, 'request')} larger than the window, which a provider refuses` : ''),
    `input ${amount(input)} tokens, ${share} % of them from the cache; output ${amount(output)}; ${amount(broken)} cached tokens lost to changes`,
    `cost ${amount(Math.round(life.cost))} fresh input tokens${life.money === undefined ? '' : `, ${life.money.toFixed(2)} in money`}`,
    ...checkLines(life.cacheCheck),
  ];
}

/** How far the rules of the cache are off from what the provider reported. */
function checkLines(check) {
  if (check === undefined) return [];
  if (check === null) return ['the session reports no cache reads'];
  const percent = (share) => `${Number((share * 100).toPrecision(2))} %`;
  const { requests, medianError, medianErrorEstimated, missed, unexpected, reported, predicted, overhead, ratio } = check;
  return [
    `cache reads of ${counted(requests.length, 'request')}: predicted ${amount(predicted)}, reported ${amount(reported)}; median error ${percent(medianError)}, by estimated sizes ${percent(medianErrorEstimated)}`,
    `${amount(missed)} predicted and not reported, ${amount(unexpected)} reported and not predicted; sent beside the messages: ${amount(overhead)} tokens; ${ratio.toFixed(2)} tokens for each estimated`,
  ];
}

function limitsOf({ window, threshold }) {
  if (window === null) return 'the context window is not known';
  return `window ${amount(window)} tokens, full from ${amount(threshold)}`;
}

/** The size of the context over the requests; where a compaction was carried out, a mark stands below. */
function chartOf({ requests, compactions, overhead }, width, style) {
  const sizes = requests.map(({ tokens }) => tokens + overhead);
  const largest = Math.max(1, ...sizes);
  const label = amount(largest).length;
  const columns = Math.max(1, Math.min(sizes.length, width - label - 3));
  const of = (column) => [
    Math.floor((column * sizes.length) / columns),
    Math.max(Math.floor(((column + 1) * sizes.length) / columns), Math.floor((column * sizes.length) / columns) + 1),
  ];
  const heights = Array.from({ length: columns }, (_, column) => Math.max(...sizes.slice(...of(column))) / largest);
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const from = (HEIGHT - 1 - row) / HEIGHT;
    const cells = heights.map((height) => cellOf((height - from) * HEIGHT)).join('');
    const title = row === 0 ? amount(largest) : row === HEIGHT - 1 ? '0' : '';
    return `${title.padStart(label)} ${style.dim('│')}${cells}`;
  });
  const marks = Array.from({ length: columns }, (_, column) => {
    const [first, end] = of(column);
    const done = compactions.filter(({ request }) => request >= first && request < end);
    return done.some(({ retain }) => retain.applied) ? style.summarised('S') : done.length > 0 ? style.pruned('p') : ' ';
  });
  const legend = `${' '.repeat(label)}  ${counted(requests.length, 'request')}; p: outputs pruned, S: summary made`;
  return [...rows, `${' '.repeat(label)} ${style.dim('└')}${marks.join('')}`, style.dim(legend)];
}

function cellOf(filled) {
  if (filled <= 0) return ' ';
  return BARS[Math.min(BARS.length, Math.max(1, Math.round(filled * BARS.length))) - 1];
}

function rowsOf({ requests }) {
  return requests.map(({ message, tokens, unchanged, output, compaction, fits, overWindow, charge }, at) => ({
    request: at,
    message,
    tokens,
    unchanged,
    output,
    compaction,
    fits,
    overWindow,
    ...charge,
  }));
}
