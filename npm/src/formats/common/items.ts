// Lists of items, as OpenAI's Responses API and its Agents SDK write them: an answer of the model is a run of items. The
// counterpart of `format/openai_responses/item.rs`.

import { leading } from '../../injection.js';
import { Flag, Kind, Output, type Recorder, Role, Turn } from '../../recorder.js';
import type { TypedBlock } from './chat.js';
import { element, elements, hasText, someFrom, textsOf } from './content.js';
import { hasMembers, isPlace } from './state.js';

/**
 * What an item is: `served` is a call with its result, `asked` the model's request for an approval, `allowed` what the user says to it,
 * `reference` one to what the server stores, `notice` another item of the model, `silent` one that the model does not see.
 */
export type ItemKind =
  | 'message'
  | 'agent_message'
  | 'reasoning'
  | 'call'
  | 'served'
  | 'output'
  | 'compaction'
  | 'asked'
  | 'allowed'
  | 'reference'
  | 'notice'
  | 'silent'
  | 'unknown';

/** What is read of an item. Only one of a known kind is sure to be an object. */
export interface Item {
  readonly type?: unknown;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
}

/** How one system spells items. */
export interface Spelling {
  kindOf(item: Item | null | undefined): ItemKind;
  /** the id of a call, and of what answers it */
  idOf(item: Item): unknown;
  /** the id of a request for approval, and of what answers it */
  approvalOf(item: Item): unknown;
  walkCall(item: Item, recorder: Recorder): void;
  walkServed(item: Item, recorder: Recorder): void;
  walkOutput(item: Item, recorder: Recorder): void;
  thinkingOf(item: Item): Thinking;
  /** records the image or file in a block, inside the result of `call` if there is one; whether there was one */
  walkMedia(block: TypedBlock | null | undefined, recorder: Recorder, call?: number): boolean;
  /** what is sent of an unknown item or a notice */
  otherIn(item: Item): Item | null;
  /** the content of a compaction */
  encryptedIn(item: Item): unknown;
  /** whether what stands before a compaction is not sent; the server of the Responses API reads and bills all that it is sent */
  readonly leavesOut: boolean;
}

/** The plain texts of thinking, and the whole as the provider encrypted it. */
export interface Thinking {
  readonly texts: readonly string[];
  readonly encrypted: unknown;
}

/** The newest compaction; the first item of the last answer if it is understood only with what follows; 1 if approval was asked for. */
export interface ItemsState {
  readonly compaction: number;
  waits: number;
  asks: number;
}

/** The beginnings of messages that Codex wrote in the user's name; case is ignored. */
const CONTEXTUAL = [
  '# agents.md instructions for ',
  '<environment_context>',
  '<user_instructions>',
  '<skill>',
  '<user_shell_command>',
  '<turn_aborted>',
  '<subagent_notification>',
  '<hook_prompt',
];

/** The kinds of the model's items: an answer is a run of them. */
const MODELS = new Set<ItemKind>(['reasoning', 'call', 'served', 'asked', 'reference', 'notice']);

