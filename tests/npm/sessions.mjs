// Real session files with the npm package: `node sessions.mjs DIR` prints one line of JSON per file, which `cargo
// xtask sessions` reads to print a table. A MANIFEST.tsv in the folder states the expectations; without one, only
// what must be true of any session is checked.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

import { fixtureFiles } from '../formats/fixtures.mjs';
import { ebbline } from './package.mjs';

const { EbblineError, compact, detect, plan, profiles, read } = ebbline;

const NOW = 1_795_300_000_000;
const IDLE = { 'prune.enabled': false, 'retain.enabled': false };
const PRUNING = {
  'prune.enabled': true,
  'retain.enabled': false,
  'prune.protect': 500,
  'prune.minimum': 1,
  'prune.protectedTurns': 1,
};
const SUMMARIZING = {
  'prune.enabled': false,
  'retain.enabled': true,
  'retain.keep': 1000,
  'model.context': 1,
  'trigger.reserve': 0,
};
const COLUMNS = {
  messages: 'messages',
  tool_calls: 'calls',
  tool_results: 'results',
  already_pruned: 'alreadyPruned',
  calls_without_result: 'callsWithoutResult',
  results_without_call: 'resultsWithoutCall',
  images: 'images',
};

/** The markers that a manifest counts. */
const NAMED_MARKERS = [
  'compact_boundary',
  'microcompact_boundary',
  'isCompactSummary',
  'compaction',
  'compaction-part',
  'summary:true',
  'compacted',
];

/** The columns that a manifest must have, because they are compared, and those that describe a session's origin. */
const COMPARED = ['file', 'format', ...Object.keys(COLUMNS), 'tool_result_chars', 'inactive_messages', 'compaction_markers'];
const TOLD = ['repo', 'path', 'commit', 'licence', 'bytes', 'largest_result_chars', 'origin', 'notes', 'sha256_16'];

const PROFILES = profiles().map((profile) => profile.name);
/** Every format has fixtures. */
const SUPPORTED = new Set(fixtureFiles.map(({ format }) => format));

/** The checks of one file, counted. */
class Checks {
  made = 0;
  failures = [];

  holds(holds, why) {
    this.made += 1;
    if (!holds) this.failures.push(why);
  }

  equal(what, ours, expected) {
    this.holds(ours === expected, `${what}: ${ours}, expected ${expected}`);
  }
}

function checkFile(folder, path, manifest) {
  const file = relative(folder, path).replaceAll('\\', '/');
  const checks = new Checks();
  const row = manifest.get(file);
  const bytes = readFileSync(path);
  const report = readOr(
    bytes,
    (error) => checkRefusal(error, row, checks),
    (found) => checkSession(bytes, found, row, checks),
  );
  return { file, ok: checks.failures.length === 0, checks: checks.made, failures: checks.failures, ...report };
}

function readOr(bytes, refused, accepted) {
  let report;
  try {
    report = read(bytes);
  } catch (error) {
    if (error instanceof EbblineError) return refused(error);
    throw error;
  }
  return accepted(report);
}

/** A file that cannot be read must be refused for a fitting reason. */
function checkRefusal(error, row, checks) {
  const supported = SUPPORTED.has(row?.format);
  checks.holds(!supported, `is of a supported format, but: ${error.message}`);
  const honest = error.code === 'unsupported_format' || error.code === 'no_messages';
  checks.holds(row === undefined || honest, `refused with ${error.code}: ${error.message}`);
  return { format: error.code, note: error.message.split(', which')[0] };
}

