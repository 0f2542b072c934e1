import { copyOfList, withMembers } from '../copy.js';
import { hasJson } from '../meter.js';
import { Flag, Kind, Output, Role, Turn } from '../recorder.js';
import { faultAmong, isTyped, namesCallIn } from './common/chat.js';
import { either, element, elements, isSaid, soleText } from './common/content.js';
import { itemOf, signatureOf } from './common/provider-metadata.js';
import { telling } from './common/telling.js';

/** The text that providers get for a call that the user refused without a reason. */
const DENIED = 'Tool execution denied.';

const ROLES = ['system', 'user', 'assistant', 'tool'];
/** The parts of a content. */
const PARTS = [
  ...['reasoning', 'redacted-reasoning', 'reasoning-file', 'image', 'file', 'source', 'custom'],
  ...['tool-call', 'tool-result', 'tool-error', 'tool-approval-request', 'tool-approval-response'],
];

const OF_CALLS = ['tool-call', 'tool-result', 'tool-error'];

/** Model messages of the Vercel AI SDK; the counterpart of `format/vercel_model/`. */
export const vercelModel = {
  name: 'vercel_model',
  signs: [
    { words: 'blocks tool-call and tool-result', blocks: ['tool-call', 'tool-result'] },
    // Without calls, only the data of images and files distinguishes them from OpenAI's.
    {
      words: 'blocks with image, data or providerOptions',
      blocksWith: {
        text: hasOptions,
        reasoning: hasOptions,
        image: ({ image }) => image !== undefined,
        file: ({ data }) => data !== undefined,
      },
    },
  ],

  faultOf: (message) => faultAmong(message, ROLES, isPart),

  walk(messages, recorder, from = 0) {
    for (let at = from; at < messages.length; at += 1) {
      const message = messages[at];
      recorder.enter(message);
      walkMessage(message, recorder);
    }
  },

  prune(message, blocks, cleared) {
    const content = copyOfList(message.content);
    for (const at of blocks) content[at] = withMembers(content[at], pruned(content[at], cleared(content[at].toolCallId)));
    return withMembers(message, { content });
  },

  summary({ marked, plan }) {
    const { role, content } = telling(marked, plan, { providerOptions: { ebbline: { summary: true } } });
    // The prompt of a language model, which middleware and processors see, has no texts but parts.
    return { role, content: typeof content === 'string' ? [{ type: 'text', text: content }] : content };
  },

  answer(text) {
    return { role: 'assistant', content: [{ type: 'text', text }] };
  },
};

function isPart(part) {
  return isTyped(part, PARTS) && (!OF_CALLS.includes(part.type) || namesCallIn('toolCallId', part));
}

function hasOptions({ providerOptions }) {
  return providerOptions !== undefined;
}

/** A text is a valid replacement of any output. */
function pruned({ output, result }, placeholder) {
  const isBare = !hasJson(output) && hasJson(result);
  return isBare ? { result: placeholder } : { output: { type: 'text', value: placeholder } };
}

function walkMessage(message, recorder) {
  const content = message?.content;
  const role = begin(message?.role, content, recorder);
  if (typeof content === 'string') return recorder.text(Kind.TEXT, content);
  const parts = elements(content);
  for (let at = 0; at < parts.length; at += 1) walkPart(element(parts[at]), at, role, recorder);
}

function begin(role, content, recorder) {
  switch (role) {
    case 'system':
      recorder.begin(Role.SYSTEM);
      break;
    case 'user':
      recorder.begin(Role.USER, Turn.PERSON);
      recorder.checkSummary(soleText(content));
      break;
    case 'assistant':
      recorder.begin(Role.ASSISTANT, Turn.NO, hasEnded(content) ? Flag.ENDED : Flag.NONE);
      break;
    case 'tool':
      recorder.begin(Role.TOOL, Turn.NO, onlyPermits(content) ? Flag.CONTINUES : Flag.NONE);
      break;
    default:
      recorder.begin(Role.OTHER);
  }
  return role;
}

/**
 * Whether a tool message contains only the user's approvals of calls, and no results. It comes between calls and
 * results but separates nothing, because it is not sent.
 */
function onlyPermits(content) {
  const parts = elements(content);
  return parts[0]?.type === 'tool-approval-response' && parts.every((part) => part?.type === 'tool-approval-response');
}

/** An answer with text and without open calls ends the turn. */
function hasEnded(content) {
  if (typeof content === 'string') return isSaid(content);
  const parts = elements(content);
  let speaks = false;
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    const type = part?.type;
    if (type === 'tool-call' && !part.providerExecuted) return false;
    speaks ||= type === 'text' && isSaid(part.text);
  }
  return speaks;
}

