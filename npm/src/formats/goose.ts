import { copyOfList, withMembers } from '../copy.js';
import { Flag, Kind, Output, type Recorder, Role, Turn } from '../recorder.js';
import { type TypedBlock } from './common/chat.js';
import { either, element, elements, hasText, soleText } from './common/content.js';
import type { LiveFormat } from './format.js';
import { hasJson, isOneOf } from '../values.js';

interface Message {
  readonly role?: unknown;
  readonly created?: unknown;
  readonly content?: unknown;
  readonly metadata?: Metadata | null;
}

/** Who sees a message. */
interface Metadata {
  readonly userVisible?: unknown;
  readonly agentVisible?: unknown;
}

interface Block extends TypedBlock, Enclosure {
  readonly id?: unknown;
  readonly thinking?: unknown;
  readonly signature?: unknown;
  readonly toolCall?: {
    readonly value?: { readonly name?: unknown; readonly arguments?: unknown } | null;
    readonly error?: unknown;
  } | null;
  readonly toolResult?: ToolResult | null;
}

/** An image, or a text or file that a tool gave. */
interface Enclosure extends TypedBlock {
  readonly data?: unknown;
  readonly resource?: { readonly text?: unknown; readonly blob?: unknown } | null;
}

/** What a tool said, or why it did not run. Until Goose 1.14 the value was the list of the content. */
interface ToolResult {
  readonly value?: { readonly content?: unknown; readonly isError?: unknown } | null;
  readonly error?: unknown;
}

/** A block with a result, which is pruned. */
interface ResultBlock {
  readonly id?: unknown;
  readonly toolResult: ToolResult & { readonly value: object };
}

const OWN = ['toolRequest', 'toolResponse', 'frontendToolRequest', 'systemNotification', 'toolConfirmationRequest'];
const CALLS = ['toolRequest', 'frontendToolRequest'];
/** Blocks for the user alone. */
const SHOWN = ['systemNotification', 'toolConfirmationRequest', 'actionRequired', 'conversationCompacted'];

/** Goose's messages; the counterpart of `format/goose/`. */
export const goose: LiveFormat = {
  name: 'goose',
  signs: [{ words: "messages with created and content, of Goose's types", keys: ['created'], shows: isOwn }],

  walk(messages: readonly (Message | null | undefined)[], recorder, from = 0) {
    for (let at = from; at < messages.length; at += 1) {
      recorder.enter(messages[at]);
      walkMessage(messages[at], at > 0 && isSummary(messages[at - 1]), recorder);
    }
  },

  prune(message: Message & { readonly content: readonly ResultBlock[] }, blocks, cleared) {
    const content = copyOfList(message.content);
    for (const at of blocks) {
      const { id, toolResult } = content[at];
      content[at] = withMembers(content[at], { toolResult: prunedResult(toolResult, cleared(id)) });
    }
    return withMembers(message, { content });
  },

  summary: ({ marked, now }) => ({
    role: 'user',
    created: Math.floor(now / 1_000),
    content: [{ type: 'text', text: marked }],
    metadata: { userVisible: false, agentVisible: true },
  }),
};

function isOwn({ created, content, metadata }: Message): boolean {
  if (created === undefined) return false;
  if (metadata?.userVisible !== undefined && metadata.agentVisible !== undefined) return true;
  return elements<Block>(content).some((block) => isOneOf(OWN, block?.type));
}

/** Whether Goose wrote a message that the user does not see: a summary, or what tells the model to go on behind it. */
function isGooses(message: Message | null | undefined): boolean {
  return message?.metadata?.userVisible === false && message.metadata.agentVisible !== false;
}

function isSummary(message: Message | null | undefined): boolean {
  return message?.role === 'user' && isGooses(message);
}

