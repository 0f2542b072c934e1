// The blocks of a LangChain message; the counterpart of `format/langchain/blocks.rs`.

import { hasJson } from '../../meter.js';
import { Kind, wellFormed } from '../../recorder.js';
import { walkBlock as walkAnthropicBlock } from '../anthropic-messages.js';
import { either, element, elements } from '../common/content.js';

const TEXTS = new Set(['text', 'input_text', 'output_text']);
const CALLS = new Set(['tool_use', 'tool_call', 'function_call']);
const IMAGES = new Set(['image', 'image_url', 'input_image']);
const FILES = new Set(['audio', 'input_audio', 'video', 'file', 'input_file', 'media', 'text-plain']);
const DATA = ['base64', 'data', 'url', 'file_data', 'file_id', 'text'];
const HOLDERS = ['source', 'image_url', 'file', 'input_audio'];

/** The texts of a content: the content itself, or the texts of its blocks. */
export function textsIn(content) {
  if (typeof content === 'string') return [content];
  return elements(content)
    .map(textOf)
    .filter((text) => text !== undefined);
}

/** The text of a block that contains nothing else; a block may be a bare string. */
export function textOf(block) {
  if (typeof block === 'string') return block;
  const isText = !hasJson(block?.type) || TEXTS.has(block.type);
  return isText && typeof block?.text === 'string' ? block.text : undefined;
}

/** Whether a block is a call for the application to make. */
export function isCall(block) {
  return CALLS.has(block?.type);
}

/**
 * Records a content and returns the ids of its calls. Calls in `known` are skipped, because they are recorded from
 * the message's own list.
 */
export function walkBlocks(content, known, recorder) {
  const made = new Set();
  if (typeof content === 'string') recorder.text(Kind.TEXT, content);
  for (const block of elements(content)) walkBlock(element(block), known, made, recorder);
  return made;
}

function walkBlock(block, known, made, recorder) {
  const text = textOf(block);
  if (text !== undefined) {
    recorder.text(Kind.TEXT, text);
    return sign(block, recorder);
  }
  switch (block?.type) {
    case 'reasoning':
      return walkReasoning(block, recorder);
    case 'reasoning_content': {
      const inner = either(block.reasoning_content, block); // Bedrock
      recorder.text(Kind.THINKING, inner?.text);
      return recorder.sign(inner?.signature);
    }
    case 'tool_use':
    case 'tool_call':
    case 'function_call':
      return walkCall(block, known, made, recorder);
    case 'server_tool_call':
      return recorder.call(block.id, block.name, block.args);
    case 'tool_result':
    case 'server_tool_result':
      return recorder.sealed(aText(block.tool_call_id, block.tool_use_id), either(block.output, block.content));
    case 'refusal':
      return recorder.text(Kind.TEXT, block.refusal);
    case 'input_json_delta':
    case 'tool_call_chunk':
    case 'invalid_tool_call':
      return undefined; // What is left of a stream; the call is listed whole.
    case 'non_standard':
      return recorder.value(Kind.OTHER, block.value);
  }
  if (isMedia(block)) recorder.data(mediaKind(block), mediaOf(block), 0, block);
  else walkAnthropicBlock(block, undefined, recorder);
}

function aText(...values) {
  return values.find((value) => typeof value === 'string');
}

/** A signature beside a text, as in Gemini's blocks. */
function sign(block, recorder) {
  recorder.sign(block.signature);
  recorder.sign(block.extras?.signature);
}

/** Reasoning in LangChain's standard, or as in the Responses API: a list of summaries beside the encrypted reasoning. */
export function walkReasoning(block, recorder) {
  const texts = elements(block.summary).map((summary) => summary?.text);
  if (typeof block.reasoning === 'string') texts.unshift(block.reasoning);
  recorder.text(Kind.THINKING, texts[0]);
  for (const text of texts.slice(1)) recorder.text(Kind.THINKING, text);
  sign(block, recorder);
  recorder.sign(block.encrypted_content);
}

/** A call in the content, unless the message also lists it. */
function walkCall(block, known, made, recorder) {
  const id = aText(block.call_id, block.id);
  if (known !== undefined && (id === undefined ? known.size > 0 : known.has(wellFormed(id)))) return;
  if (id !== undefined) made.add(wellFormed(id));
  recorder.call(id, block.name, [block.args, block.input, block.arguments].find(hasJson));
  sign(block, recorder);
}

function isMedia(block) {
  return (IMAGES.has(block?.type) || FILES.has(block?.type)) && !hasJson(block.source);
}

/** Whether a block is an image: by its type or else by its media type. */
export function mediaKind(block) {
  const isTyped = typeof block?.mime_type === 'string' && block.mime_type.startsWith('image/');
  return IMAGES.has(block?.type) || isTyped ? Kind.IMAGE : Kind.FILE;
}

/** A file's data, its URL, or the provider's name for it. */
export function mediaOf(block) {
  const holders = HOLDERS.map((key) => block?.[key]);
  return [block, ...holders].map(dataIn).find((data) => data !== undefined);
}

function dataIn(holder) {
  if (typeof holder === 'string') return holder;
  return DATA.map((key) => holder?.[key]).find((data) => (data ?? undefined) !== undefined);
}