function checkSession(bytes, report, row, checks) {
  // Of a value with one long text, a message of the AI SDK's interface counts the text alone.
  const isValue = report.format === 'vercel_ui' && /"output": ?\{/.test(Buffer.from(bytes).toString());
  checks.equal('detected', detect(bytes).format, report.format);
  if (row !== undefined && !row.format.startsWith('extra/')) checks.equal('format', report.format, row.format);
  // The manifest has no counts for logs that it does not know.
  if (row !== undefined && report.format !== 'inspect_ai') checkCounts(report, row, checks, isValue);
  if (row !== undefined) checkMarkers(report, row, checks);
  for (const profile of PROFILES) {
    checkIdle(bytes, profile, checks);
    checkPruning(bytes, report.format, profile, checks);
    checkSummarizing(bytes, report, profile, checks);
  }
  const note = report.problems.length > 0 ? `${report.problems.length} lines could not be read` : '';
  return { format: report.format, note };
}

function checkCounts({ counts, format, messages }, row, checks, isValue) {
  const figures = Object.entries(COLUMNS).map(([column, name]) => [column, counts[name]]);
  // The manifest measures results that are not text in its own spelling.
  const parts = messages.flatMap((message) => message.parts);
  const isText = (part) => part.native === undefined && part.output !== 'sealed' && part.output !== 'pruned';
  // The same holds for the objects that Cline's tools return.
  if (format !== 'cline' && !isValue && parts.every(isText)) figures.push(['tool_result_chars', counts.resultChars]);
  // Its column of inactive messages excludes what precedes a compaction that OpenCode recorded.
  if (format !== 'opencode' || counts.inactive === 0) figures.push(['inactive_messages', counts.inactive]);
  for (const [column, figure] of figures) {
    if (/^\d+$/.test(row[column])) checks.equal(column, figure, Number(row[column]));
    else checks.holds(false, `${column}: the manifest says ${row[column]}, which is no number`);
  }
}

/** Compares the agent's own compactions recorded in the file; the manifest counts them by the format's words. */
function checkMarkers({ markers = [] }, row, checks) {
  const expected = JSON.parse(row.compaction_markers.replace(/^"|"$/g, '').replaceAll('""', '"'));
  const unknown = Object.keys(expected).filter((name) => !NAMED_MARKERS.includes(name));
  checks.holds(unknown.length === 0, `the manifest counts ${unknown}, which nothing is compared with`);
  for (const name of NAMED_MARKERS) {
    const found = markers.filter((marker) => marker.name === name).length;
    checks.equal(`marker ${name}`, found, expected[name] ?? 0);
  }
}

function checkIdle(bytes, profile, checks) {
  const same = compact(bytes, { profile, set: IDLE });
  checks.holds(same.bytes !== bytes && Buffer.compare(same.bytes, bytes) === 0, `${profile}: an empty plan changes bytes`);
}

function checkPruning(bytes, format, profile, checks) {
  const options = { profile, set: PRUNING, format, now: NOW };
  const done = compact(bytes, options);
  const changed = Buffer.compare(done.bytes, bytes) !== 0;
  checks.equal(`${profile}: changes`, changed, done.plan.prune.applied);
  checks.holds(onlyPlannedDiffer(bytes, format, done), `${profile}: bytes outside the planned messages differ`);
  const again = compact(done.bytes, options);
  const [measured, planned] = [again.plan.tokensBefore, done.plan.tokensAfter];
  // What a placeholder describes may be shorter than a plan assumes.
  const describes = profiles().some(({ name, policy }) => name === profile && policy.prune.placeholder.includes('{'));
  if (describes) checks.holds(measured <= planned, `${profile}: ${measured} of ${planned}`);
  else checks.equal(`${profile}: totals`, measured, planned);
  checks.holds(!again.plan.prune.applied, `${profile}: prunes again`);
  checks.holds(Buffer.compare(again.bytes, done.bytes) === 0, `${profile}: planning again is no no-op`);
}

/** Whether a compacted session only differs from the source in the messages that the plan prunes. */
function onlyPlannedDiffer(bytes, format, { bytes: written, plan: planned }) {
  const isPlanned = (_, index) => planned.messages[index].parts.some((part) => part.fate === 'pruned');
  const outside = (source) => {
    const spans = read(source, { format }).messages.map((message) => message.bytes);
    return gaps(
      source,
      spans.filter(isPlanned).sort((a, b) => a[0] - b[0]),
    );
  };
  const [before, after] = [outside(bytes), outside(written)];
  return before.length === after.length && before.every((gap, at) => gap.equals(after[at]));
}

/** The text outside the spans. */
function gaps(bytes, spans) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = [0, ...spans.map(([, end]) => end)];
  const ends = [...spans.map(([start]) => start), buffer.length];
  return starts.map((start, at) => buffer.subarray(start, ends[at]));
}

function checkSummarizing(bytes, { format, counts }, profile, checks) {
  const options = { profile, set: SUMMARIZING, format };
  if (!plan(bytes, options).retain.applied) return;
  checks.holds(compact(bytes, options).summaryNeeded, `${profile}: no summary is asked for`);
  let done;
  try {
    done = compact(bytes, { ...options, summary: 'What happened so far.', now: NOW });
  } catch (error) {
    if (error.code === 'no_place_for_summary') return;
    throw error;
  }
  const orphans = ({ callsWithoutResult, resultsWithoutCall }) => callsWithoutResult + resultsWithoutCall;
  const again = read(done.bytes, { format });
  checks.holds(orphans(again.counts) <= orphans(counts), `${profile}: an orphan was made`);
  const next = plan(done.bytes, options);
  // A summary may be longer than the little that it replaces, because agents write sentences around it.
  const costs = next.messages.map((message, at) => (again.messages[at].summary && again.messages[at].active ? message.tokensBefore : 0));
  const summary = costs.reduce((sum, tokens) => sum + tokens, 0);
  const fewer = next.tokensBefore < done.plan.tokensBefore || done.plan.retain.summarized < summary;
  checks.holds(fewer, `${profile}: nothing was summarized`);
}

function manifestOf(folder) {
  const path = join(folder, 'MANIFEST.tsv');
  if (!existsSync(path)) return new Map();
  const [names, ...rows] = readFileSync(path, 'utf8')
    .split(/\r?\n/u)
    .filter(Boolean)
    .map((line) => line.split('\t'));
  // A misspelt or truncated name would not be compared.
  const unknown = names.filter((name) => !COMPARED.includes(name) && !TOLD.includes(name));
  const missing = COMPARED.filter((name) => !names.includes(name));
  const torn = rows.filter((values) => values.length !== names.length).map(([file]) => file);
  const absent = rows.filter(([file]) => !existsSync(join(folder, file))).map(([file]) => file);
  const faults = Object.entries({ unknown, missing, torn, absent }).filter(([, found]) => found.length > 0);
  if (faults.length > 0) throw new Error(`MANIFEST.tsv: ${faults.map((fault) => fault.join(' ')).join('; ')}`);
  return new Map(rows.map((values) => [values[0], Object.fromEntries(names.map((name, at) => [name, values[at]]))]));
}

function filesIn(folder) {
  const describes = /^(MANIFEST|README|LICENSE|\.)/;
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !describes.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: node sessions.mjs DIR');
  process.exitCode = 2;
} else {
  const manifest = manifestOf(folder);
  for (const path of filesIn(folder)) console.log(JSON.stringify(checkFile(folder, path, manifest)));
}
