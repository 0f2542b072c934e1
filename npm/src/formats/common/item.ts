// One item, as OpenAI's Responses API and its Agents SDK write it. The counterpart of `format/openai_responses/item.rs`.

import { leading } from '../../injection.js';
import { Flag, Kind, Output, type Recorder, Role, Turn } from '../../recorder.js';
import { memberOf } from '../../values.js';
import type { TypedBlock } from './chat.js';
import { element, elements, textsOf } from './content.js';

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

export function walkItem(item: Item, kind: ItemKind, flags: number, spelling: Spelling, recorder: Recorder) {
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
  const encrypted = memberOf(value, 'encrypted_content');
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

function nameIn(item: Item | null): string | undefined {
  return typeof item?.name === 'string' ? item.name : undefined;
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
    const content = memberOf(output, 'content');
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