/** The functions of a format whose messages are items. */
export function listOfItems(spelling: Spelling) {
  const { kindOf, encryptedIn, leavesOut } = spelling;
  return {
    walk(messages: readonly Item[], recorder: Recorder<ItemsState>, from = 0): void {
      const items = from === 0 ? messages : messages.slice(from);
      const kinds = items.map((item) => kindOf(item));
      const asks = kinds.includes('asked');
      const standsFor = related(items, kinds, spelling);
      const known = from === 0 ? undefined : recorder.state;
      const state = known ?? { compaction: leavesOut ? kinds.lastIndexOf('compaction') : -1, waits: -1, asks: 0 };
      recorder.state = state;
      const compaction = state.compaction - from;
      for (let at = 0; at < items.length; ) {
        const end = endOfAnswer(items, kinds, at);
        const ends = isModels(items[at], kinds[at]) && endsTurn(items, kinds, at, end, standsFor);
        for (let first = at; at < end; at += 1) {
          const inactive = at < compaction ? Flag.INACTIVE : Flag.NONE;
          const ended = ends && at === end - 1 ? Flag.ENDED : Flag.NONE;
          recorder.enter(items[at]);
          walkItem(items[at], kinds[at], inactive | ended | (at > first ? Flag.CONTINUES : Flag.NONE), spelling, recorder);
          for (const id of standsFor.get(at) ?? []) recorder.call(id, undefined, undefined);
        }
      }
      const last = groupBefore(messages, messages.length, kindOf);
      state.waits = dependsOnNext(messages, last, messages.length, kindOf) ? last : -1;
      if (asks) state.asks = 1;
    },

    isState(state: unknown, length: number): boolean {
      const isSound = hasMembers(state, 'compaction', 'waits', 'asks') && (state.asks === 0 || state.asks === 1);
      return isSound && isPlace(state.compaction, length) && isPlace(state.waits, length);
    },

    changedFrom(items: readonly Item[], kept: number, known: number, { compaction, waits, asks }: ItemsState): number {
      if (leavesOut && (compaction >= kept || someFrom(items, kept, (item) => kindOf(item) === 'compaction'))) return 0;
      if (waits !== -1 && waits < kept && items[waits] === undefined) return waits;
      if (kept < known && asks === 1) return 0;
      const together = groupBefore(items, kept, kindOf);
      // An approval may come long after it was asked for.
      if (someFrom(items, kept, (item) => kindOf(item) === 'allowed' && !isAsked(items, together, spelling, item))) return 0;
      if (dependsOnNext(items, together, kept, kindOf)) return together;
      // Whether an item ends or continues an answer depends on the items after it.
      const isNext = kept === known && !(kept < items.length && isModels(items[kept], kindOf(items[kept])));
      let first = kept;
      while (!isNext && first > 0 && isModels(items[first - 1], kindOf(items[first - 1]))) first -= 1;
      // A missing item could be one of the model's.
      return !isNext && first > 0 && items[first - 1] === undefined ? first - 1 : first;
    },

    /** The server's compaction is encrypted and cannot be summarized, so it stays before the summary. */
    isOpaque(item: Item): boolean {
      if (kindOf(item) !== 'compaction') return false;
      const encrypted = encryptedIn(item);
      return typeof encrypted === 'string' && encrypted !== '';
    },
  };
}

/** The beginnings of the ids of items that are no calls: reasoning and messages. */
const NO_CALLS = ['rs_', 'msg_'];
const NONE: ReadonlyMap<number, readonly unknown[]> = new Map();

/**
 * For which calls each reference stands, by its index. A request for approval that nobody answered, and that the session went on
 * after, becomes a notice in `kinds`: it is no call that waits.
 */
function related(items: readonly Item[], kinds: ItemKind[], { idOf, approvalOf }: Spelling): ReadonlyMap<number, readonly unknown[]> {
  if (!kinds.some((kind) => kind === 'asked' || kind === 'reference')) return NONE;
  const waits = unanswered(items, kinds, approvalOf);
  const standsFor = new Map<number, unknown[]>();
  for (let at = 0; at < items.length; ) {
    const end = isModels(items[at], kinds[at]) ? endOfAnswer(items, kinds, at) : at;
    let next = end;
    while (next < items.length && ANSWERS.has(kinds[next])) next += 1;
    for (let index = at; index < end && next < items.length; index += 1) {
      if (waits.has(index)) kinds[index] = 'notice';
    }
    const within = (from: number, to: number, kind: ItemKind) => [...kinds.keys()].slice(from, to).filter((index) => kinds[index] === kind);
    const references = within(at, end, 'reference');
    const calling = references.filter((index) => !NO_CALLS.some((beginning) => String(items[index].id).startsWith(beginning)));
    const known = new Set(within(at, end, 'call').map((index) => idOf(items[index])));
    const called = within(end, next, 'output').map((index) => idOf(items[index]));
    const places = calling.length > 0 ? calling : references;
    const made = places.length === 0 ? [] : called.filter((id) => typeof id === 'string' && !known.has(id));
    // Of more outputs than references, the last reference has the rest.
    made.forEach((id, nth) => {
      const place = places[Math.min(nth, places.length - 1)];
      standsFor.set(place, [...(standsFor.get(place) ?? []), id]);
    });
    at = Math.max(next, at + 1);
  }
  return standsFor;
}

