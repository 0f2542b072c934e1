// Golden vectors through the npm package: `node golden.mjs DIR` prints one line of JSON for each file, which
// `cargo xtask golden` makes a table of. Each adapter puts a case into the public functions and compares their answers.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { expand, member, parse } from './notation.mjs';
import { ebbline } from './package.mjs';

const { EbblineError, plan, read } = ebbline;
const SHOWN_FAILURES = 5;

/** The function that checks a case of `file`; `undefined` when the file is not covered yet. */
function adapterOf(file) {
  const adapters = {
    'tunacode-2026-01-prune': tunacodePrune,
    'tunacode-0.2.3-estimate': tunacodeEstimate,
    'tunacode-0.2.3-boundary': tunacodeBoundary,
    'tunacode-0.2.3-threshold': tunacodeThreshold,
    'opencode-2026-01-prune': opencodePrune,
  };
  return /^pi-.*-migrate$/.test(file) ? piMigrate : adapters[file];
}

function tunacodePrune({ messages, input, expected }) {
  const profile = input.localMode ? 'tunacode@2026-01/local' : 'tunacode@2026-01';
  const planned = plan(messages, { profile, format: 'tunacode' });
  const tokens = [];
  const cleared = [];
  input.messages.forEach((message, at) => {
    // The plan counts parts as the engine sees them; the vectors count those of the file.
    const results = planned.messages[at].parts.filter((part) => part.kind === 'tool_result');
    (message.parts ?? []).forEach((part, index) => {
      const isReturn = part.part_kind === 'tool-return';
      const isRetry = part.part_kind === 'retry-prompt' && (part.tool_name ?? null) !== null;
      const result = isReturn || isRetry ? results.shift() : undefined;
      if (isReturn) tokens.push([at, index, result.tokensBefore]);
      if (result?.fate === 'pruned') cleared.push([at, index]);
    });
  });
  const turns = read(messages, { format: 'tunacode' }).messages.filter((message) => message.turn !== 'no').length;
  equal('user turns', turns, expected.userTurns);
  equal('tokens', tokens, expected.toolReturnTokens);
  equal('cleared', cleared, expected.clearedParts);
  equal('reclaimed', planned.prune.reclaimed, expected.reclaimedTokens);
}

/** The controller's functions get messages that the loader has validated. */
function controller(messages, options) {
  return plan(messages, { profile: 'tunacode@0.2', format: 'tunacode', strict: true, ...options });
}

function tunacodeEstimate({ messages, expected }) {
  const planned = controller(messages);
  equal('per message', planned.messages.map((message) => message.tokensBefore), expected.perMessage);
  equal('total', planned.tokensBefore, expected.total);
}

function tunacodeBoundary({ messages, input, expected }) {
  input.keepRecentTokens.forEach((keep, index) => {
    const find = () => controller(messages, { set: { 'retain.keep': keep } }).retain.proposed ?? 0;
    const wanted = expected.boundaries?.[index];
    if (wanted?.throws) throws(find);
    else equal(`boundary for keep ${keep}`, find(), wanted);
  });
  equal('forced boundary', controller(messages, { force: true }).retain.proposed ?? 0, expected.force);
}

function tunacodeThreshold({ messages, input, expected }) {
  const known = input.sessionMessages ? Math.max(0, input.sessionTotalTokens ?? 0) : 0;
  const planned = controller(messages, {
    knownTokens: known,
    model: { context: Math.max(0, input.maxTokens) },
    set: {
      'retain.keep': input.keepRecentTokens,
      'trigger.reserve': input.reserveTokensArgument ?? input.reserveTokens,
    },
  });
  equal('fires', planned.trigger.fires, expected.shouldCompact);
  if (expected.sessionTotalTokensAfter === undefined) return;
  equal('total after', known > 0 ? known : planned.tokensBefore, expected.sessionTotalTokensAfter);
}

function opencodePrune({ messages, input, expected }) {
  const isDisabled = input.config?.compaction?.prune === false;
  const options = { profile: 'opencode@2026-01', format: 'opencode', set: { 'prune.enabled': !isDisabled } };
  const planned = plan(messages, options);
  // Messages may have been reordered: they are found again by where they stand.
  const order = read(messages, options)
    .messages.map((message, index) => ({ index, start: message.bytes[0] }))
    .sort((a, b) => a.start - b.start);
  const pruned = input.messages.flatMap((message, at) => {
    const results = planned.messages[order[at].index].parts.filter((part) => part.kind === 'tool_result');
    const answered = message.parts.filter((part) => ['completed', 'error'].includes(part.type === 'tool' && part.state.status));
    return answered.filter((_, index) => results[index].fate === 'pruned').map((part) => part.id);
  });
  equal('pruned', pruned.reverse(), expected.prunedParts);
  const { counted: total, candidates: prunable } = planned.prune;
  equal('counted', isDisabled ? null : { total, prunable }, expected.counted);
}

function piMigrate({ raw, expected }) {
  const text = member(raw, 'lines').elements.map(expand).join('\n');
  const { entries } = read(text, { format: 'pi' });
  equal('entries', entries.length, expected.entries.length);
  const lines = new Map(entries.map((entry, line) => [entry.id, line]));
  const shown = (id) => (id !== undefined && lines.has(id) ? `@${lines.get(id)}` : (id ?? null));
  const show = { id: shown, parentId: shown, firstKeptEntryId: shown, version: Number };
  entries.forEach((entry, line) => {
    for (const [key, wanted] of Object.entries(expected.entries[line])) {
      equal(`line ${line}, ${key}`, show[key] ? show[key](entry[key] ?? undefined) : entry[key], wanted);
    }
  });
}

function equal(what, ours, expected) {
  if (isDeepStrictEqual(ours, expected)) return;
  throw new Error(`${what}: ours ${JSON.stringify(ours)}, expected ${JSON.stringify(expected)}`);
}

/** The system raised an exception; the package has to refuse as well, with an error of its own. */
function throws(call) {
  try {
    call();
  } catch (error) {
    if (error instanceof EbblineError) return;
    throw error;
  }
  throw new Error('the system raised an exception, we did not');
}

function runCase(node, adapter) {
  const raw = member(node, 'input');
  const given = {
    raw,
    input: JSON.parse(expand(raw)),
    expected: JSON.parse(expand(member(node, 'expected'))),
    messages: member(raw, 'messages') && expand(member(raw, 'messages')),
  };
  if (given.expected.throws) throws(() => adapter(given));
  else adapter(given);
}

function runFile(folder, file) {
  const adapter = adapterOf(file.replace(/\.json$/, ''));
  const cases = member(parse(readFileSync(join(folder, file), 'utf8')), 'cases')?.elements ?? [];
  if (adapter === undefined) return { file, known: false, cases: cases.length };
  const failures = [];
  for (const node of cases) {
    try {
      runCase(node, adapter);
    } catch (error) {
      failures.push(`${JSON.parse(member(node, 'name').raw)}: ${error.message}`);
    }
  }
  const failed = failures.length;
  return { file, known: true, cases: cases.length, passed: cases.length - failed, failed, failures: failures.slice(0, SHOWN_FAILURES) };
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: node golden.mjs DIR');
  process.exitCode = 2;
} else {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json')).sort();
  for (const file of files) console.log(JSON.stringify(runFile(folder, file)));
}
