// OpenCode's released 1.x line.

import { createHash } from 'node:crypto';

import { ebbline } from '../package.mjs';
import { equal, samePrompt } from './compare.mjs';
import { opencodeError, opencodeText } from './overflow.mjs';

const { compat, plan, read } = ebbline;

/** Adapters by `<version>-<function>`. */
export const opencode = {
  '2026-01-prune': plannedPrune,
  '2026-06-prune': prune,
  '2026-01-isOverflow': isOverflow,
  '2026-06-isOverflow': isOverflow,
  '2026-01-filterCompacted': filterCompacted,
  '2026-06-filterCompacted': filterCompacted,
  '2026-06-latest': latest,
  '2026-06-modelMessages': modelMessages,
  '2026-06-process': process,
  '2026-06-isContextOverflow': opencodeText,
  '2026-06-fromError': opencodeError,
};

function isOverflow({ version, input, expected }) {
  const { tokens, ...limits } = input;
  const room = compat.opencode.isOverflow(tokens, { version, ...limits });
  for (const [name, wanted] of Object.entries(expected)) equal(name, room[name], wanted);
}

function filterCompacted({ version, messages, expected }) {
  equal('ids', compat.opencode.filterCompacted(messages, { version }).ids, expected.ids);
}

function latest({ version, messages, expected }) {
  const { tasks, ...found } = compat.opencode.latest(messages, { version });
  equal('how many tasks', tasks.length, expected.tasks.length);
  equal('newest', { ...found, tasks: tasks.map((task, index) => named(task, expected.tasks[index])) }, expected);
}

function modelMessages({ messages, input, expected }) {
  const { messages: sent, jsonLength, estimate } = compat.opencode.modelMessages(messages, { model: input.model, ...input.options });
  equal('size', { jsonLength, estimate }, { jsonLength: expected.jsonLength, estimate: expected.estimate });
  sameMessages('messages', sent, expected);
}

/** Model messages are compared as JSON, because the order of keys also affects their size. */
function sameMessages(what, ours, { messages, json }) {
  const text = JSON.stringify(ours);
  if (messages !== undefined) equal(what, text, JSON.stringify(messages));
  if (json === undefined) return;
  const sha256 = createHash('sha256').update(text, 'utf8').digest('hex');
  equal(`digest of ${what}`, [sha256, text.length], [json.sha256, json.utf16Length]);
}

/** The ids in the vectors, which number everything that is created: two messages, then their parts. */
const NEW_IDS = { messages: ['msg_new1', 'msg_new2'], parts: Array.from({ length: 97 }, (_, index) => `prt_new${index + 3}`) };

function process({ version, messages, input, expected }) {
  const { messages: _, ...task } = input;
  const { result, tailStartID, head, prompt, created } = compat.opencode.process(messages, { version, ...task, newIDs: NEW_IDS });
  equal('result', { result, tailStartID }, { result: expected.result, tailStartID: expected.tailStartID });
  if (expected.head !== undefined) {
    equal('messages in the head', head.count, expected.head.count);
    sameMessages('head', head.messages, expected.head);
  }
  if (expected.prompt !== undefined) samePrompt('prompt', prompt, expected.prompt);
  equal('how many created', created.messages.length, expected.created.messages.length);
  // The case lists some members of the summary's message, and all members but times of everything else.
  const shown = created.messages.map((message, index) =>
    message.summary ? named(message, expected.created.messages[index]) : untimed(message),
  );
  equal('created', { messages: shown, parts: created.parts.map(untimed) }, expected.created);
}

function untimed({ time, ...rest }) {
  return rest;
}

/** Those members of `ours` that the case lists. */
function named(ours, expected = {}) {
  return Object.fromEntries(Object.entries(ours).filter(([key]) => key in expected));
}

function prune({ version, messages, input, expected }) {
  const { prunedParts, counted } = compat.opencode.prune(messages, { version, config: input.config });
  equal('pruned', prunedParts, expected.prunedParts);
  if (expected.counted !== undefined) equal('counted', counted, expected.counted);
}

/** Pruning as a plan, and as the system's own walk. */
function plannedPrune(given) {
  prune(given);
  const { messages, input, expected } = given;
  const isDisabled = input.config?.compaction?.prune === false;
  const options = { profile: 'opencode@2026-01', format: 'opencode', set: { 'prune.enabled': !isDisabled } };
  const planned = plan(messages, options);
  // Messages may have been reordered, so they are found by their spans.
  const order = read(messages, options)
    .messages.map((message, index) => ({ index, start: message.bytes[0] }))
    .sort((a, b) => a.start - b.start);
  const pruned = input.messages.flatMap((message, at) => {
    const results = planned.messages[order[at].index].parts.filter((part) => part.kind === 'tool_result');
    const answered = message.parts.filter((part) => ['completed', 'error'].includes(part.type === 'tool' && part.state.status));
    equal('results of a message', results.length, answered.length);
    return answered.filter((_, index) => results[index].fate === 'pruned').map((part) => part.id);
  });
  equal('pruned', pruned.reverse(), expected.prunedParts);
  const { reason, counted: total, candidates: prunable } = planned.prune;
  equal('counted', reason === 'disabled' ? null : { total, prunable }, expected.counted);
}
