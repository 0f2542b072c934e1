import { withMembers } from '../copy.js';
import { Flag, Kind, type Recorder, Role, Turn } from '../recorder.js';
import { type TypedBlock, faultAmong, isTyped } from './common/chat.js';
import { element, elements, soleText, textOrTexts } from './common/content.js';
import { hasMembers, isPlace } from './common/state.js';
import { usageOf } from './common/usage.js';
import type { LiveFormat } from './format.js';
import { isObject, isOneOf } from '../values.js';

interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly isError?: unknown;
  readonly stopReason?: unknown;
  readonly usage?: Usage | null;
  readonly timestamp?: unknown;
  readonly command?: unknown;
  readonly output?: unknown;
  readonly excludeFromContext?: unknown;
  readonly summary?: unknown;
  readonly keptMessages?: unknown;
}

interface Usage {
  readonly totalTokens?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly cacheRead?: unknown;
  readonly cacheWrite?: unknown;
}

interface Block extends TypedBlock {
  readonly textSignature?: unknown;
  readonly thinking?: unknown;
  readonly thinkingSignature?: unknown;
  readonly thoughtSignature?: unknown;
  readonly data?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
}

/** When the newest summary was written, and its message. Snapshots that were stored before 0.1.0 have British spelling. */
interface State {
  readonly summarizedAt?: number;
  readonly summarisedAt?: number;
  readonly newest: number;
}

const SPOKEN = ['user', 'assistant', 'toolResult'];
const BLOCKS = ['thinking', 'image', 'toolCall'];

/** pi's messages; the counterpart of the list reader in `format/pi/`. */
export const pi: LiveFormat = {
  name: 'pi',
  signs: [
    {
      words: 'role toolResult or block toolCall',
      roles: ['toolResult', 'bashExecution', 'compactionSummary'],
      blocks: ['toolCall'],
    },
  ],

  // Applications that are built on pi have roles of their own.
  faultOf(message: Message | null | undefined) {
    if (isOneOf(SPOKEN, message?.role)) return faultAmong(message, SPOKEN, (block: Block | null | undefined) => isTyped(block, BLOCKS));
    if (typeof message?.role === 'string') return undefined;
    return { at: isObject(message) ? 'role' : 'message' };
  },

  walk(messages: readonly (Message | null | undefined)[], recorder: Recorder<State>, from = 0) {
    recorder.injected = Turn.SYNTHETIC;
    for (let at = from; at < messages.length; at += 1) {
      const message = messages[at];
      recorder.enter(message);
      walkMessage(message, recorder);
    }
  },

  changedFrom(_messages, kept, _known, state: State | undefined) {
    return (state?.newest ?? -1) >= kept ? 0 : kept;
  },

  isState(state: unknown, length) {
    if (state === undefined) return true;
    const isNamed = hasMembers(state, 'summarizedAt', 'newest') || hasMembers(state, 'summarisedAt', 'newest');
    return isNamed && Number.isFinite(summaryTime(state)) && isPlace(state.newest, length);
  },

  prune(message: Message, _blocks, cleared) {
    return withMembers(message, { content: [{ type: 'text', text: cleared(message.toolCallId) }] });
  },

  hasSummaryField: true,

  summary({ text, plan, now, kept }) {
    return { role: 'compactionSummary', summary: text, tokensBefore: plan.tokensBefore, timestamp: now, keptMessages: kept };
  },
};

function walkMessage(message: Message | null | undefined, recorder: Recorder<State>) {
  const content = message?.content;
  switch (message?.role) {
    case 'user':
      recorder.begin(Role.USER, Turn.PERSON);
      break;
    case 'assistant':
      recorder.begin(Role.ASSISTANT, Turn.NO, (message.stopReason ?? null) === null ? Flag.NONE : Flag.ENDED, reported(message, recorder));
      break;
    case 'toolResult':
      recorder.begin(Role.TOOL);
      return walkResult(message, content, recorder);
    case 'bashExecution':
      // A command that the user ran; the model sees it unless it was excluded.
      recorder.begin(Role.USER, Turn.SYNTHETIC, message.excludeFromContext ? Flag.INACTIVE : Flag.NONE);
      recorder.text(Kind.TEXT, message.command);
      recorder.saysAs('ran');
      recorder.text(Kind.TEXT, message.output);
      return recorder.saysAs('printed');
    case 'compactionSummary':
    case 'branchSummary':
      recorder.begin(Role.USER, Turn.SYNTHETIC, Flag.SUMMARY);
      if (message.role === 'compactionSummary') noteSummary(message, recorder);
      return recorder.text(Kind.SUMMARY, message.summary);
    case 'custom':
    case 'hookMessage':
      recorder.begin(Role.USER, Turn.SYNTHETIC);
      break;
    case 'system':
      recorder.begin(Role.SYSTEM);
      break;
    default:
      recorder.begin(Role.OTHER);
  }
  if (typeof content === 'string') recorder.text(Kind.TEXT, content);
  const blocks = elements<Block>(content);
  for (let at = 0; at < blocks.length; at += 1) walkBlock(blocks[at], recorder);
}

/** Records what a summary states about the messages behind it: how many existed already, and when it was written. */
function noteSummary({ keptMessages, timestamp }: Message, recorder: Recorder<State>): void {
  recorder.setKept(keptMessages);
  const before = recorder.state ?? { summarizedAt: 0, newest: -1 };
  const summarizedAt = typeof timestamp === 'number' ? timestamp : summaryTime(before);
  recorder.state = { summarizedAt, newest: recorder.messages - 1 };
}

/** When the newest summary was written. */
function summaryTime({ summarizedAt, summarisedAt }: Partial<State>): number | undefined {
  return summarizedAt ?? summarisedAt;
}

/** Usage reported with a failed or aborted answer does not describe the context. */
function reported({ stopReason, usage, timestamp }: Message, { state }: Recorder<State>): number {
  if (usage === undefined || stopReason === 'error' || stopReason === 'aborted') return 0;
  // Usage reported before a compaction describes another context than the current one.
  if (typeof timestamp === 'number' && timestamp < (state === undefined ? 0 : (summaryTime(state) ?? 0))) return 0;
  return usageOf(usage?.totalTokens, usage?.input, usage?.output, usage?.cacheRead, usage?.cacheWrite);
}

function walkBlock(block: Block | null | undefined, recorder: Recorder) {
  switch (block?.type) {
    case 'text':
      recorder.text(Kind.TEXT, block.text);
      return recorder.sign(block.textSignature);
    case 'thinking':
      recorder.text(Kind.THINKING, block.thinking);
      return recorder.sign(block.thinkingSignature);
    case 'image':
      return recorder.media(Kind.IMAGE, block.data);
    case 'toolCall':
      recorder.call(block.id, block.name, block.arguments);
      recorder.setNativeLength(block.arguments);
      return recorder.sign(block.thoughtSignature);
    default:
      return recorder.value(Kind.OTHER, element(block));
  }
}

function walkResult(message: Message, content: unknown, recorder: Recorder): void {
  const output = recorder.outputOf(soleText(content), message.toolCallId, Boolean(message.isError));
  const call = recorder.result(message.toolCallId, message.toolName, output, textOrTexts(content), 0);
  const blocks = elements<Block>(content);
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at];
    if (block?.type === 'image') recorder.media(Kind.IMAGE, block.data, call);
  }
}
