import { applyToList } from './apply.js';
import { isBlank } from './blank.js';
import { formatNamed } from './catalog.js';
import * as core from './core.js';
import { UNKNOWN, decisionAt } from './decision.js';
import { bytesOfView } from './bytes.js';
import { engineMemory } from './engine.js';
import { EbblineError } from './errors.js';
import { files } from './files.js';
import * as filesCore from './files-core.js';
import { restrictionsOf } from './formats/common/restrictions.js';
import { guarded } from './guard.js';
import { checkHandle, handleOf } from './handle.js';
import { listOf } from './bounded-list.js';
import { detectLive, evidenceOf, formatOf } from './live-format.js';
import { checkRule, checkText, checked, jsonFor, policyKnownBy, policyOf } from './options.js';
import { PassRecorder, passed, remainsOf } from './passes.js';
import { lazyPlan } from './lazy-plan.js';
import { WORDS_OF_CUT, previewsOf } from './previews.js';
import { Recorder } from './recorder.js';
import { putText, takeBytes, takeString } from './text-buffer.js';
import { TextRecorder, WordsRecorder } from './text-recorder.js';

export { profiles } from './catalog.js';

const NOTHING_CUT = new Uint32Array();
const NOTHING: readonly unknown[] = Object.freeze([]);

/** Decides what should be done with a session: a fate and a reason for each message. */
export const plan = guarded(function plan(input, options) {
  const given = checked(options);
  const policy = policyOf(given);
  const source = sourceOf(input);
  if (Array.isArray(source)) {
    const { format } = checkedFormat(source, given);
    const found = passedOf(source, format, given, policy);
    return found?.plan ?? walkAs(format, source, given, policy, false, (recorder) => planOf(recorder, given, policy));
  }
  refuseCounting(given);
  return readText(source, given, policy, (session) => planText(session, given, policy, (_, plan) => plan));
});

/** Says whether a session is a request that its provider accepts, and which rules it breaks where. */
export const validate = guarded(function validate(input, options) {
  const given = checked(options);
  const { also = [], except = [] } = given;
  for (const name of [...also, ...except]) checkRule(name);
  const policy = policyOf(given);
  const source = sourceOf(input);
  if (!Array.isArray(source)) return readText(source, given, policy, (session) => JSON.parse(session.validate(also, except)));
  files.memory();
  const unmeasured = { placeholder: policy.placeholder, wide: false, classes: false, ofJson: false, notation: false };
  return walk(source, { ...given, countTokens: undefined }, unmeasured, false, ({ format }, recorder) => {
    const { emptyCalls, cacheMarks, blankTexts, calls: refused } = restrictionsOf(format, source);
    const { records, tools, calls } = recorder;
    const found = JSON.parse(
      filesCore.validateRecords(records, tools, format.name, also, except, emptyCalls, cacheMarks, blankTexts, refused),
    );
    return { ...found, pending: found.pending.map((call) => named(call, calls)) };
  });
});

/** A call that waits for its result, with its id instead of its number. */
function named({ number, message, part, ...call }, calls) {
  const id = number === undefined ? undefined : calls.idOf(number);
  return { message, part, ...(id !== undefined && { id }), ...call };
}

/** Plans, and carries the plan out on a copy. */
export const compact = guarded(function compact(input, options) {
  const given = checked(options);
  const policy = policyOf(given);
  const source = sourceOf(input);
  if (!Array.isArray(source)) return compactText(source, given, policy);
  const { format } = checkedFormat(source, given);
  return compactLive(source, format, given, policy).done;
});

/**
 * Plans live messages of a format, and carries the plan out on a copy. Also says where each of the resulting messages comes from:
 * its index among the given ones, or -1.
 */
export function compactLive(messages, format, given, policy) {
  if (given.handle === undefined) {
    const found = passedOf(messages, format, given, policy);
    if (found !== undefined) return withPasses(found, compactLive(found.messages, format, found.given, policy));
    return walkAs(format, messages, given, policy, true, (recorder) => carriedOut(messages, NOTHING, format, recorder, given, policy));
  }
  if (given.summary === undefined) throw invalid('a handle comes with the summary that was asked for: pass both');
  const { length, asked } = checkHandle(given.handle, messages.length, policy);
  const [first, since] = [messages.slice(0, length), messages.slice(length)];
  const found = passedOf(first, format, { ...given, ...asked }, policy);
  const left = found?.messages ?? first;
  walkAs(format, left, given, policy, TextRecorder, (recorder) => {
    const fingerprint = core.fingerprintOfRecords(recorder.records, recorder.tools, ...recorder.put());
    checkHandle(given.handle, messages.length, policy, fingerprint);
  });
  const as = { ...given, ...asked, ...found?.given };
  const done = walkAs(format, left, as, policy, true, (recorder) => carriedOut(left, since, format, recorder, as, policy));
  return found === undefined ? done : withPasses(found, done);
}