/** The requests that nobody answered. An answer is that of the newest request before it with its id. */
function unanswered(items: readonly Item[], kinds: readonly ItemKind[], approvalOf: Spelling['approvalOf']): ReadonlySet<number> {
  const answered = new Set<unknown>();
  const waits = new Set<number>();
  for (let at = items.length - 1; at >= 0; at -= 1) {
    if (kinds[at] === 'allowed') answered.add(approvalOf(items[at]));
    else if (kinds[at] === 'asked' && !answered.delete(approvalOf(items[at]))) waits.add(at);
  }
  return waits;
}

/** What answers an item of the model. */
const ANSWERS = new Set<ItemKind>(['output', 'allowed']);

/** The first item of the last answer before `end` and what answers it. */
function groupBefore(items: readonly Item[], end: number, kindOf: Spelling['kindOf']): number {
  let first = end;
  while (first > 0 && items[first - 1] !== undefined && ANSWERS.has(kindOf(items[first - 1]))) first -= 1;
  while (first > 0 && items[first - 1] !== undefined && isModels(items[first - 1], kindOf(items[first - 1]))) first -= 1;
  return first;
}

/** Whether one of the items is understood only with what follows it. */
function dependsOnNext(items: readonly Item[], from: number, end: number, kindOf: Spelling['kindOf']): boolean {
  for (let at = from; at < end; at += 1) if (['asked', 'reference'].includes(kindOf(items[at]))) return true;
  return false;
}

/** Whether what `answer` approves was asked for in this answer, or behind it. */
function isAsked(items: readonly Item[], from: number, { kindOf, approvalOf }: Spelling, answer: Item): boolean {
  const id = approvalOf(answer);
  return someFrom(items, from, (item) => kindOf(item) === 'asked' && approvalOf(item) === id);
}

function nameIn(item: Item | null): string | undefined {
  return typeof item?.name === 'string' ? item.name : undefined;
}

function isModels(item: Item, kind: ItemKind): boolean {
  return MODELS.has(kind) || (kind === 'message' && item.role === 'assistant');
}

/** The end of the answer that begins at `at`; every other item stands alone. */
function endOfAnswer(items: readonly Item[], kinds: readonly ItemKind[], at: number): number {
  let end = at + 1;
  if (!isModels(items[at], kinds[at])) return end;
  while (end < items.length && isModels(items[end], kinds[end])) end += 1;
  return end;
}

/** An answer with text and without calls ends the turn. */
function endsTurn(
  items: readonly Item[],
  kinds: readonly ItemKind[],
  at: number,
  end: number,
  standsFor: ReadonlyMap<number, unknown>,
): boolean {
  let speaks = false;
  for (let index = at; index < end; index += 1) {
    if (kinds[index] === 'call' || kinds[index] === 'asked' || standsFor.has(index)) return false;
    speaks ||= kinds[index] === 'message' && hasText(items[index].content);
  }
  return speaks;
}

