import { copyOfList, withMembers } from '../copy.js';
import { Flag, Kind, Output, type Recorder, Role, Turn } from '../recorder.js';
import { ACKNOWLEDGED, fits } from '../references.js';
import { NO_CONTENT, type TypedBlock, faultAmong } from './common/chat.js';
import { element, elements, hasText, soleText } from './common/content.js';
import { blankTexts, refusedCalls } from './common/restrictions.js';
import type { LiveFormat } from './format.js';
import { type Members, byteLengthOf, hasJson, isObject } from '../values.js';

interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
}

/** A block has one member, which says what it is. */
interface Block extends TypedBlock {
  readonly [name: string]: unknown;
  readonly json?: unknown;
}

interface ToolUse {
  readonly toolUseId?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
}

interface ToolResult {
  readonly toolUseId?: unknown;
  readonly content?: unknown;
  readonly status?: unknown;
}

interface Source {
  readonly bytes?: unknown;
  readonly text?: unknown;
  readonly content?: unknown;
  readonly s3Location?: { readonly uri?: unknown } | null;
}

/** A block with a result, which is pruned. */
interface ResultBlock {
  readonly toolResult: ToolResult;
}

const BLOCKS = ['toolUse', 'toolResult', 'reasoningContent', 'cachePoint', 'guardContent', 'citationsContent'];
const MEDIA = { image: Kind.IMAGE, document: Kind.FILE, video: Kind.FILE, audio: Kind.FILE };
/** What stands for bytes that nobody can read. */
const ENCRYPTED = 'encrypted';

const ROLES = ['user', 'assistant', 'system'];
/** The members that say what a block is. */
const SAYING = [
  ...['text', 'toolUse', 'toolResult', 'reasoningContent', 'cachePoint', 'guardContent', 'citationsContent', 'searchResult'],
  ...['image', 'document', 'video', 'audio', 'SDK_UNKNOWN_MEMBER', '$unknown'],
];

/** Messages of Amazon Bedrock's Converse; the counterpart of `format/bedrock_converse/`. */
export const bedrockConverse: LiveFormat = {
  name: 'bedrock_converse',
  signs: [
    {
      words: 'blocks of one member: toolUse, toolResult, reasoningContent',
      untyped: (block: Block | null | undefined) => BLOCKS.some((name) => inBlock(block, name) !== undefined),
    },
  ],
  guess: {
    words: 'blocks of text without a type',
    shown: { words: 'blocks of text without a type', untyped: (block: Block | null | undefined) => typeof block?.text === 'string' },
    without: [NO_CONTENT],
  },

  faultOf: (message) => faultAmong(message, ROLES, isBlock),

  walk(messages: readonly (Message | null | undefined)[], recorder, from = 0) {
    for (let at = from; at < messages.length; at += 1) {
      recorder.enter(messages[at]);
      walkMessage(messages[at], recorder);
    }
  },

  prune(message: Message & { readonly content: readonly ResultBlock[] }, blocks, cleared) {
    const content = copyOfList(message.content);
    for (const at of blocks) {
      const { toolResult } = content[at];
      const text = cleared(toolResult.toolUseId);
      // Bedrock refuses a block of text that says nothing.
      const changed = withMembers(toolResult, { content: text.trim() === '' ? [] : [{ text }] });
      content[at] = withMembers(content[at], { toolResult: changed });
    }
    return withMembers(message, { content });
  },

  summary({ marked }) {
    return { role: 'user', content: [{ text: marked }] };
  },

  // Converse refuses two messages of the user in a row.
  alternates: true,

  answer(text) {
    return { role: 'assistant', content: [{ text }] };
  },

  refusable(message: Message | null | undefined) {
    let cacheMarks = 0;
    for (const block of elements<Block>(message?.content)) cacheMarks += Number((block?.cachePoint ?? undefined) !== undefined);
    const given = message ?? {};
    return { cacheMarks, blankTexts: blankTexts(given, resultIn), calls: refusedCalls(given, callIn) };
  },
};

function resultIn(block: ({ readonly toolResult?: ToolResult | null } & TypedBlock) | null | undefined): ToolResult | undefined {
  return block?.toolResult ?? undefined;
}

function callIn(block: { readonly toolUse?: ToolUse | null } | null | undefined): (ToolUse & { readonly id: unknown }) | undefined {
  const call = block?.toolUse ?? undefined;
  return call === undefined ? undefined : { ...call, id: call.toolUseId };
}

/** What a block is, if it is this. */
function inBlock(block: Members | null | undefined, name: string): Members | undefined {
  const value = block?.[name];
  return isObject(value) ? value : undefined;
}

function walkMessage(message: Message | null | undefined, recorder: Recorder): void {
  const content = message?.content;
  const blocks = elements<Block>(content);
  const isAnswer = message?.role === 'assistant';
  switch (message?.role) {
    case 'assistant':
      recorder.begin(
        Role.ASSISTANT,
        Turn.NO,
        (hasText(content) && !blocks.some(isCall) ? Flag.ENDED : Flag.NONE) | (acknowledges(content, recorder) ? Flag.SUMMARY : Flag.NONE),
      );
      break;
    case 'user':
      // Nobody says anything in a message of results, and of places for the cache.
      if (hasOnlyResults(blocks)) {
        recorder.begin(Role.TOOL);
      } else {
        recorder.begin(Role.USER, Turn.PERSON);
        recorder.checkSummary(soleText(content));
      }
      break;
    case 'system':
      recorder.begin(Role.SYSTEM);
      break;
    default:
      recorder.begin(Role.OTHER);
  }
  if (typeof content === 'string') recorder.text(Kind.TEXT, content);
  for (let at = 0; at < blocks.length; at += 1) walkBlock(element(blocks[at]), at, isAnswer, recorder);
}

