import { type Clearing, type OutputText, clearOutputs } from './apply.js';
import { copyOfList, withMembers } from './copy.js';
import type { Asked } from './decision.js';
import { files } from './files.js';
import * as filesCore from './files-core.js';
import type { LiveFormat } from './formats/format.js';
import type { Plan } from './generated/plan.js';
import type { CountTokens } from './meter.js';
import type { ReadyPolicy } from './ready-policy.js';
import { HAS_USAGE, Kind, MESSAGE, PART_WORDS, type ReadingSettings, type Tools } from './recorder.js';
import { putText } from './text-buffer.js';
import { TextRecorder } from './text-recorder.js';
import { type Members, isBigInt } from './values.js';

/** The bits of a part's kind in its first word. */
const KINDS = 0xf;
/** Kinds of parts whose place in their message has to be found before they can be changed. */
const FOUND = new Set<number>([Kind.THINKING, Kind.CALL, Kind.IMAGE]);

/** A recorder that keeps texts, and the places of results. */
export class PassRecorder extends TextRecorder {
  constructor(settings: ReadingSettings, _: boolean, tools?: Tools, countTokens?: CountTokens) {
    super(settings, true, tools, countTokens);
  }
}

/** What a policy's passes leave. */
export interface PassedMessages {
  readonly messages: unknown[];
  readonly plan: Plan;
  /** how large the context then is, if its messages do not say so */
  readonly known: number | undefined;
  /** how many parts gave way */
  readonly outputs: number;
}

/** What the engine says that passes do. */
interface Passes {
  readonly plan: Plan;
  readonly known?: number | null;
  readonly given: GivenPart[];
}

/** What becomes of a part: an output gets a text; of any other, the path says where it stands, and it is gone if it gets no text. */
type GivenPart = (OutputText & { readonly path?: undefined }) | ChangedPart;

interface ChangedPart {
  readonly message: number;
  readonly part: number;
  readonly path: readonly (string | number)[];
  readonly text?: string;
}

/**
 * The messages that the policy's passes leave: `undefined` if they change nothing. The engine decides and says what becomes of
 * which part; see `crates/ebbline/src/passes/`.
 *
 * @param recorder that has walked them
 */
export function passed(
  messages: readonly unknown[],
  recorder: PassRecorder,
  format: LiveFormat,
  policy: ReadyPolicy,
  asked: Asked,
  how: Clearing,
): PassedMessages | undefined {
  const { records, tools, slots = [], places } = recorder;
  files.memory();
  const texts = recorder.put(files);
  const { buffer, length } = putText(bodiesOf(messages, records, places), files);
  const json = filesCore.passesOfRecords(records, tools, policy.json, ...asked, ...texts, buffer, length);
  if (json === undefined) return undefined;
  const { plan, known, given }: Passes = JSON.parse(json);
  const changed = [...messages];
  // What stands behind comes first, so that nothing moves that has yet to be found.
  for (const part of given.reverse()) {
    if (part.path === undefined) clearOutputs(changed, { format, slots, places }, [part], how);
    else {
      const at = places?.[part.message] ?? part.message;
      changed[at] = rewritten(changed[at] as object, part, format);
    }
  }
  return { messages: changed, plan, known: known ?? undefined, outputs: given.length };
}

/** What remains of the outputs that are pruned, as text; `pruned` has message and part in turn. */
export function remainsOf(recorder: TextRecorder, policy: ReadyPolicy, pruned: Uint32Array): OutputText[] {
  files.memory();
  const texts = filesCore.remainsOfRecords(recorder.records, recorder.tools, policy.json, ...recorder.put(files), pruned);
  return texts.map((text, at) => ({ message: pruned[at * 2], part: pruned[at * 2 + 1], text }));
}

/** The messages in which parts have to be found, as JSON; `null` for all others. */
function bodiesOf(messages: readonly unknown[], records: Uint32Array, places: readonly number[] | undefined): string {
  const bodies: string[] = [];
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
function bodyOf(message: unknown): string {
  try {
    return JSON.stringify(message, (_, value) => (isBigInt(value) || ArrayBuffer.isView(value) ? null : value)) ?? 'null';
  } catch {
    return 'null';
  }
}

/** A message in which an element is removed, or something else stands at the end of the path. */
function rewritten(message: object, { path, text }: ChangedPart, format: LiveFormat): object {
  // An instance of a class writes its members inside an envelope.
  const steps = path[0] === 'kwargs' && !('kwargs' in message) ? path.slice(1) : path;
  const change =
    text === undefined
      ? (list: unknown) => copyOfList(list as readonly unknown[]).filter((_, at) => at !== steps.at(-1))
      : (old: unknown): unknown => (typeof old === 'string' ? text : JSON.parse(text));
  const way = text === undefined ? steps.slice(0, -1) : steps;
  const [member, ...inside] = way;
  const value = changedAt((message as Members)[member], inside, change);
  return format.rewrite === undefined ? withMembers(message, { [member]: value }) : format.rewrite(message, { [member]: value });
}

/** A copy in which something else stands at the end of the path. */
function changedAt(value: unknown, path: readonly (string | number)[], change: (old: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (typeof step === 'string') {
    const members = value as Members;
    return withMembers(members, { [step]: changedAt(members[step], rest, change) });
  }
  const copy = copyOfList(value as readonly unknown[]);
  copy[step] = changedAt(copy[step], rest, change);
  return copy;
}