function walkItem(item: Item, kind: ItemKind, flags: number, spelling: Spelling, recorder: Recorder) {
  switch (kind) {
    case 'message':
      return walkMessage(item, flags, spelling, recorder);
    case 'agent_message':
      recorder.begin(Role.USER, Turn.CONTEXT, flags);
      return walkContent(item.content, spelling, recorder);
    case 'reasoning':
      recorder.begin(Role.ASSISTANT, Turn.NO, flags);
      return walkReasoning(spelling.thinkingOf(item), recorder);
    case 'call':
      recorder.begin(Role.ASSISTANT, Turn.NO, flags);
      return spelling.walkCall(item, recorder);
    case 'served':
      recorder.begin(Role.ASSISTANT, Turn.NO, flags);
      return spelling.walkServed(item, recorder);
    case 'output':
      recorder.begin(Role.TOOL, Turn.NO, flags);
      return spelling.walkOutput(item, recorder);
    case 'asked': {
      recorder.begin(Role.ASSISTANT, Turn.NO, flags);
      const asked = spelling.otherIn(item);
      return recorder.call(spelling.approvalOf(item), nameIn(asked) ?? nameIn(item), asked?.arguments ?? item.arguments ?? undefined);
    }
    case 'allowed':
      recorder.begin(Role.TOOL, Turn.NO, flags);
      return recorder.sealed(spelling.approvalOf(item), spelling.otherIn(item));
    case 'reference':
      return recorder.begin(Role.ASSISTANT, Turn.NO, flags);
    case 'compaction':
      recorder.begin(Role.USER, Turn.SYNTHETIC, flags | Flag.SUMMARY);
      recorder.text(Kind.SUMMARY, undefined);
      return recorder.sign(spelling.encryptedIn(item));
    case 'silent':
      return recorder.begin(Role.OTHER, Turn.NO, flags);
    default:
      recorder.begin(kind === 'notice' ? Role.ASSISTANT : Role.OTHER, Turn.NO, flags);
      walkOther(element(spelling.otherIn(item)), recorder);
  }
}

function walkMessage({ role, content }: Item, flags: number, spelling: Spelling, recorder: Recorder): void {
  switch (role) {
    case 'user': {
      const texts = textsOf(content);
      const turn = turnOf(texts);
      recorder.begin(Role.USER, turn, flags);
      if (turn === Turn.PERSON) recorder.checkSummary(texts[0]);
      break;
    }
    case 'assistant':
      recorder.begin(Role.ASSISTANT, Turn.NO, flags);
      break;
    case 'developer':
    case 'system':
      recorder.begin(Role.SYSTEM, Turn.NO, flags);
      recorder.checkSummary(textsOf(content)[0]);
      break;
    default:
      recorder.begin(Role.OTHER, Turn.NO, flags);
  }
  walkContent(content, spelling, recorder, role === 'user');
}

/** One text of Codex makes a message no turn; what else stands in it is the user's all the same. */
function turnOf(texts: readonly string[]): number {
  if (!texts.some(isContextual)) return Turn.PERSON;
  return texts.every((text) => isContextual(text) || text.trim() === '') ? Turn.CONTEXT : Turn.NO;
}

function isContextual(text: string): boolean {
  const begun = text
    .replace(/^[ \t\r\n]+/, '')
    .slice(0, 40)
    .toLowerCase();
  if (!CONTEXTUAL.some((begin) => begun.startsWith(begin))) return false;
  // Behind the block may stand what the user says.
  return [0, text.length].includes(leading(text));
}

/** What is read of a block in a message. */
interface ContentBlock extends TypedBlock {
  readonly refusal?: unknown;
}

/** What is read of a block in an output, which may be the output of a shell command. */
interface OutputBlock {
  readonly text?: unknown;
  readonly stdout?: unknown;
  readonly stderr?: unknown;
  readonly outcome?: unknown;
}

function walkContent(content: unknown, spelling: Spelling, recorder: Recorder, isUsers = false) {
  if (typeof content === 'string') return walkText(content, recorder, isUsers);
  for (const block of elements<ContentBlock>(content)) walkBlock(block, spelling, recorder, isUsers);
}

function walkText(text: string, recorder: Recorder, isUsers: boolean): void {
  recorder.text(Kind.TEXT, text);
  if (isUsers && isContextual(text)) recorder.saysAs('added');
}

function walkBlock(block: ContentBlock | null | undefined, { walkMedia }: Spelling, recorder: Recorder, isUsers: boolean) {
  if (block?.type === 'refusal') return recorder.text(Kind.TEXT, block.refusal);
  if (walkMedia(block, recorder)) return;
  if (typeof block?.text === 'string') walkText(block.text, recorder, isUsers);
  else walkOther(element(block), recorder);
}

/** Content that is sent but unknown. The length of encrypted content says nothing about its tokens. */
function walkOther(value: unknown, recorder: Recorder) {
  const encrypted = (value as { readonly encrypted_content?: unknown } | null | undefined)?.encrypted_content;
  if (typeof encrypted !== 'string') return recorder.value(Kind.OTHER, value);
  recorder.text(Kind.OTHER, undefined);
  recorder.sign(encrypted);
}

