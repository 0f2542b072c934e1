import { withMembers } from '../copy.js';
import { Flag, Kind, Output, Role, Turn } from '../records.js';
import { element, elements, hasText, someFrom, textsOf } from './common/content.js';
import { hasMembers, isPlace } from './common/state.js';

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

/** The kind of an item, by its type; for other items the end of the type decides. */
const KINDS = new Map([
  ['message', 'message'],
  ['reasoning', 'reasoning'],
  ...['function_call', 'custom_tool_call', 'local_shell_call', 'shell_call', 'apply_patch_call', 'computer_call'].map((type) => [
    type,
    'call',
  ]),
  ...['compaction', 'compaction_summary', 'context_compaction'].map((type) => [type, 'compaction']),
  ['agent_message', 'agent_message'],
  ...['mcp_list_tools', 'mcp_approval_request'].map((type) => [type, 'notice']),
  ...['ghost_snapshot', 'item_reference', 'compaction_trigger'].map((type) => [type, 'silent']),
]);
/** The kinds of the model's items: an answer is a run of them. */
const MODELS = new Set(['reasoning', 'call', 'served', 'notice']);

/** OpenAI Responses items; the counterpart of `format/openai_responses`. */
export const openaiResponses = {
  name: 'openai_responses',
  signs: [
    {
      words: 'Responses items',
      types: ['function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output', 'reasoning', 'item_reference'],
      blocks: ['input_text', 'output_text'],
    },
  ],

  walk(messages, recorder, from = 0) {
    const items = from === 0 ? messages : messages.slice(from);
    const kinds = items.map(kindOf);
    if (from === 0) recorder.state = { compaction: kinds.lastIndexOf('compaction') };
    const compaction = recorder.state.compaction - from;
    for (let at = 0; at < items.length; ) {
      const end = endOfAnswer(items, kinds, at);
      const ends = isModels(items[at], kinds[at]) && endsTurn(items, kinds, at, end);
      for (let first = at; at < end; at += 1) {
        // The server ignores everything before its newest compaction, which contains all of it.
        const inactive = at < compaction ? Flag.INACTIVE : Flag.NONE;
        const ended = ends && at === end - 1 ? Flag.ENDED : Flag.NONE;
        recorder.enter(items[at]);
        walkItem(items[at], kinds[at], inactive | ended | (at > first ? Flag.CONTINUES : Flag.NONE), recorder);
      }
    }
  },

  isState(state, length) {
    return hasMembers(state, 'compaction') && isPlace(state.compaction, length);
  },

  changedFrom(items, kept, known, { compaction }) {
    if (compaction >= kept || someFrom(items, kept, (item) => kindOf(item) === 'compaction')) return 0;
    // Whether an item ends or continues an answer depends on the items after it.
    const isNext = kept === known && !(kept < items.length && isModels(items[kept], kindOf(items[kept])));
    let first = kept;
    while (!isNext && first > 0 && isModels(items[first - 1], kindOf(items[first - 1]))) first -= 1;
    // A missing item could be one of the model's.
    return !isNext && first > 0 && items[first - 1] === undefined ? first - 1 : first;
  },

  prune(item, _blocks, cleared) {
    const placeholder = cleared(idOf(item));
    if (!isShell(item.output)) return withMembers(item, { output: placeholder });
    // The output of a shell must remain a list of commands with their outcomes.
    const outcome = item.output.find((entry) => (entry ?? undefined)?.outcome !== undefined)?.outcome;
    return withMembers(item, { output: [{ ...(outcome === undefined ? {} : { outcome }), stdout: placeholder, stderr: '' }] });
  },

  /** The server's compaction is encrypted and cannot be summarised, so it stays before the summary. */
  isOpaque(item) {
    return kindOf(item) === 'compaction' && typeof item.encrypted_content === 'string' && item.encrypted_content !== '';
  },

  summary({ marked }) {
    return { type: 'message', role: 'user', content: [{ type: 'input_text', text: marked }] };
  },
};

