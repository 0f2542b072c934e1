import { detect, plan, profiles, read, reviewSummary, summaryRequest, validate } from '../node.js';
import { planOptions, requestOptions } from './args.js';
import { Exit, UsageError } from './exit.js';
import { nameOf, readBytes, readText } from './files.js';
import { isColored, printable, printableLines, styles } from './style.js';
import { planTable } from './table.js';
import { violationList } from './violations.js';

/** The width of a table that is written to a file or a pipe. */
const DEFAULT_WIDTH = 100;

export async function detectFile(name, { values }, out) {
  const found = detect(await readBytes(name));
  if (values.json) return void out.write(`${JSON.stringify({ file: name, ...found })}\n`);
  const note = found.supported ? '' : ', which is recognised but not read yet';
  out.write(`${printable(nameOf(name))}: ${found.title} (${found.format})${note}; ${printable(found.evidence)}\n`);
}

/** @returns {Promise<number>} the exit code */
export async function planFile(name, { values }, out) {
  const options = planOptions(values);
  const bytes = await readBytes(name);
  const planned = plan(bytes, options);
  if (values.json) {
    out.write(`${JSON.stringify(planned)}\n`);
  } else {
    const width = out.columns ?? (Number(process.env.COLUMNS) || DEFAULT_WIDTH);
    const style = styles(isColored(values.color, out));
    out.write(planTable({ name: nameOf(name), report: read(bytes, options), plan: planned, width, style }));
  }
  const isToDo = planned.prune.applied || planned.retain.applied;
  return values.check && isToDo ? Exit.WORK : Exit.OK;
}

/** @returns {Promise<number>} the exit code */
export async function validateFile(name, { values }, out) {
  const options = planOptions(values);
  const bytes = await readBytes(name);
  const found = validate(bytes, options);
  if (values.json) {
    out.write(`${JSON.stringify({ file: name, ...found })}\n`);
  } else {
    const style = styles(isColored(values.color, out));
    out.write(violationList({ name: nameOf(name), found, title: read(bytes, options).title, style }));
  }
  return found.valid ? Exit.OK : Exit.INPUT;
}

/** Prints the request for a summary, or the summary made of its answer. */
export async function requestFile(name, { values }, out, notes) {
  if (name === '-' && values.answer === '-') {
    throw new UsageError('the session and the answer cannot both come from standard input');
  }
  const options = requestOptions(values);
  const requested = summaryRequest(await readBytes(name), options);
  if (requested === undefined) {
    notes.write(`ebbline: ${printable(nameOf(name))}: nothing is to be summarised\n`);
  } else if (values.answer !== undefined) {
    const { summary, warnings } = reviewSummary(requested, await readText(values.answer));
    for (const { text } of warnings) notes.write(`ebbline: ${printable(nameOf(name))}: ${text}\n`);
    out.write(`${summary}\n`);
  } else if (values.json) {
    out.write(`${JSON.stringify({ file: name, ...requested })}\n`);
  } else {
    const { system, messages } = requested.request;
    const style = styles(isColored(values.color, out));
    const said = [{ role: 'system', content: system }, ...messages];
    // To a file or a pipe, texts are written unchanged.
    const shown = (text) => (out.isTTY ? printableLines(text) : text);
    out.write(said.map(({ role, content }) => `${style.strong(`# ${role}`)}\n\n${shown(content)}\n`).join('\n'));
  }
}

export function listProfiles({ values }, out) {
  const style = styles(isColored(values.color, out));
  for (const profile of profiles()) {
    out.write(values.json ? `${JSON.stringify(profile)}\n` : `${style.strong(profile.name)}\n  ${profile.about}\n`);
  }
}
