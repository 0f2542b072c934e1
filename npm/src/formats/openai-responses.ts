import { withMembers } from '../copy.js';
import { OPENAI } from '../media.js';
import { Kind, type Recorder } from '../recorder.js';
import type { TypedBlock } from './common/chat.js';
import { elements, textsOf } from './common/content.js';
import { faultOfItem } from './common/fault-of-item.js';
import { type Item, type ItemKind, type Spelling, cleared, toolCalled, walkAnswer, walkPair } from './common/item.js';
import { listOfItems } from './common/items.js';
import type { LiveFormat } from './format.js';
import { memberOf } from '../values.js';

/** What is read of an item of the Responses API. */
interface ResponsesItem extends Item {
  readonly call_id?: unknown;
  readonly approval_request_id?: unknown;
  readonly status?: unknown;
  readonly summary?: unknown;
  readonly encrypted_content?: unknown;
  readonly output?: unknown;
  readonly outputs?: unknown;
  readonly error?: unknown;
  readonly result?: unknown;
  readonly results?: unknown;
  readonly tools?: unknown;
  readonly input?: unknown;
  readonly action?: unknown;
  readonly actions?: unknown;
  readonly operation?: unknown;
  readonly queries?: unknown;
  readonly code?: unknown;
}

interface MediaBlock extends TypedBlock {
  readonly image_url?: unknown;
  readonly file_data?: unknown;
  readonly file_url?: unknown;
  readonly file_id?: unknown;
  readonly input_audio?: unknown;
}

/** The kind of an item, by its type; for other items the end of the type decides. */
const KINDS = new Map<unknown, ItemKind>([
  ['message', 'message'],
  ['reasoning', 'reasoning'],
  ['function_call', 'call'],
  ['custom_tool_call', 'call'],
  ['local_shell_call', 'call'],
  ['shell_call', 'call'],
  ['apply_patch_call', 'call'],
  ['computer_call', 'call'],
  ['compaction', 'compaction'],
  ['compaction_summary', 'compaction'],
  ['context_compaction', 'compaction'],
  ['agent_message', 'agent_message'],
  ['mcp_list_tools', 'notice'],
  ['mcp_approval_request', 'asked'],
  ['mcp_approval_response', 'allowed'],
  ['item_reference', 'reference'],
  ['ghost_snapshot', 'silent'],
  ['compaction_trigger', 'silent'],
]);

/** The blocks that are images and files. */
const MEDIA = new Map<unknown, number>([
  ['input_image', Kind.IMAGE],
  ['computer_screenshot', Kind.IMAGE],
  ['input_file', Kind.FILE],
  ['input_audio', Kind.FILE],
]);

const SPELLING: Spelling = {
  kindOf,
  idOf,
  approvalOf: ({ approval_request_id, id }: ResponsesItem) => (typeof approval_request_id === 'string' ? approval_request_id : id),
  walkMedia,
  otherIn: (item) => item,
  encryptedIn: ({ encrypted_content }: ResponsesItem) => encrypted_content,
  leavesOut: false,

  thinkingOf({ summary, content, encrypted_content }: ResponsesItem) {
    return { texts: [...textsOf(elements(summary)), ...textsOf(elements(content))], encrypted: encrypted_content };
  },

  walkCall(item: ResponsesItem, recorder) {
    recorder.call(idOf(item), toolOf(item), argumentsOf(item));
  },

  walkServed(item: ResponsesItem, recorder) {
    const given = item.output ?? item.error ?? item.results ?? undefined;
    walkPair({ tool: toolOf(item), args: argumentsOf(item), given, outputs: item.outputs, image: item.result }, recorder);
  },

  walkOutput(item: ResponsesItem, recorder) {
    const output = item.output ?? undefined;
    if (item.type === 'computer_call_output' || item.type === 'tool_search_output') {
      const call = recorder.sealed(idOf(item), item.tools ?? undefined);
      if (output !== undefined) recorder.media(Kind.IMAGE, dataOf(output as MediaBlock), call);
      return;
    }
    walkAnswer({ output, id: idOf(item), hasFailed: item.status === 'failed' }, SPELLING, recorder);
  },
};

/** OpenAI Responses items; the counterpart of `format/openai_responses`. */
export const openaiResponses: LiveFormat = {
  name: 'openai_responses',
  signs: [
    {
      words: 'Responses items',
      types: ['function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output', 'reasoning', 'item_reference'],
      blocks: ['input_text', 'output_text'],
    },
  ],

  faultOf: faultOfItem,

  ...listOfItems(SPELLING),

  prune(item: ResponsesItem, _blocks, placeholderOf) {
    return withMembers(item, { output: cleared(item.output, placeholderOf(idOf(item))) });
  },

  summaryRoles: ['user', 'system', 'developer'],

  summary({ marked, role }) {
    return { type: 'message', role, content: [{ type: 'input_text', text: marked }] };
  },
};

/** The kind of an item by its type, as `listOfItems` names kinds. */
export function kindOf(item: ResponsesItem | null | undefined): ItemKind {
  const type = item?.type;
  if (typeof type !== 'string') return typeof item?.role === 'string' ? 'message' : 'unknown';
  // The server's own search produces its result itself, in an item that does not name the call either.
  const searches = typeof item?.call_id === 'string';
  if (searches && type === 'tool_search_call') return 'call';
  if (searches && type === 'tool_search_output') return 'output';
  const kind = KINDS.get(type);
  if (kind !== undefined) return kind;
  if (type.endsWith('_call_output')) return 'output';
  return type.endsWith('_call') ? 'served' : 'unknown';
}

function argumentsOf(item: ResponsesItem): unknown {
  const { arguments: made, input, action, actions, operation, queries, code } = item;
  return made ?? input ?? action ?? actions ?? operation ?? queries ?? code ?? undefined;
}

function toolOf({ name, type }: ResponsesItem): string {
  return toolCalled(typeof name === 'string' ? name : String(type));
}

function idOf({ call_id, id }: ResponsesItem): unknown {
  return typeof call_id === 'string' ? call_id : id;
}

function walkMedia(block: MediaBlock | null | undefined, recorder: Recorder, call?: number): boolean {
  const kind = MEDIA.get(block?.type);
  if (block === null || block === undefined || kind === undefined) return false;
  const data = dataOf(block);
  recorder.media(kind, data, call, block, OPENAI, memberOf(data, 'data') ?? data);
  return true;
}

/** An image's or file's URL or data. */
function dataOf(block: MediaBlock): unknown {
  const { image_url, file_data, file_url, file_id, input_audio } = block;
  return image_url ?? file_data ?? file_url ?? file_id ?? input_audio ?? undefined;
}