function walkMessage(message: Message | null | undefined, isBehindSummary: boolean, recorder: Recorder): void {
  const content = message?.content;
  const blocks = elements<Block>(content);
  const hidden = message?.metadata?.agentVisible === false ? Flag.INACTIVE : Flag.NONE;
  const isTold = isSummary(message);
  if (message?.role === 'assistant') {
    const ended = hasText(content) && !blocks.some((block) => isOneOf(CALLS, block?.type)) ? Flag.ENDED : Flag.NONE;
    recorder.begin(Role.ASSISTANT, Turn.NO, hidden | ended | (isBehindSummary && isGooses(message) ? Flag.SUMMARY : Flag.NONE));
  } else if (isTold) {
    recorder.begin(Role.USER, Turn.SYNTHETIC, hidden | Flag.SUMMARY);
    recorder.checkSummary(soleText(blocks));
  } else if (message?.role === 'user') {
    const isAnswer = blocks.length > 0 && blocks.every((block) => block?.type === 'toolResponse');
    if (isAnswer) recorder.begin(Role.TOOL, Turn.NO, hidden);
    else recorder.begin(Role.USER, Turn.PERSON, hidden);
  } else {
    recorder.begin(Role.OTHER, Turn.NO, hidden);
  }
  for (let at = 0; at < blocks.length; at += 1) walkBlock(element(blocks[at]), at, isTold ? Kind.SUMMARY : Kind.TEXT, recorder);
}

function walkBlock(block: Block | null | undefined, at: number, kind: number, recorder: Recorder) {
  switch (block?.type) {
    case 'text':
      return recorder.text(kind, block.text);
    case 'toolRequest':
    case 'frontendToolRequest': {
      const made = block.toolCall?.value;
      return recorder.call(block.id, made?.name, either(made?.arguments, block.toolCall?.error));
    }
    case 'toolResponse':
      return walkResult(block, at, recorder);
    case 'thinking':
      recorder.text(Kind.THINKING, block.thinking);
      return recorder.sign(block.signature);
    case 'redactedThinking':
      recorder.text(Kind.THINKING, undefined);
      return recorder.sign(block.data);
    case 'reasoning':
      return recorder.text(Kind.THINKING, block.text);
    case 'image':
      return walkEnclosure(block, 0, recorder);
  }
  if (!isOneOf(SHOWN, block?.type)) recorder.value(Kind.OTHER, block);
}

/** Writes down a result: texts, which are one part, with images and files; or the error of a tool that did not run. */
function walkResult({ id, toolResult }: Block, at: number, recorder: Recorder): void {
  const error = toolResult?.error;
  if (typeof error === 'string') {
    recorder.result(id, undefined, recorder.outputOf(error, id, true), error, at);
    return;
  }
  const value = toolResult?.value;
  const content = Array.isArray(value) ? value : value?.content;
  const blocks = elements<Enclosure>(content);
  const isThere = hasJson(content);
  const output = isThere ? recorder.outputOf(soleText(blocks), id, Boolean(value?.isError)) : Output.SEALED;
  const said = blocks.map(textIn).filter((text) => text !== undefined);
  const call = recorder.result(id, undefined, output, said, isThere ? at : undefined);
  for (const block of blocks) if (textIn(block) === undefined) walkEnclosure(block, call, recorder);
}

/** What a block of a result says: a text, or a resource that is one. */
function textIn(block: Enclosure | null | undefined): string | undefined {
  return [block?.text, block?.resource?.text].find((text) => typeof text === 'string');
}

function walkEnclosure(block: Enclosure | null | undefined, call: number, recorder: Recorder): void {
  const kind = block?.type === 'image' ? Kind.IMAGE : Kind.FILE;
  const data = either(block?.data, block?.resource?.blob);
  if (data === undefined) recorder.media(kind, element(block), call);
  else recorder.data(kind, data, call, block);
}

function prunedResult(result: ResultBlock['toolResult'], text: string): object {
  if (typeof result.error === 'string') return withMembers(result, { error: text });
  const content = [{ type: 'text', text }];
  return withMembers(result, { value: Array.isArray(result.value) ? content : withMembers(result.value, { content }) });
}
