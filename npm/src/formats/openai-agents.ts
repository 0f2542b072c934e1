import { withMembers } from '../copy.js';
import { OPENAI } from '../media.js';
import { Kind } from '../recorder.js';
import { elements, textsOf } from './common/content.js';
import { faultOfItem } from './common/fault-of-item.js';
import { cleared, listOfItems, toolCalled, walkAnswer, walkPair } from './common/items.js';
import { kindOf as kindInResponses } from './openai-responses.js';

/** The kinds of items that the Responses API does not have, or that it names by other rules. */
const KINDS = new Map([
  ['program', 'call'],
  ['program_output', 'output'],
  ['function_call_result', 'output'],
  ['computer_call_result', 'output'],
]);

/** The kinds of a hosted tool's items that are no calls. */
const HOSTED = new Map([
  ['mcp_list_tools', 'notice'],
  ['mcp_approval_request', 'asked'],
  ['mcp_approval_response', 'allowed'],
]);

/** The blocks that are images and files, of messages and of outputs. */
const MEDIA = new Map([
  ['input_image', Kind.IMAGE],
  ['image', Kind.IMAGE],
  ['computer_screenshot', Kind.IMAGE],
  ['input_file', Kind.FILE],
  ['file', Kind.FILE],
  ['audio', Kind.FILE],
]);

const SPELLING = {
  kindOf,
  idOf,
  approvalOf,
  walkMedia,
  encryptedIn: (item) => item.encrypted_content ?? item.encryptedContent,
  // The package's runner leaves it out.
  leavesOut: true,

  /** What the package does not know it keeps as it came, and sends it back. */
  otherIn: (item) => (item?.type === 'unknown' || item?.type === 'hosted_tool_call' ? dataOf(item) : undefined) ?? item,

  thinkingOf(item) {
    const data = dataOf(item);
    return {
      texts: [...textsOf(elements(item.content)), ...textsOf(elements(item.rawContent ?? data?.content))],
      encrypted: data?.encryptedContent ?? data?.encrypted_content,
    };
  },

  walkCall(item, recorder) {
    recorder.call(idOf(item), toolCalled(typeof item.name === 'string' ? item.name : item.type), argumentsOf(item));
  },

  /** A hosted tool's call: the package keeps the output in one member, and the rest as the provider sent it. */
  walkServed(item, recorder) {
    const data = dataOf(item);
    const tool = toolCalled(hostedType(item));
    const name = typeof data?.name === 'string' ? data.name : tool;
    const isImage = tool === 'image_generation';
    const output = item.output ?? data?.output ?? undefined;
    const given = isImage ? undefined : (output ?? data?.error ?? data?.results ?? undefined);
    const image = isImage ? (output ?? data?.result ?? undefined) : undefined;
    walkPair({ tool: name, args: argumentsOf(item) ?? argumentsOf(data ?? {}), given, outputs: data?.outputs, image }, recorder);
  },

  walkOutput(item, recorder) {
    const output = item.output ?? undefined;
    if (item.type === 'computer_call_result' || item.type === 'tool_search_output') {
      const call = recorder.sealed(idOf(item), item.tools ?? undefined);
      if (output !== undefined) recorder.data(Kind.IMAGE, mediaOf(output), call);
      return;
    }
    const said = isSaid(output) ? output.text : output;
    walkAnswer({ output: said, id: idOf(item), hasFailed: item.status === 'failed' }, SPELLING, recorder);
  },
};

/** Items of the OpenAI Agents SDK for JavaScript; the counterpart of `format/openai_agents`. */
export const openaiAgents = {
  name: 'openai_agents',
  // A list of messages may be of the Responses API as well.
  extends: 'openai_responses',
  signs: [
    {
      words: 'items with callId or providerData',
      types: ['function_call_result', 'computer_call_result', 'hosted_tool_call'],
      keys: ['callId', 'providerData'],
      shows: ({ type, role, callId, providerData }) =>
        (callId !== undefined && type !== undefined) || (providerData !== undefined && (type !== undefined || role !== undefined)),
    },
  ],

  faultOf: faultOfItem,

  ...listOfItems(SPELLING),

  prune(item, _blocks, placeholderOf) {
    const placeholder = placeholderOf(idOf(item));
    const { output } = item;
    // The older of the package's two forms of an output stays an object.
    const isObject = typeof output === 'object' && output !== null && !Array.isArray(output);
    return withMembers(item, { output: isObject ? { type: 'text', text: placeholder } : cleared(output, placeholder) });
  },

  summaryRoles: ['user', 'system'],

  // The empty `providerData` adds nothing to a request, but it shows whose message this is.
  summary({ marked, role }) {
    // The package takes system messages with a text alone.
    const content = role === 'system' ? marked : [{ type: 'input_text', text: marked }];
    return { type: 'message', role, content, providerData: {} };
  },
};

function kindOf(item) {
  const type = item?.type;
  if (type === 'hosted_tool_call') return HOSTED.get(hostedType(item)) ?? 'served';
  // The server's own search names no call.
  if (type === 'tool_search_call' && callIdOf(item) !== undefined) return 'call';
  if (type === 'tool_search_output' && callIdOf(item) !== undefined) return 'output';
  return KINDS.get(type) ?? kindInResponses(item);
}

/** What the provider calls a hosted tool's item. */
function hostedType(item) {
  const type = dataOf(item)?.type;
  if (typeof type === 'string') return type;
  return typeof item.name === 'string' ? item.name : item.type;
}

/** What the package keeps of the provider's item without a member of its own for it. */
function dataOf(item) {
  const providerData = item?.providerData;
  const isObject = typeof providerData === 'object' && providerData !== null && !Array.isArray(providerData);
  return isObject ? providerData : undefined;
}

function idOf(item) {
  return callIdOf(item) ?? item.id;
}

function approvalOf(item) {
  const data = dataOf(item);
  return [data?.approval_request_id, data?.id, item.approval_request_id, item.id].find((id) => typeof id === 'string');
}

function callIdOf(item) {
  const data = dataOf(item);
  return [item.callId, item.call_id, data?.call_id, data?.callId].find((id) => typeof id === 'string');
}

function argumentsOf(item) {
  const { arguments: made, action, actions, operation, queries, code, input } = item;
  return made ?? actions ?? action ?? operation ?? queries ?? code ?? input ?? undefined;
}

/** Whether an output is a text in the package's older form. */
function isSaid(output) {
  return !Array.isArray(output) && output?.type === 'text' && typeof output.text === 'string';
}

function walkMedia(block, recorder, call) {
  const kind = MEDIA.get(block?.type);
  if (kind === undefined) return false;
  recorder.data(kind, mediaOf(block), call, block, OPENAI);
  return true;
}

/** An image's or file's URL, data or id. */
function mediaOf(block) {
  const { image, file, audio, data, imageUrl, fileData, fileUrl, fileId } = block;
  const media = image ?? file ?? audio ?? data ?? imageUrl ?? fileData ?? fileUrl ?? fileId ?? undefined;
  return media?.data ?? media?.url ?? media?.fileId ?? media?.id ?? media;
}