/** Thinking: each plain text is one part; the encrypted whole belongs to the last. */
function walkReasoning({ texts, encrypted }: Thinking, recorder: Recorder): void {
  if (texts.length === 0) recorder.text(Kind.THINKING, undefined);
  for (const text of texts) recorder.text(Kind.THINKING, text);
  recorder.sign(encrypted);
}

/** A call with its result. */
interface ServedCall {
  readonly tool: string;
  readonly args: unknown;
  /** its only output, if it has one */
  readonly given: unknown;
  readonly outputs: unknown;
  readonly image: unknown;
}

/** What a hosted tool put out. */
interface ServedOutput {
  readonly logs?: unknown;
  readonly url?: unknown;
}

/** Records a call with its result: the provider made both, and only the item pairs them. */
export function walkPair({ tool, args, given, outputs, image }: ServedCall, recorder: Recorder): void {
  const id = `#${recorder.messages}`;
  recorder.call(id, tool, args);
  const made = elements<ServedOutput>(outputs);
  const logs = made.map((output) => output?.logs).filter((text) => typeof text === 'string');
  const call = given === undefined ? recorder.result(id, tool, Output.SEALED, logs) : recorder.sealed(id, given);
  for (const output of made) {
    if (typeof output?.url === 'string') recorder.media(Kind.IMAGE, output.url, call);
  }
  // A generated image is not text: its base64 costs far fewer tokens than its length.
  if (typeof image === 'string') recorder.media(Kind.IMAGE, image, call);
}

/** The tool: by its name, or by the type of its calls. */
export function toolCalled(name: string): string {
  return name.endsWith('_call') ? name.slice(0, -'_call'.length) : name;
}

/** The output of a call: its texts are one part; its images and files are separate parts of the same call. */
export function walkAnswer(
  { output, id, hasFailed }: { output: unknown; id: unknown; hasFailed: boolean },
  { walkMedia }: Spelling,
  recorder: Recorder,
): void {
  const state = recorder.outputOf(onlyText(output), id, hasFailed);
  // The placeholder replaces the whole output: block 0 stands for the item.
  const call = recorder.result(id, undefined, state, outputTexts(output), 0);
  for (const block of Array.isArray(output) ? elements<TypedBlock>(output) : [output as TypedBlock | null | undefined])
    walkMedia(block, recorder, call);
}

/** The texts of an output: the output itself, its blocks, or the output of each shell command. */
function outputTexts(output: unknown): string[] {
  if (typeof output === 'string') return [output];
  if (!Array.isArray(output)) {
    const content = (output as { readonly content?: unknown } | null | undefined)?.content;
    return typeof content === 'string' ? [content] : [];
  }
  return output
    .flatMap((block: OutputBlock | null | undefined) => [block?.text, block?.stdout, block?.stderr])
    .filter((text) => typeof text === 'string');
}

/** The text of an output with exactly one; a placeholder may be any of these. */
function onlyText(output: unknown): string | undefined {
  if (typeof output === 'string') return output;
  const [block, ...others] = elements<OutputBlock>(output);
  if (others.length === 0 && typeof block?.text === 'string') return block.text;
  const [first, ...more] = outputTexts(output).filter((text) => text !== '');
  return isShell(output) && more.length === 0 ? first : undefined;
}

/** Whether an output is a list of the outputs of shell commands. */
function isShell(output: unknown): boolean {
  return elements<OutputBlock>(output).some((entry) => entry?.stdout !== undefined || entry?.stderr !== undefined);
}

/** An output with a placeholder in its place: the output of a shell must remain a list of commands with their outcomes. */
export function cleared(output: unknown, placeholder: string): unknown {
  if (!isShell(output)) return placeholder;
  const outcome = elements<OutputBlock>(output).find((entry) => (entry ?? undefined)?.outcome !== undefined)?.outcome;
  return [{ ...(outcome === undefined ? {} : { outcome }), stdout: placeholder, stderr: '' }];
}
