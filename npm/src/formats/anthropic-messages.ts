import { copyOfList, withMembers } from '../copy.js';
import { ANY } from '../media.js';
import { Flag, Kind, type Recorder, Role, Turn } from '../recorder.js';
import { NO_CONTENT, type TypedBlock, faultAmong, isTyped, namesCallIn } from './common/chat.js';
import { element, elements, hasText, someFrom, soleText, textOrTexts } from './common/content.js';
import { blankTexts, refusedCalls } from './common/restrictions.js';
import { hasMembers, isPlace } from './common/state.js';
import { telling } from './common/telling.js';
import { usageOf } from './common/usage.js';
import type { LiveFormat } from './format.js';
import { type Members } from '../values.js';

interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly stop_reason?: unknown;
  readonly usage?: Usage | null;
}

interface Usage {
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly cache_read_input_tokens?: unknown;
  readonly cache_creation_input_tokens?: unknown;
}

interface Block extends TypedBlock {
  readonly content?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
  readonly tool_use_id?: unknown;
  readonly is_error?: unknown;
  readonly thinking?: unknown;
  readonly signature?: unknown;
  readonly data?: unknown;
  readonly encrypted_content?: unknown;
  readonly file_id?: unknown;
  readonly citations?: unknown;
  readonly cache_control?: unknown;
  readonly source?: Source | null;
}

interface Source {
  readonly data?: unknown;
  readonly url?: unknown;
  readonly file_id?: unknown;
  readonly content?: unknown;
}

type Blocks = readonly (Block | null | undefined)[];

/** The message with the newest compaction by the server, -1 if there is none. */
interface State {
  compaction: number;
}

/** What the server's compaction returns. */
const COMPACTION = 'compaction';
const ROLES = ['user', 'assistant', 'system'];
/** The blocks of a content; results of the provider's own tools have a type for each. */
const BLOCKS = [
  ...['tool_use', 'thinking', 'redacted_thinking', 'reasoning', 'image', 'document', 'search_result'],
  ...['server_tool_use', 'mcp_tool_use', 'container_upload', COMPACTION],
];

/** Anthropic Messages; the counterpart of `format/anthropic_messages/`. */
export const anthropicMessages: LiveFormat = {
  name: 'anthropic_messages',
  signs: [
    {
      words: 'blocks tool_use and tool_result',
      blocks: ['tool_use', 'tool_result', 'server_tool_use', 'mcp_tool_use', 'compaction', 'redacted_thinking'],
    },
    { words: 'blocks of text with citations', blocksWith: { text: ({ citations }: Block) => citations !== undefined } },
    // Roo and older versions of Cline write tool calls as text, so their lists show no other sign.
    { words: 'images or documents with a source', blocksWith: { image: hasSource, document: hasSource } },
  ],
  without: { words: 'role tool', roles: ['tool'] },
  guess: { words: 'blocks thinking', shown: { words: 'blocks thinking', blocks: ['thinking'] }, without: [NO_CONTENT] },

  // The server would send messages again that it leaves out because of a compaction block, if that block were
  // removed.
  returns: true,

  faultOf: (message) => faultAmong(message, ROLES, isBlock),

  walk(messages: readonly (Message | null | undefined)[], recorder: Recorder<State>, from = 0) {
    if (from > 0) return walkFrom(messages, from, recorder.state ?? { compaction: -1 }, recorder);
    const state = { compaction: -1 };
    recorder.state = state;
    walkFrom(messages, 0, state, recorder);
    const { compaction } = state;
    if (compaction < 1) return;
    // The server ignores everything before the newest compaction block.
    recorder.restart();
    recorder.state = { compaction };
    walkFrom(messages, 0, recorder.state, recorder);
  },

  isState(state: unknown, length) {
    return hasMembers(state, 'compaction') && isPlace(state.compaction, length);
  },

  changedFrom(messages: readonly (Message | null | undefined)[], kept, _known, { compaction }: State) {
    return compaction >= kept || someFrom(messages, kept, compacts) ? 0 : kept;
  },

  prune(message: Message & { readonly content: readonly Block[] }, blocks, cleared) {
    const content = copyOfList(message.content);
    for (const at of blocks) content[at] = withMembers(content[at], { content: cleared(content[at].tool_use_id) });
    return withMembers(message, { content });
  },

  summary({ marked, plan }) {
    return telling(marked, plan, { citations: null });
  },

  answer(text) {
    return { role: 'assistant', content: [{ type: 'text', text }] };
  },

  refusable(message: Message | null | undefined) {
    let cacheMarks = 0;
    for (const block of elements<Block>(message?.content)) {
      cacheMarks += Number(asksForCaching(block));
      for (const inner of elements<Block>(block?.content)) cacheMarks += Number(asksForCaching(inner));
    }
    const given = message ?? {};
    const blank = blankTexts(given, (block: Block | null | undefined) => (block?.type === 'tool_result' ? block : undefined));
    const calls = refusedCalls(given, (block: Block | null | undefined) => (block?.type === 'tool_use' ? block : undefined));
    return { cacheMarks, blankTexts: blank, calls };
  },
};

function isBlock(block: Members | null | undefined): boolean {
  const isResult = typeof block?.type === 'string' && block.type.endsWith('tool_result');
  return isResult ? namesCallIn('tool_use_id', block) : isTyped(block, BLOCKS);
}

function hasSource({ source }: Block): boolean {
  return source !== undefined;
}

function asksForCaching(block: Block | null | undefined): boolean {
  return (block?.cache_control ?? undefined) !== undefined;
}