/**
 * What the policy's passes leave of live messages, with the plan of all that is to be done, and the options with which the rest of it
 * is done; `undefined` if they change nothing.
 */
export function passedOf(messages, format, given, policy) {
  if (!policy.takesPasses || given.isPassed) return undefined;
  const isDue = given.force || walkAs(format, messages, given, policy, false, (recorder) => isFull(planOf(recorder, given, policy)));
  if (!isDue) return undefined;
  const { now = Date.now(), freeBytes = false } = given;
  const how = { reference: policy.reference, now, freeBytes };
  const found = walkAs(format, messages, given, policy, PassRecorder, (recorder) =>
    passed(messages, recorder, format, policy, askedOf(given), how),
  );
  if (found === undefined) return undefined;
  return { ...found, given: { ...given, isPassed: true, ...(found.known !== undefined && { knownTokens: Math.max(1, found.known) }) } };
}

/** Whether the context may be full, so that something has to give way, as far as a decision without passes says. */
export function isFull({ verdict, trigger }) {
  return verdict !== 'noop' || trigger.fires;
}

/** What was done, passes included. */
function withPasses({ plan }, { done, sources }) {
  return { done: { ...done, plan, applied: { ...done.applied, pruned: plan.prune.outputs } }, sources };
}

/** `since`: the messages that came after those that the plan is of. They stay. */
function carriedOut(source, since, format, recorder, given, policy) {
  let pruned;
  let cut = NOTHING_CUT;
  const plan = planOf(recorder, given, policy, (ledger) => {
    pruned = ledger.pruned();
    cut = ledger.cut();
  });
  const told = summaryOf(given);
  const isCarrying = told !== undefined && plan.retain.applied && policy.carriesWords;
  const summary = isCarrying ? withWords(told, source, format, recorder, given, policy) : told;
  const { now = Date.now(), role = 'user', answer = false } = given;
  const { placeholder, reference } = policy;
  const { slots, places, anchors } = recorder;
  const how = { placeholder, reference, summary, role, answer, now, freeBytes: given.freeBytes ?? false };
  const remains = policy.describes && pruned !== undefined ? remainsOfLive(source, format, given, policy, pruned, cut) : undefined;
  const previews = previewsOf(source, format, cut, policyKnownBy(policy.key), given.countTokens);
  const { messages, sources } = applyToList(source, since, { format, slots, places, anchors, pruned, previews, remains }, plan, how);
  return { done: { messages, ...outcome(plan, summary) }, sources };
}

/** What remains of the outputs that are pruned; those that are cut are newer than all of them. */
function remainsOfLive(messages, format, given, policy, pruned, cut) {
  const cleared = pruned.subarray(0, pruned.length - (cut.length / WORDS_OF_CUT) * 2);
  return walkAs(format, messages, given, policy, TextRecorder, (recorder) => remainsOf(recorder, policy, cleared));
}

/** A summary with the user's own words behind it: those of the messages that it replaces, as far as the policy allows. */
function withWords(summary, messages, format, { records, tools }, given, policy) {
  const asked = askedOf(given);
  const uncounted = { ...given, countTokens: undefined, seals: undefined };
  const texts = walkAs(format, messages, uncounted, policy, WordsRecorder, (recorder) => recorder.put());
  return core.wordsOfRecords(records, tools, policy.handle, ...asked, ...texts, summary);
}

/** The summary, unless it has no visible text. */
export function summaryOf({ summary }) {
  return summary === undefined || isBlank(summary) ? undefined : summary;
}

/** The request for a summary of what a plan summarizes, and the plan; `undefined` if it summarizes nothing. */
export const summaryRequest = guarded(function summaryRequest(input, options) {
  const given = checked(options);
  const policy = policyOf(given);
  const source = sourceOf(input);
  if (Array.isArray(source)) return requestOfLive(source, checkedFormat(source, given).format, given, policy);
  refuseCounting(given);
  return readText(source, given, policy, (session) =>
    planText(session, given, policy, (planned, plan) => {
      const json = session.summaryRequest(planned, given.focus, given.budgetTokens);
      return json === undefined ? undefined : requested(JSON.parse(json), plan);
    }),
  );
});