/** Whether a message answers the summary in front of it, to which it then belongs. */
function acknowledges(content: unknown, { claims: { claim }, messages }: Recorder): boolean {
  return claim !== undefined && claim.message === messages - 1 && soleText(content) === ACKNOWLEDGED && fits(claim, ACKNOWLEDGED);
}

function isCall(block: Block | null | undefined): boolean {
  return inBlock(block, 'toolUse') !== undefined;
}

function isCachePoint(block: Block | null | undefined): boolean {
  return inBlock(block, 'cachePoint') !== undefined;
}

function hasOnlyResults(blocks: readonly (Block | null | undefined)[]): boolean {
  const said = blocks.filter((block) => !isCachePoint(block));
  return said.length > 0 && said.every((block) => inBlock(block, 'toolResult') !== undefined);
}

/** Writes down a block; `at` is where a result stands that can be pruned. */
function walkBlock(block: Block | null | undefined, at: number, isAnswer: boolean, recorder: Recorder) {
  if (typeof block?.text === 'string') return recorder.text(Kind.TEXT, block.text);
  const call = inBlock(block, 'toolUse');
  if (call !== undefined) return recorder.call(call.toolUseId, call.name, call.input);
  const result = inBlock(block, 'toolResult');
  if (result !== undefined) return walkResult(result, at, isAnswer, recorder);
  const reasoning = inBlock(block, 'reasoningContent');
  if (reasoning !== undefined) return walkReasoning(reasoning, recorder);
  if (walkMedia(block, 0, recorder)) return;
  const found = inBlock(block, 'searchResult');
  if (found !== undefined) return recorder.value(Kind.FILE, found.content);
  const cited = inBlock(block, 'citationsContent');
  if (cited !== undefined) {
    for (const said of elements<TypedBlock>(cited.content)) recorder.text(Kind.TEXT, said?.text);
    return;
  }
  const guarded = inBlock(inBlock(block, 'guardContent'), 'text');
  if (guarded !== undefined) return recorder.text(Kind.TEXT, guarded.text);
  // A place for the cache says nothing to the model.
  if (!isCachePoint(block)) recorder.value(Kind.OTHER, block);
}

function walkReasoning(reasoning: Members, recorder: Recorder): void {
  const said = inBlock(reasoning, 'reasoningText');
  recorder.text(Kind.THINKING, said?.text);
  recorder.sign(said?.signature);
  const { redactedContent } = reasoning;
  // What the provider encrypted is sent, too.
  if (typeof redactedContent === 'string') recorder.sign(redactedContent);
  else if (hasJson(redactedContent) && redactedContent !== null) recorder.sign(ENCRYPTED, Math.ceil(byteLengthOf(redactedContent) / 3) * 4);
}

/**
 * A tool result: its texts and values are one part; its images and files are parts that go with it. What stands in an
 * answer was made by the provider.
 */
function walkResult(result: ToolResult, at: number, isAnswer: boolean, recorder: Recorder): void {
  const { toolUseId, content } = result;
  const blocks = elements<Block>(content);
  const said = blocks.map(saidIn).filter(hasJson);
  // Media belong to a result by its id: without one, they could not be said to go with it.
  const stays = isAnswer || (typeof toolUseId !== 'string' && said.length < blocks.length);
  // No block at all is the text that says nothing, which Bedrock refuses.
  const isEmpty = blocks.length === 0;
  const isCleared = isEmpty && recorder.placeholder === '';
  const output = stays ? Output.SEALED : recorder.outputOf(isCleared ? '' : soleText(content), toolUseId, result.status === 'error');
  const call = recorder.result(toolUseId, undefined, output, isEmpty ? '' : said, stays ? undefined : at);
  for (const block of blocks) {
    if (hasJson(saidIn(block)) || walkMedia(block, call, recorder)) continue;
    recorder.media(Kind.FILE, element(block), call);
  }
}

/** The text or the JSON of a block in a result. */
function saidIn(block: Block | null | undefined): unknown {
  return typeof block?.text === 'string' ? block.text : block?.json;
}

/** Writes down the image or file that a block is; false if it is none. */
function walkMedia(block: Block | null | undefined, call: number, recorder: Recorder): boolean {
  const within = inBlock(block, 'guardContent') ?? block;
  for (const [name, kind] of Object.entries(MEDIA)) {
    const media = inBlock(within, name);
    if (media === undefined) continue;
    const source = (media.source ?? undefined) as Source | undefined;
    const bytes = source?.bytes ?? undefined;
    if (bytes !== undefined) recorder.data(kind, bytes, call, media);
    else {
      const address = source?.s3Location?.uri ?? undefined;
      recorder.media(kind, address ?? source?.text ?? source?.content ?? undefined, call, address === undefined ? undefined : media);
    }
    return true;
  }
  return false;
}

function isBlock(block: Block | null | undefined): boolean {
  if (typeof block !== 'object' || block === null || block.type !== undefined) return false;
  return SAYING.some((name) => block[name] !== undefined);
}