function walkFrom(messages: readonly (Message | null | undefined)[], from: number, state: State, recorder: Recorder): void {
  const { compaction } = state;
  for (let at = from; at < messages.length; at += 1) {
    recorder.enter(messages[at]);
    walkMessage(messages[at], at < compaction ? Flag.INACTIVE : Flag.NONE, state, recorder);
  }
}

function compacts(message: Message | null | undefined): boolean {
  return elements<Block>(message?.content).some(isCompaction);
}

/** Whether a block stands for what is before it. One without content is that of a compaction that failed: the server ignores it. */
function isCompaction(block: Block | null | undefined): boolean {
  return block?.type === 'compaction' && (block.content ?? undefined) !== undefined;
}

function walkMessage(message: Message | null | undefined, activity: number, state: State, recorder: Recorder): void {
  const content = message?.content;
  const blocks = elements<Block>(content);
  switch (message?.role) {
    case 'assistant': {
      // An answer that only contains the compaction: the server was told to pause after it.
      const isSummary = isCompaction(blocks[0]) && blocks.every(isCompaction);
      const flags = activity | (hasEnded(message, content, blocks) ? Flag.ENDED : 0) | (isSummary ? Flag.SUMMARY : 0);
      recorder.begin(Role.ASSISTANT, Turn.NO, flags, activity === Flag.INACTIVE ? 0 : reported(message));
      break;
    }
    case 'user':
      // A user message with only tool results begins no turn, because the user said nothing.
      if (hasOnlyResults(blocks)) recorder.begin(Role.TOOL, Turn.NO, activity);
      else recorder.begin(Role.USER, Turn.PERSON, activity);
      recorder.checkSummary(soleText(content));
      break;
    case 'system':
      recorder.begin(Role.SYSTEM, Turn.NO, activity);
      break;
    default:
      recorder.begin(Role.OTHER, Turn.NO, activity);
  }
  if (typeof content === 'string') recorder.text(Kind.TEXT, content);
  for (let at = 0; at < blocks.length; at += 1) {
    const block = element(blocks[at]);
    walkBlock(block, at, recorder);
    if (isCompaction(block)) state.compaction = recorder.messages - 1;
  }
}

function hasOnlyResults(blocks: Blocks): boolean {
  for (let at = 0; at < blocks.length; at += 1) if (blocks[at]?.type !== 'tool_result') return false;
  return blocks.length > 0;
}

function reported({ usage }: Message): number {
  const cached = [usage?.cache_read_input_tokens, usage?.cache_creation_input_tokens];
  if (usage === undefined) return 0;
  return usageOf(0, usage?.input_tokens, usage?.output_tokens, ...cached);
}

function hasEnded(message: Message, content: unknown, blocks: Blocks): boolean {
  if ((message.stop_reason ?? null) !== null) return true;
  for (let at = 0; at < blocks.length; at += 1) if (blocks[at]?.type === 'tool_use') return false;
  return hasText(content);
}

/** Records a block; `at` is the place of a result that can be pruned. */
export function walkBlock(block: Block | null | undefined, at: number | undefined, recorder: Recorder) {
  if (block === null || block === undefined) return recorder.value(Kind.OTHER, block);
  const { type } = block;
  switch (type) {
    case 'text':
      return recorder.text(Kind.TEXT, block.text);
    case 'thinking':
      recorder.text(Kind.THINKING, block.thinking);
      return recorder.sign(block.signature);
    case 'redacted_thinking':
      // Content that the server encrypted is sent, but its number of tokens is unknown.
      recorder.text(Kind.THINKING, undefined);
      return recorder.sign(block.data);
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return recorder.call(block.id, block.name, block.input);
    case 'tool_result':
      return walkResult(block, at, recorder);
    case 'image':
      return recorder.media(Kind.IMAGE, mediaOf(block));
    case 'document':
      return walkDocument(block, recorder);
    case 'search_result':
      return recorder.value(Kind.FILE, block.content);
    case 'container_upload':
      return recorder.value(Kind.FILE, block.file_id);
    case 'compaction':
      recorder.value(Kind.SUMMARY, block.content);
      return recorder.sign(block.encrypted_content);
  }
  if (typeof type === 'string' && type.endsWith('_tool_result')) recorder.sealed(block.tool_use_id, block.content);
  else recorder.value(Kind.OTHER, block);
}

/** A tool result: its texts are one part; its images are separate parts of the same call. */
function walkResult(block: Block, at: number | undefined, recorder: Recorder): void {
  const { content } = block;
  const output = recorder.outputOf(soleText(content), block.tool_use_id, Boolean(block.is_error));
  const call = recorder.result(block.tool_use_id, undefined, output, textOrTexts(content), at);
  if (typeof content === 'string') return;
  for (const inner of elements<Block>(content)) {
    const type = inner?.type;
    if (type === 'image') recorder.media(Kind.IMAGE, mediaOf(inner), call);
    else if (typeof type === 'string' && type !== 'text') recorder.media(Kind.FILE, inner, call, inner, ANY, mediaOf(inner));
  }
}

/** A document. Images among its own blocks are parts of their own. */
function walkDocument(block: Block, recorder: Recorder) {
  const data = mediaOf(block);
  const inside: Blocks = Array.isArray(data) ? data : [];
  const images = inside.filter((inner) => inner?.type === 'image');
  if (images.length === 0) return recorder.media(Kind.FILE, data, 0, Array.isArray(data) ? undefined : block);
  recorder.values(
    Kind.FILE,
    inside.filter((inner) => inner?.type !== 'image'),
  );
  for (const image of images) recorder.media(Kind.IMAGE, mediaOf(image));
}

/** An image's or document's data, URL or text. */
function mediaOf(block: Block | null | undefined): unknown {
  const source = block?.source;
  return source?.data ?? source?.url ?? source?.file_id ?? source?.content ?? undefined;
}
