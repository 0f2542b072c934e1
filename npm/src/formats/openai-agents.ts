import { withMembers } from '../copy.js';
import { OPENAI } from '../media.js';
import { Kind, type Recorder } from '../recorder.js';
import { type TypedBlock } from './common/chat.js';
import { elements, textsOf } from './common/content.js';
import { faultOfItem } from './common/fault-of-item.js';
import { type Item, type ItemKind, type Spelling, cleared, listOfItems, toolCalled, walkAnswer, walkPair } from './common/items.js';
import type { LiveFormat } from './format.js';
import { kindOf as kindInResponses } from './openai-responses.js';
import { isObject } from '../values.js';

/** What is read of an item of the package. */
interface AgentsItem extends Item {
  readonly callId?: unknown;
  readonly call_id?: unknown;
  readonly approval_request_id?: unknown;
  readonly providerData?: unknown;
  readonly status?: unknown;
  readonly rawContent?: unknown;
  readonly encrypted_content?: unknown;
  readonly encryptedContent?: unknown;
  readonly output?: unknown;
  readonly tools?: unknown;
  readonly input?: unknown;
  readonly action?: unknown;
  readonly actions?: unknown;
  readonly operation?: unknown;
  readonly queries?: unknown;
  readonly code?: unknown;
}

/** What the package keeps of the provider's item. */
interface ProviderItem extends AgentsItem {
  readonly outputs?: unknown;
  readonly error?: unknown;
  readonly result?: unknown;
  readonly results?: unknown;
}

interface MediaBlock extends TypedBlock {
  readonly image?: unknown;
  readonly file?: unknown;
  readonly audio?: unknown;
  readonly data?: unknown;
  readonly imageUrl?: unknown;
  readonly fileData?: unknown;
  readonly fileUrl?: unknown;
  readonly fileId?: unknown;
}

interface Media {
  readonly data?: unknown;
  readonly url?: unknown;
  readonly fileId?: unknown;
  readonly id?: unknown;
}

/** The kinds of items that the Responses API does not have, or that it names by other rules. */
const KINDS = new Map<unknown, ItemKind>([
  ['program', 'call'],
  ['program_output', 'output'],
  ['function_call_result', 'output'],
  ['computer_call_result', 'output'],
]);

/** The kinds of a hosted tool's items that are no calls. */
const HOSTED = new Map<unknown, ItemKind>([
  ['mcp_list_tools', 'notice'],
  ['mcp_approval_request', 'asked'],
  ['mcp_approval_response', 'allowed'],
]);

/** The blocks that are images and files, of messages and of outputs. */
const MEDIA = new Map<unknown, number>([
  ['input_image', Kind.IMAGE],
  ['image', Kind.IMAGE],
  ['computer_screenshot', Kind.IMAGE],
  ['input_file', Kind.FILE],
  ['file', Kind.FILE],
  ['audio', Kind.FILE],
]);

const SPELLING: Spelling = {
  kindOf,
  idOf,
  approvalOf,
  walkMedia,
  encryptedIn: (item: AgentsItem) => item.encrypted_content ?? item.encryptedContent,
  // The package's runner leaves it out.
  leavesOut: true,

  /** What the package does not know it keeps as it came, and sends it back. */
  otherIn: (item: AgentsItem) => (item?.type === 'unknown' || item?.type === 'hosted_tool_call' ? dataOf(item) : undefined) ?? item,

  thinkingOf(item: AgentsItem) {
    const data = dataOf(item);
    return {
      texts: [...textsOf(elements(item.content)), ...textsOf(elements(item.rawContent ?? data?.content))],
      encrypted: data?.encryptedContent ?? data?.encrypted_content,
    };
  },

  walkCall(item: AgentsItem, recorder) {
    recorder.call(idOf(item), toolCalled(typeof item.name === 'string' ? item.name : String(item.type)), argumentsOf(item));
  },

  /** A hosted tool's call: the package keeps the output in one member, and the rest as the provider sent it. */
  walkServed(item: AgentsItem, recorder) {
    const data = dataOf(item);
    const tool = toolCalled(hostedType(item));
    const name = typeof data?.name === 'string' ? data.name : tool;
    const isImage = tool === 'image_generation';
    const output = item.output ?? data?.output ?? undefined;
    const given = isImage ? undefined : (output ?? data?.error ?? data?.results ?? undefined);
    const image = isImage ? (output ?? data?.result ?? undefined) : undefined;
    walkPair({ tool: name, args: argumentsOf(item) ?? argumentsOf(data ?? {}), given, outputs: data?.outputs, image }, recorder);
  },

  walkOutput(item: AgentsItem, recorder) {
    const output = item.output ?? undefined;
    if (item.type === 'computer_call_result' || item.type === 'tool_search_output') {
      const call = recorder.sealed(idOf(item), item.tools ?? undefined);
      if (output !== undefined) recorder.data(Kind.IMAGE, mediaOf(output as MediaBlock), call);
      return;
    }
    const said = isSaid(output) ? output.text : output;
    walkAnswer({ output: said, id: idOf(item), hasFailed: item.status === 'failed' }, SPELLING, recorder);
  },
};

