import { amount, counted, fit, printable } from './style.js';
import { fateOf, reasonOf, tokens, totalsOf, verdictOf } from './words.js';

const ROLE_WIDTH = 9;
const FATE_WIDTH = 15;
/** The largest share of the width for the tools' column. */
const TOOL_SHARE = 1 / 6;
const SMALLEST_BAR = 8;
const LARGEST_BAR = 30;
const SMALLEST_REASON = 8;
/** Below this width there is no room for bars. */
const NARROW = 72;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/**
 * A plan as a table: one row per message, the boundaries as lines between rows.
 *
 * @param {{ name: string, report: object, plan: object, width: number, style: object }} shown
 * @returns {string} ends with a line break
 */
export function planTable({ name, report, plan, width, style }) {
  const layout = layoutOf(report, plan, width);
  const lines = [...headerOf(name, report, plan, style), '', style.dim(titlesOf(layout))];
  const at = boundariesOf(plan);
  plan.messages.forEach((message, index) => {
    for (const label of at.before(index)) lines.push(boundaryLine(label, width, style));
    lines.push(rowOf(index, message, report.messages[index], layout, style));
  });
  for (const label of at.before(plan.messages.length)) lines.push(boundaryLine(label, width, style));
  return `${lines.join('\n')}\n`;
}

function headerOf(name, report, plan, style) {
  const lines = [
    `${style.strong(printable(name))}  ${report.title}: ${printable(report.evidence)}`,
    style.dim(`${plan.profile}, context window ${amount(plan.trigger.context)}, summarises above ${amount(plan.trigger.threshold)}`),
    `${verdictOf(plan)} ${style.strong(totalsOf(plan))}`,
  ];
  if (report.problems.length > 0) {
    const [first] = report.problems;
    lines.push(`${counted(report.problems.length, 'place')} could not be read; first: ${first.message}, line ${first.line}`);
  }
  return lines;
}

function layoutOf(report, plan, width) {
  const largest = Math.max(1, ...plan.messages.map((message) => message.tokensBefore));
  const index = Math.max(1, String(plan.messages.length - 1).length);
  const cost = Math.max(6, amount(largest).length);
  const longestTool = Math.max(4, ...report.messages.map((message) => toolsOf(message).length));
  const tool = Math.min(longestTool, Math.max(8, Math.floor(width * TOOL_SHARE)));
  const left = width - (index + ROLE_WIDTH + tool + cost + FATE_WIDTH + 5 * 2);
  const longest = Math.max(0, ...plan.messages.map((message) => reasonOf(message, plan.prune.reason).length));
  const bar = width < NARROW ? 0 : Math.min(LARGEST_BAR, Math.max(SMALLEST_BAR, left - 2 - longest));
  const room = left - (bar > 0 ? bar + 2 : 0);
  const reason = room < SMALLEST_REASON ? 0 : room;
  return { largest, index, cost, tool, bar, reason, pruning: plan.prune.reason };
}

function titlesOf(layout) {
  const columns = ['#'.padStart(layout.index), fit('role', ROLE_WIDTH), fit('tool', layout.tool), 'tokens'.padStart(layout.cost)];
  if (layout.bar > 0) columns.push(fit('', layout.bar));
  return [...columns, fit('fate', FATE_WIDTH), fit(layout.reason > 0 ? 'why' : '', layout.reason)].join('  ').trimEnd();
}

function rowOf(index, message, read, layout, style) {
  const [mark, word] = fateOf(message.fate);
  const columns = [
    String(index).padStart(layout.index),
    fit(message.role, ROLE_WIDTH),
    fit(toolsOf(read), layout.tool),
    amount(message.tokensBefore).padStart(layout.cost),
  ];
  if (layout.bar > 0) columns.push(barOf(message, layout));
  columns.push(fit(`${mark} ${word}`, FATE_WIDTH), fit(reasonOf(message, layout.pruning), layout.reason));
  return paintOf(message, style)(columns.join('  ').trimEnd());
}

function paintOf({ fate, role }, style) {
  if (fate === 'pruned') return style.pruned;
  if (fate === 'summarised') return style.summarised;
  return fate === 'inactive' || fate === 'already_pruned' || role === 'system' ? style.dim : (text) => text;
}

/** The names of the tools that a message calls or whose results it contains. */
function toolsOf(message) {
  const names = message?.parts.map((part) => part.toolName).filter((name) => name !== undefined);
  return printable([...new Set(names)].join(', '));
}

/** A bar whose kept part is solid, to an eighth of a cell, and whose removed part is shaded. */
function barOf({ tokensBefore, tokensAfter }, { largest, bar }) {
  const cells = (cost) => (Math.min(cost, tokensBefore) / largest) * bar;
  const eighths = tokensAfter === 0 ? 0 : Math.max(1, Math.round(cells(tokensAfter) * 8));
  const stays = '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
  const whole = tokensBefore === 0 ? 0 : Math.max(1, Math.ceil(cells(tokensBefore)));
  return fit(stays + (tokensAfter < tokensBefore ? '░'.repeat(Math.max(0, whole - stays.length)) : ''), bar);
}

/** The labels of the boundaries, by the message that follows each. */
function boundariesOf({ prune, retain, messages }) {
  const lines = [];
  if (prune.boundary !== null && prune.reason !== 'disabled') {
    const what = prune.applied ? 'older outputs are pruned' : 'older outputs stay';
    lines.push({ at: prune.boundary.message + 1, label: `protection boundary: ${what}` });
  }
  if (retain.boundary !== null && retain.reason !== 'disabled') {
    const what = retain.applied ? 'older messages are summarised' : 'would begin here';
    const kept = retain.boundary >= messages.length ? 'nothing is kept' : `${tokens(retain.kept)} from here`;
    lines.push({ at: retain.boundary, label: `retention window: ${what}, ${kept}` });
  }
  return { before: (index) => lines.filter((line) => line.at === index).map((line) => line.label) };
}

function boundaryLine(label, width, style) {
  return style.boundary(`── ${label} ${'─'.repeat(Math.max(2, width - label.length - 4))}`);
}