function kindOf(item) {
  const type = item?.type;
  if (typeof type !== 'string') return typeof item?.role === 'string' ? 'message' : 'unknown';
  // The server's own search produces its result itself, in an item that does not name the call either.
  const searches = typeof item.call_id === 'string';
  if (searches && type === 'tool_search_call') return 'call';
  if (searches && type === 'tool_search_output') return 'output';
  const kind = KINDS.get(type);
  if (kind !== undefined) return kind;
  if (type.endsWith('_call_output')) return 'output';
  return type.endsWith('_call') ? 'served' : 'unknown';
}

function isModels(item, kind) {
  return MODELS.has(kind) || (kind === 'message' && item.role === 'assistant');
}

/** The end of the answer that begins at `at`; every other item stands alone. */
function endOfAnswer(items, kinds, at) {
  let end = at + 1;
  if (!isModels(items[at], kinds[at])) return end;
  while (end < items.length && isModels(items[end], kinds[end])) end += 1;
  return end;
}

/** An answer with text and without calls ends the turn. */
function endsTurn(items, kinds, at, end) {
  let speaks = false;
  for (let index = at; index < end; index += 1) {
    if (kinds[index] === 'call') return false;
    speaks ||= kinds[index] === 'message' && hasText(items[index].content);
  }
  return speaks;
}

function walkItem(item, kind, flags, recorder) {
  switch (kind) {
    case 'message':
      return walkMessage(item, flags, recorder);
    case 'agent_message':
      recorder.begin(Role.USER, Turn.SYNTHETIC, flags);
      return walkContent(item.content, Kind.TEXT, recorder);
    case 'reasoning':
      recorder.begin(Role.ASSISTANT, Turn.NO, flags);
      return walkReasoning(item, recorder);
    case 'call':
      recorder.begin(Role.ASSISTANT, Turn.NO, flags);
      return recorder.call(idOf(item), toolOf(item), argumentsOf(item));
    case 'served':
      recorder.begin(Role.ASSISTANT, Turn.NO, flags);
      return walkServed(item, recorder);
    case 'output':
      recorder.begin(Role.TOOL, Turn.NO, flags);
      return walkOutput(item, recorder);
    case 'compaction':
      recorder.begin(Role.USER, Turn.SYNTHETIC, flags | Flag.SUMMARY);
      recorder.text(Kind.SUMMARY, undefined);
      return recorder.sign(item.encrypted_content);
    case 'silent':
      return recorder.begin(Role.OTHER, Turn.NO, flags);
    default:
      recorder.begin(kind === 'notice' ? Role.ASSISTANT : Role.OTHER, Turn.NO, flags);
      walkOther(element(item), recorder);
  }
}