/** Items of the OpenAI Agents SDK for JavaScript; the counterpart of `format/openai_agents`. */
export const openaiAgents: LiveFormat = {
  name: 'openai_agents',
  // A list of messages may be of the Responses API as well.
  extends: 'openai_responses',
  signs: [
    {
      words: 'items with callId or providerData',
      types: ['function_call_result', 'computer_call_result', 'hosted_tool_call'],
      keys: ['callId', 'providerData'],
      shows: ({ type, role, callId, providerData }: AgentsItem) =>
        (callId !== undefined && type !== undefined) || (providerData !== undefined && (type !== undefined || role !== undefined)),
    },
  ],

  faultOf: faultOfItem,

  ...listOfItems(SPELLING),

  prune(item: AgentsItem, _blocks, placeholderOf) {
    const placeholder = placeholderOf(idOf(item));
    const { output } = item;
    // The older of the package's two forms of an output stays an object.
    return withMembers(item, { output: isObject(output) ? { type: 'text', text: placeholder } : cleared(output, placeholder) });
  },

  summaryRoles: ['user', 'system'],

  // The empty `providerData` adds nothing to a request, but it shows whose message this is.
  summary({ marked, role }) {
    // The package takes system messages with a text alone.
    const content = role === 'system' ? marked : [{ type: 'input_text', text: marked }];
    return { type: 'message', role, content, providerData: {} };
  },
};

function kindOf(item: AgentsItem | null | undefined): ItemKind {
  const type = item?.type;
  if (item === null || item === undefined) return kindInResponses(item);
  if (type === 'hosted_tool_call') return HOSTED.get(hostedType(item)) ?? 'served';
  // The server's own search names no call.
  if (type === 'tool_search_call' && callIdOf(item) !== undefined) return 'call';
  if (type === 'tool_search_output' && callIdOf(item) !== undefined) return 'output';
  return KINDS.get(type) ?? kindInResponses(item);
}

/** What the provider calls a hosted tool's item. */
function hostedType(item: AgentsItem): string {
  const type = dataOf(item)?.type;
  if (typeof type === 'string') return type;
  return typeof item.name === 'string' ? item.name : String(item.type);
}

/** What the package keeps of the provider's item without a member of its own for it. */
function dataOf(item: AgentsItem | null | undefined): ProviderItem | undefined {
  const providerData = item?.providerData;
  return isObject(providerData) ? providerData : undefined;
}

function idOf(item: AgentsItem): unknown {
  return callIdOf(item) ?? item.id;
}

function approvalOf(item: AgentsItem): unknown {
  const data = dataOf(item);
  return [data?.approval_request_id, data?.id, item.approval_request_id, item.id].find((id) => typeof id === 'string');
}

function callIdOf(item: AgentsItem): unknown {
  const data = dataOf(item);
  return [item.callId, item.call_id, data?.call_id, data?.callId].find((id) => typeof id === 'string');
}

function argumentsOf(item: AgentsItem): unknown {
  const { arguments: made, action, actions, operation, queries, code, input } = item;
  return made ?? actions ?? action ?? operation ?? queries ?? code ?? input ?? undefined;
}

/** Whether an output is a text in the package's older form. */
function isSaid(output: unknown): output is TypedBlock {
  const block = output as TypedBlock | null | undefined;
  return !Array.isArray(block) && block?.type === 'text' && typeof block.text === 'string';
}

function walkMedia(block: MediaBlock | null | undefined, recorder: Recorder, call?: number): boolean {
  const kind = MEDIA.get(block?.type);
  if (block === null || block === undefined || kind === undefined) return false;
  recorder.data(kind, mediaOf(block), call, block, OPENAI);
  return true;
}

/** An image's or file's URL, data or id. */
function mediaOf(block: MediaBlock): unknown {
  const { image, file, audio, data, imageUrl, fileData, fileUrl, fileId } = block;
  const whole = image ?? file ?? audio ?? data ?? imageUrl ?? fileData ?? fileUrl ?? fileId ?? undefined;
  const media = whole as Media | undefined;
  return media?.data ?? media?.url ?? media?.fileId ?? media?.id ?? media;
}