/** A walk records only lengths, but a summary needs the words themselves: a second recorder keeps them. */
export function requestOfLive(messages, format, given, policy) {
  const { focus, budgetTokens } = given;
  const asked = askedOf(given);
  const found = passedOf(messages, format, given, policy);
  if (found !== undefined) {
    const about = requestOfLive(found.messages, format, found.given, policy);
    // The handle is of what was asked, so that the same passes come before the summary is taken over.
    return about && { ...about, plan: found.plan, handle: handleOf(messages.length, about.handle.fingerprint, asked, policy) };
  }
  return walkAs(format, messages, given, policy, TextRecorder, (recorder) => {
    const plan = planOf(recorder, given, policy);
    if (!plan.retain.applied) return undefined;
    const { records, tools } = recorder;
    const written = core.summaryRequestOfRecords(records, tools, policy.handle, ...asked, ...recorder.put(), focus, budgetTokens);
    if (written === undefined) return undefined;
    const end = written.indexOf('\n');
    const { system, maxTokens, context, fingerprint } = JSON.parse(written.slice(0, end));
    const request = { system, messages: [{ role: 'user', content: written.slice(end + 1) }], maxTokens };
    return { request, context, plan, handle: handleOf(messages.length, fingerprint, asked, policy) };
  });
}

/** The summary of what a plan of live messages summarizes that needs no model; `undefined` if it summarizes nothing new. */
export function deterministicOfLive(messages, format, given, policy) {
  return aboutSummary(messages, format, given, policy, (...walked) => filesCore.deterministicOfRecords(...walked));
}

/** What a summary of live messages lacks. */
export function shortcomingsOfLive(messages, format, given, policy, summary, { headings, language, facts }) {
  const json = aboutSummary(messages, format, given, policy, (...walked) =>
    filesCore.shortcomingsOfRecords(...walked, summary, headings, language, facts),
  );
  return JSON.parse(json);
}

function aboutSummary(messages, format, given, policy, use) {
  const found = passedOf(messages, format, given, policy);
  if (found !== undefined) return aboutSummary(found.messages, format, found.given, policy, use);
  return walkAs(format, messages, given, policy, TextRecorder, (recorder) => {
    return use(recorder.records, recorder.tools, policy.json, ...askedOf(given), ...recorder.put(files));
  });
}

function requested({ request: { system, messages, maxTokens }, context }, plan) {
  const said = messages.map(({ role, text: content }) => ({ role, content }));
  return { request: { system, messages: said, maxTokens }, context, plan };
}

/** Turns a model's answer into a summary: checks it, and adds the lists of files at its end. */
export const finishSummary = guarded(function finishSummary(requested, answer) {
  return reviewSummary(requested, answer).summary;
});

/** Does the same, and also returns what is unusual about the summary. */
export const reviewSummary = guarded(function reviewSummary(requested, answer) {
  engineMemory();
  const { text, truncated = false } = typeof answer === 'string' ? { text: answer } : (answer ?? {});
  if (typeof text !== 'string' || typeof truncated !== 'boolean') {
    throw invalid('the answer must be a string, or an object { text, truncated }');
  }
  checkText('the answer', text);
  const context = jsonFor('invalid_option', 'the context of the request', requested?.context ?? null);
  return JSON.parse(core.finishSummary(context, text, truncated));
});

/** Which format a session has, and what shows it. */
export const detect = guarded(function detect(input) {
  const source = sourceOf(input);
  if (Array.isArray(source)) return detectLive(source);
  const { buffer, length } = putText(source, files);
  return JSON.parse(filesCore.detect(buffer, length));
});

/** Reports the content of a session: counts, and every message with its parts. */
export const read = guarded(function read(input, options) {
  const given = checked(options);
  const policy = policyOf(given);
  const source = sourceOf(input);
  if (!Array.isArray(source)) return readText(source, given, policy, (session) => JSON.parse(session.report()));
  const everything = { placeholder: policy.placeholder, wide: true, classes: true, ofJson: true, notation: true };
  return walk(source, { ...given, countTokens: undefined }, everything, false, (found, recorder) => {
    const format = found.format.name;
    const { title, reportedInput } = formatNamed(format);
    const evidence = evidenceOf(source, found, title);
    const report = JSON.parse(core.describeRecords(recorder.records, recorder.tools));
    return { format, title, evidence, ...(reportedInput && { reportedInput }), ...report };
  });
});

function compactText(source, given, policy) {
  refuseCounting(given);
  if (given.handle !== undefined) throw invalid('a handle is of live messages: pass their array, not text');
  const summary = summaryOf(given);
  return readText(source, given, policy, (session) =>
    planText(session, given, policy, (planned, plan) => {
      const buffer = session.compact(planned, summary, given.now, given.freeBytes ?? false);
      try {
        const result = typeof source === 'string' ? { text: takeString(buffer, files) } : { bytes: takeBytes(buffer, files) };
        return { ...result, ...outcome(plan, summary) };
      } finally {
        buffer.free();
      }
    }),
  );
}

