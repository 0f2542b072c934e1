// The blocks of a LangChain message; the counterpart of `format/langchain/blocks.rs`.

import { Kind, type Recorder, wellFormed } from '../../recorder.js';
import { walkBlock as walkAnthropicBlock } from '../anthropic-messages.js';
import type { TypedBlock } from '../common/chat.js';
import { either, element, elements } from '../common/content.js';
import { hasJson } from '../../values.js';

/** A block. A text may stand in its place, which has none of these members. */
export interface Block extends TypedBlock, Signed {
  readonly [name: string]: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly reasoning?: unknown;
  readonly summary?: unknown;
  readonly encrypted_content?: unknown;
}

interface Signed {
  readonly signature?: unknown;
  readonly extras?: { readonly signature?: unknown } | null;
}

/** The texts and signature of reasoning. */
interface Reasoning {
  readonly text?: unknown;
  readonly signature?: unknown;
}

const TEXTS = new Set<unknown>(['text', 'input_text', 'output_text']);
const CALLS = new Set<unknown>(['tool_use', 'tool_call', 'function_call']);
const IMAGES = new Set<unknown>(['image', 'image_url', 'input_image']);
const FILES = new Set<unknown>(['audio', 'input_audio', 'video', 'file', 'input_file', 'media', 'text-plain']);
const DATA = ['base64', 'data', 'url', 'file_data', 'file_id', 'text'];
const HOLDERS = ['source', 'image_url', 'file', 'input_audio'];

/** The texts of a content: the content itself, or the texts of its blocks. */
export function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return elements(content)
    .map(textOf)
    .filter((text) => text !== undefined);
}

/** The text of a block that contains nothing else; a block may be a bare string. */
export function textOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  const block = given as Block | null | undefined;
  const isText = !hasJson(block?.type) || TEXTS.has(block?.type);
  return isText && typeof block?.text === 'string' ? block.text : undefined;
}

/** Whether a block is a call for the application to make. */
export function isCall(block: TypedBlock | null | undefined): boolean {
  return CALLS.has(block?.type);
}

/**
 * Records a content and returns the ids of its calls. Calls in `known` are skipped, because they are recorded from
 * the message's own list.
 */
export function walkBlocks(content: unknown, known: ReadonlySet<string> | undefined, recorder: Recorder): ReadonlySet<string> {
  const made = new Set<string>();
  if (typeof content === 'string') recorder.text(Kind.TEXT, content);
  for (const block of elements<Block>(content)) walkBlock(element(block), known, made, recorder);
  return made;
}

function walkBlock(block: Block | null | undefined, known: ReadonlySet<string> | undefined, made: Set<string>, recorder: Recorder) {
  const text = textOf(block);
  if (text !== undefined) {
    recorder.text(Kind.TEXT, text);
    return sign(block ?? {}, recorder);
  }
  if (block === null || block === undefined) return walkAnthropicBlock(block, undefined, recorder);
  switch (block.type) {
    case 'reasoning':
      return walkReasoning(block, recorder);
    case 'reasoning_content': {
      const inner = either(block.reasoning_content, block) as Reasoning | null; // Bedrock
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

function aText(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string');
}

/** A signature beside a text, as in Gemini's blocks. */
function sign(block: Signed, recorder: Recorder): void {
  recorder.sign(block.signature);
  recorder.sign(block.extras?.signature);
}

/** Reasoning in LangChain's standard, or as in the Responses API: a list of summaries beside the encrypted reasoning. */
export function walkReasoning(block: Block, recorder: Recorder): void {
  const texts = elements<Reasoning>(block.summary).map((summary) => summary?.text);
  if (typeof block.reasoning === 'string') texts.unshift(block.reasoning);
  recorder.text(Kind.THINKING, texts[0]);
  for (const text of texts.slice(1)) recorder.text(Kind.THINKING, text);
  sign(block, recorder);
  recorder.sign(block.encrypted_content);
}

/** A call in the content, unless the message also lists it. */
function walkCall(block: Block, known: ReadonlySet<string> | undefined, made: Set<string>, recorder: Recorder): void {
  const id = aText(block.call_id, block.id);
  if (known !== undefined && (id === undefined ? known.size > 0 : known.has(wellFormed(id)))) return;
  if (id !== undefined) made.add(wellFormed(id));
  recorder.call(id, block.name, [block.args, block.input, block.arguments].find(hasJson));
  sign(block, recorder);
}

function isMedia(block: Block): boolean {
  return (IMAGES.has(block.type) || FILES.has(block.type)) && !hasJson(block.source);
}

/** Whether a block is an image: by its type or else by its media type. */
export function mediaKind(block: Block | null | undefined): number {
  const isTyped = typeof block?.mime_type === 'string' && block.mime_type.startsWith('image/');
  return IMAGES.has(block?.type) || isTyped ? Kind.IMAGE : Kind.FILE;
}

/** A file's data, its URL, or the provider's name for it. */
export function mediaOf(block: Block | null | undefined): unknown {
  const holders = HOLDERS.map((key) => block?.[key]);
  return [block, ...holders].map(dataIn).find((data) => data !== undefined);
}

function dataIn(holder: unknown): unknown {
  if (typeof holder === 'string') return holder;
  return DATA.map((key) => (holder as Block | null | undefined)?.[key]).find((data) => (data ?? undefined) !== undefined);
}