function walkMessage({ role, content }, flags, recorder) {
  const words = Kind.TEXT;
  switch (role) {
    case 'user': {
      const texts = textsOf(content);
      const turn = texts.some(isContextual) ? Turn.SYNTHETIC : Turn.PERSON;
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
      break;
    default:
      recorder.begin(Role.OTHER, Turn.NO, flags);
  }
  walkContent(content, words, recorder);
}

function isContextual(text) {
  const begun = text
    .replace(/^[ \t\r\n]+/, '')
    .slice(0, 40)
    .toLowerCase();
  return CONTEXTUAL.some((begin) => begun.startsWith(begin));
}

function walkContent(content, words, recorder) {
  if (typeof content === 'string') return recorder.text(words, content);
  for (const block of elements(content)) walkBlock(block, words, recorder);
}

function walkBlock(block, words, recorder) {
  switch (block?.type) {
    case 'refusal':
      return recorder.text(words, block.refusal);
    case 'input_image':
    case 'computer_screenshot':
      return recorder.media(Kind.IMAGE, mediaOf(block));
    case 'input_file':
    case 'input_audio':
      return recorder.media(Kind.FILE, mediaOf(block));
  }
  if (typeof block?.text === 'string') recorder.text(words, block.text);
  else walkOther(element(block), recorder);
}

/** Content that is sent but unknown. The length of encrypted content says nothing about its tokens. */
function walkOther(value, recorder) {
  if (typeof value?.encrypted_content !== 'string') return recorder.value(Kind.OTHER, value);
  recorder.text(Kind.OTHER, undefined);
  recorder.sign(value.encrypted_content);
}

/** Thinking: each plain text is one part; the encrypted whole belongs to the last. */
function walkReasoning({ summary, content, encrypted_content }, recorder) {
  const texts = [...textsOf(elements(summary)), ...textsOf(elements(content))];
  if (texts.length === 0) recorder.text(Kind.THINKING, undefined);
  for (const text of texts) recorder.text(Kind.THINKING, text);
  recorder.sign(encrypted_content);
}

function argumentsOf(item) {
  const { arguments: made, input, action, actions, operation, queries, code } = item;
  return made ?? input ?? action ?? actions ?? operation ?? queries ?? code ?? undefined;
}

/** The tool: by its name, or by the type of its calls. */
function toolOf({ name, type }) {
  const tool = typeof name === 'string' ? name : type;
  return tool.endsWith('_call') ? tool.slice(0, -'_call'.length) : tool;
}

function idOf({ call_id, id }) {
  return typeof call_id === 'string' ? call_id : id;
}

/** A call with its result: the provider made both, and only the item pairs them. */
function walkServed(item, recorder) {
  const id = `#${recorder.messages}`;
  const tool = toolOf(item);
  recorder.call(id, tool, argumentsOf(item));
  const outputs = elements(item.outputs);
  const given = item.output ?? item.error ?? item.results ?? undefined;
  const logs = outputs.map((output) => output?.logs).filter((text) => typeof text === 'string');
  const call = given === undefined ? recorder.result(id, tool, Output.SEALED, logs) : recorder.sealed(id, given);
  for (const output of outputs) {
    if (typeof output?.url === 'string') recorder.media(Kind.IMAGE, output.url, call);
  }
  // A generated image is not text: its base64 costs far fewer tokens than its length.
  if (typeof item.result === 'string') recorder.media(Kind.IMAGE, item.result, call);
}

/** The output of a call: its texts are one part; its images and files are separate parts of the same call. */
function walkOutput(item, recorder) {
  const output = item.output ?? undefined;
  if (item.type === 'computer_call_output' || item.type === 'tool_search_output') {
    const call = recorder.sealed(idOf(item), item.tools ?? undefined);
    if (output !== undefined) recorder.media(Kind.IMAGE, mediaOf(output), call);
    return;
  }
  const state = recorder.outputOf(onlyText(output), idOf(item), item.status === 'failed');
  // The placeholder replaces the whole output: block 0 stands for the item.
  const call = recorder.result(idOf(item), undefined, state, outputTexts(output), 0);
  for (const block of elements(output)) {
    const type = block?.type;
    if (type === 'input_image') recorder.media(Kind.IMAGE, mediaOf(block), call);
    else if (type === 'input_file' || type === 'input_audio') recorder.media(Kind.FILE, mediaOf(block), call);
  }
}

/** The texts of an output: the output itself, its blocks, or the output of each shell command. */
function outputTexts(output) {
  if (typeof output === 'string') return [output];
  if (!Array.isArray(output)) return typeof output?.content === 'string' ? [output.content] : [];
  return output.flatMap((block) => [block?.text, block?.stdout, block?.stderr]).filter((text) => typeof text === 'string');
}

/** The text of an output with exactly one; a placeholder may be any of these. */
function onlyText(output) {
  if (typeof output === 'string') return output;
  const [block, ...others] = elements(output);
  if (others.length === 0 && typeof block?.text === 'string') return block.text;
  const [first, ...more] = outputTexts(output).filter((text) => text !== '');
  return isShell(output) && more.length === 0 ? first : undefined;
}

/** Whether an output is a list of the outputs of shell commands. */
function isShell(output) {
  return elements(output).some((entry) => entry?.stdout !== undefined || entry?.stderr !== undefined);
}

/** An image's or file's URL or data. */
function mediaOf(block) {
  const { image_url, file_data, file_url, file_id, input_audio } = block;
  return image_url ?? file_data ?? file_url ?? file_id ?? input_audio ?? undefined;
}