/** What was done, which may differ from the plan: without a summary, old messages stay. */
export function outcome(plan, summary) {
  const isSummarized = plan.retain.applied && summary !== undefined;
  return {
    plan,
    applied: {
      pruned: plan.prune.applied ? plan.prune.outputs : 0,
      summarized: isSummarized ? plan.retain.messages : 0,
    },
    summaryNeeded: plan.retain.applied && summary === undefined,
  };
}

/** The options of a decision, in the order of the engine's arguments. */
function askedOf({ force = false, knownTokens = 0, overhead = UNKNOWN, idle = UNKNOWN, changedAt = UNKNOWN }) {
  return [force, knownTokens, overhead, idle, changedAt];
}

/** Plans the recorded messages; calls `applied` with the ledger if outputs are pruned. */
function planOf(recorder, given, policy, applied) {
  const asked = askedOf(given);
  const { records, tools } = recorder;
  const { key, profile } = policy;
  return policy.decide(records, tools, asked, (ledger, figures) => {
    const decision = decisionAt(figures, profile);
    if (decision.prune.applied) applied?.(ledger);
    const kept = records.slice();
    return lazyPlan(decision, () => core.planRecords(kept, tools, policyKnownBy(key).handle, ...asked));
  });
}

/** Of a text the engine reads lengths alone. */
export function refuseCounting({ countTokens }) {
  if (countTokens === undefined) return;
  throw invalid('the option countTokens counts live messages: pass their array, not text');
}

/** The format of live messages that are a single conversation. */
function checkedFormat(messages, { format, conversation = 0 }) {
  engineMemory();
  if (conversation > 0) {
    throw invalid(`there is no conversation ${conversation}: an array of messages is a single one, number 0`);
  }
  return formatOf(messages, format);
}

/** Walks live messages and calls `use` with the records. */
export function walk(messages, given, policy, how, use) {
  const found = checkedFormat(messages, given);
  return walkAs(found.format, messages, given, policy, how, (recorder) => use(found, recorder));
}

/** `how`: the class of the recorder, or whether to note where results stand. */
function walkAs(format, messages, { countTokens, seals = undefined, introduction = undefined }, policy, how, use) {
  const Kind = typeof how === 'function' ? how : Recorder;
  const recorder = new Kind(policy, how === true, policy.tools, countTokens);
  recorder.seals = seals;
  if (recorder instanceof TextRecorder) recorder.introduction = introduction;
  try {
    recorder.reserve(messages.length);
    format.walk(messages, recorder);
    return use(recorder);
  } finally {
    recorder.release();
  }
}

/** Reads a text and calls `use` with the session. */
export function readText(source, { format, strict, conversation }, { placeholder }, use) {
  const { buffer, length } = putText(source, files);
  const session = new filesCore.SessionText(buffer, length, format, placeholder, strict ?? false, conversation);
  try {
    return use(session);
  } finally {
    session.free();
  }
}

/** Plans a session that was read, and calls `use` with the plan: in the engine's own form, and as a value. */
export function planText(session, given, { json }, use) {
  const planned = session.plan(json, ...askedOf(given));
  try {
    return use(planned, JSON.parse(planned.toJson()));
  } finally {
    planned.free();
  }
}

/** A text, its bytes, or an array of messages. Anything else is refused with an error that says what to pass instead. */
export function sourceOf(input): string | Uint8Array | unknown[] {
  if (typeof input === 'string') return input;
  if (Array.isArray(input)) return listOf(input);
  if (ArrayBuffer.isView(input)) return bytesOfView(input) ?? refuseDetached();
  const wanted = 'pass the text of a session file, its bytes as a Uint8Array, or an array of messages';
  const array = arrayIn(input);
  if (array !== undefined) throw new EbblineError('no_messages', `an object is no session: pass its array, as in ${array}`);
  const what = input === null ? 'null' : typeof input === 'object' ? 'an object' : `a value of type ${typeof input}`;
  throw new EbblineError('no_messages', `${what} is no session: ${wanted}`);
}

/** How to pass the messages of an object: a request, or LangGraph's state, snapshot or checkpoint. */
function arrayIn(input) {
  if (Array.isArray(input?.messages)) return 'plan(request.messages) or, of a graph, plan(state.messages)';
  if (Array.isArray(input?.values?.messages)) return 'plan(state.values.messages)';
  if (Array.isArray(input?.channel_values?.messages)) return 'plan(checkpoint.channel_values.messages)';
  return undefined;
}

function invalid(message) {
  return new EbblineError('invalid_option', message);
}

function refuseDetached(): never {
  throw new EbblineError('no_messages', 'the bytes are gone: their buffer was handed over to somebody else');
}
