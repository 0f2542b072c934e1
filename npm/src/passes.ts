import { clearOutputs } from './apply.js';
import { copyOfList, withMembers } from './copy.js';
import { files } from './files.js';
import * as filesCore from './files-core.js';
import { isBigInt } from './meter.js';
import { HAS_USAGE, Kind, MESSAGE, PART_WORDS } from './recorder.js';
import { putText } from './text-buffer.js';
import { TextRecorder } from './text-recorder.js';

/** The bits of a part's kind in its first word. */
const KINDS = 0xf;
/** Kinds of parts whose place in their message has to be found before they can be changed. */
const FOUND: Set<number> = new Set([Kind.THINKING, Kind.CALL, Kind.IMAGE]);

/** A recorder that keeps texts, and the places of results. */
export class PassRecorder extends TextRecorder {
  constructor(policy, _, tools, countTokens) {
    super(policy, true, tools, countTokens);
  }
}

/**
 * The messages that the policy's passes leave: `undefined` if they change nothing. The engine decides and says what becomes of
 * which part; see `crates/ebbline/src/passes/`.
 *
 * @param recorder that has walked them
 * @param asked the arguments of the decision
 * @param how outputs are cleared
 * @returns how many parts gave way, too
 */
export function passed(
  messages: unknown[],
  recorder: PassRecorder,
  format: import('./formats/table.js').Format,
  policy: any,
  asked: any[],
  how: { reference: boolean; now: number; freeBytes: boolean },
): { messages: unknown[]; plan: any; known: number | undefined; outputs: number } | undefined {
  const { records, tools, slots, places } = recorder;
  files.memory();
  const texts = recorder.put(files);
  const { buffer, length } = putText(bodiesOf(messages, records, places), files);
  const json = filesCore.passesOfRecords(records, tools, policy.json, ...asked, ...texts, buffer, length);
  if (json === undefined) return undefined;
  const { plan, known, given } = JSON.parse(json);
  const changed = [...messages];
  // What stands behind comes first, so that nothing moves that has yet to be found.
  for (const { message, part, path, text } of given.reverse()) {
    if (path === undefined) clearOutputs(changed, { format, slots, places }, [{ message, part, text }], how);
    else {
      const at = places?.[message] ?? message;
      changed[at] = rewritten(changed[at], path, text, format);
    }
  }
  return { messages: changed, plan, known: known ?? undefined, outputs: given.length };
}

/** What remains of the outputs that are pruned, as text; `pruned` has message and part in turn. */
export function remainsOf(recorder, policy, pruned) {
  files.memory();
  const texts = filesCore.remainsOfRecords(recorder.records, recorder.tools, policy.json, ...recorder.put(files), pruned);
  return texts.map((text, at) => ({ message: pruned[at * 2], part: pruned[at * 2 + 1], text }));
}

/** The messages in which parts have to be found, as JSON; `null` for all others. */
function bodiesOf(messages, records, places) {
  const bodies = [];
  for (let at = 0; at < records.length; ) {
    if (records[at] >= MESSAGE) {
      bodies.push('null');
      at += (records[at] & HAS_USAGE) === 0 ? 1 : 2;
    } else {
      const last = bodies.length - 1;
      if (FOUND.has(records[at] & KINDS) && bodies[last] === 'null') bodies[last] = bodyOf(messages[places?.[last] ?? last]);
      at += PART_WORDS;
    }
  }
  return `[${bodies.join(',')}]`;
}

/** A message as JSON. What JSON cannot say is left out: only the places of its parts are looked for. */
function bodyOf(message) {
  try {
    return JSON.stringify(message, (_, value) => (isBigInt(value) || ArrayBuffer.isView(value) ? null : value)) ?? 'null';
  } catch {
    return 'null';
  }
}

/** A message in which an element is removed, or something else stands at the end of the path. */
function rewritten(message, path, text, format) {
  // An instance of a class writes its members inside an envelope.
  const steps = path[0] === 'kwargs' && !('kwargs' in message) ? path.slice(1) : path;
  const change =
    text === undefined
      ? (list) => copyOfList(list).filter((_, at) => at !== steps.at(-1))
      : (old) => (typeof old === 'string' ? text : JSON.parse(text));
  const way = text === undefined ? steps.slice(0, -1) : steps;
  const [member, ...inside] = way;
  const value = changedAt(message[member], inside, change);
  return format.rewrite === undefined ? withMembers(message, { [member]: value }) : format.rewrite(message, { [member]: value });
}

/** A copy in which something else stands at the end of the path. */
function changedAt(value: any, path: (string | number)[], change: (old: any) => any): any {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (typeof step === 'string') return withMembers(value, { [step]: changedAt(value[step], rest, change) });
  const copy = copyOfList(value);
  copy[step] = changedAt(value[step], rest, change);
  return copy;
}