function walkPart(part, at, role, recorder) {
  const options = part?.providerOptions;
  switch (part?.type) {
    case 'text':
      recorder.text(Kind.TEXT, part.text);
      return recorder.sign(signatureOf(options));
    case 'reasoning':
      recorder.text(Kind.THINKING, part.text);
      recorder.sign(signatureOf(options));
      recorder.sign(itemOf(options));
      return recorder.sign(part.signature);
    case 'redacted-reasoning':
      // Content that the server encrypted is sent, but its number of tokens is unknown.
      recorder.text(Kind.THINKING, undefined);
      return recorder.sign(part.data);
    case 'image':
      return recorder.data(Kind.IMAGE, part.image);
    case 'file':
    case 'reasoning-file':
      return recorder.data(mediaKind(part), mediaOf(part), 0, part);
    case 'tool-call':
      recorder.call(part.toolCallId, part.toolName, either(part.input, part.args));
      return recorder.sign(signatureOf(options));
    case 'tool-result':
      return walkResult(part, at, role === 'assistant', recorder);
    case 'tool-approval-request':
    case 'tool-approval-response':
      // Between the SDK and the application; they are not sent to the model.
      return undefined;
    default:
      return recorder.value(Kind.OTHER, part);
  }
}

/**
 * A tool result: `output` with its type, or the bare `result` in version 4. The provider made a result that is inside
 * the answer.
 */
export function walkResult(part, at, byProvider, recorder) {
  const { type, value } = contentOf(part);
  // Version 4: blocks that some providers get instead of the result. Both cannot be pruned together.
  const instead = hasJson(part.output) ? undefined : (part.experimental_content ?? undefined);
  const blocks = type === 'content' ? value : instead;
  // The form of nearly all results.
  if (type === 'text' && typeof value === 'string' && !byProvider && instead === undefined) {
    const output = recorder.outputOf(value, part.toolCallId, Boolean(part.isError));
    recorder.resultOf(part.toolCallId, part.toolName, output, value, at);
    return;
  }
  const failed = type.startsWith('error-') || type === 'execution-denied' || part.isError;
  const media = elements(blocks).filter((inner) => inner?.type !== 'text' && inner?.type !== 'custom');
  // Media belong to a result by its id, so without an id they would stay.
  const isLoose = typeof part.toolCallId !== 'string' && media.length > 0;
  const isSealed = byProvider || instead !== undefined || isLoose;
  const said = type === 'content' ? soleText(elements(value)) : value;
  const output = isSealed ? Output.SEALED : recorder.outputOf(said, part.toolCallId, Boolean(failed));
  const block = isSealed ? undefined : at;
  if (!hasJson(blocks)) {
    walkValue(part, type, value, output, block, recorder);
    return;
  }
  const texts = elements(blocks).filter((inner) => inner?.type === 'text' && typeof inner.text === 'string');
  const call = recorder.result(
    part.toolCallId,
    part.toolName,
    output,
    texts.map(({ text }) => text),
    block,
  );
  for (const inner of media) recorder.data(mediaKind(inner), mediaOf(inner), call, inner);
}

function contentOf({ output, result }) {
  const isTyped = typeof output === 'object' && output !== null && !Array.isArray(output);
  if (!isTyped) return { type: '', value: either(output, result) };
  const type = typeof output.type === 'string' ? output.type : '';
  return { type, value: type === 'execution-denied' ? (output.reason ?? DENIED) : output.value };
}

function walkValue(part, type, value, output, block, recorder) {
  const quoted = type === 'json' || type === 'error-json';
  recorder.resultOf(part.toolCallId, part.toolName, output, value, block, quoted);
  if (type === 'execution-denied' && (part.output.reason ?? undefined) === undefined) recorder.says();
  if (quoted || typeof value !== 'string') recorder.setNativeLength(value);
}

/** Whether a file is an image: by its type or else by its media type. */
export function mediaKind(part) {
  const media = [part?.mediaType, part?.mimeType, part?.contentType].find((type) => typeof type === 'string');
  const isImage = typeof part?.type === 'string' && part.type.startsWith('image');
  return isImage || media?.startsWith('image/') ? Kind.IMAGE : Kind.FILE;
}

/** A file's data, its URL, or the provider's name for it. */
export function mediaOf(part) {
  const data = part?.data;
  // In version 7 it may stand in an object that says what it is.
  const told = ['data', 'url', 'text'].includes(data?.type) ? data[data.type] : undefined;
  return told ?? data ?? [part?.url, part?.fileId].find((name) => typeof name === 'string');
}
