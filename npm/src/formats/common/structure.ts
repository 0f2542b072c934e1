// Outputs that are values: what reads them after a compaction looks into them, or has a schema for them. The counterpart of
// `format/structure.rs`.

import { type Members } from '../../values.js';

/** A text with more characters is long: a shorter one is a word, a date or an id, which stays. */
const MOST_CHARACTERS = 24;
/** Of a value that has more inside, or deeper, nothing stays. */
const MOST_VALUES = 24;
const DEEPEST = 6;

/** What is found while a value is written without its texts: the first long one, how many values, and whether nothing else is left out. */
interface Shell {
  text: string | undefined;
  values: number;
  isWhole: boolean;
}

/** What is left of an output, in the shape of the output: a text, an object with its members, or the result of an MCP tool. */
export function clearedAs(output: unknown, text: string): unknown {
  if (!isValue(output)) return text;
  const shell = isLong(text) ? shellOf(output, text) : undefined;
  if (shell !== undefined) return shell.value;
  const blocks = [{ type: 'text', text }];
  return Array.isArray(output) ? blocks : { content: blocks };
}

/** The text of an output that is nothing else: a text, the result of an MCP tool with one text, or a value with one long text. */
export function saidIn(output: unknown): unknown {
  if (!isValue(output)) return output;
  const sole = soleBlock(output);
  if (sole !== undefined) return sole;
  const shell = shellOf(output, '');
  return shell?.isWhole ? shell.text : output;
}

function isValue(output: unknown): output is Members {
  return typeof output === 'object' && output !== null;
}

function isLong(text: string): boolean {
  if (text.length <= MOST_CHARACTERS) return false;
  return text.length > 2 * MOST_CHARACTERS || [...text].length > MOST_CHARACTERS;
}

function soleBlock(output: Members): string | undefined {
  const { content } = output;
  const blocks = Array.isArray(output) ? output : content;
  if (!Array.isArray(blocks) || (blocks === content && membersOf(output).length !== 1)) return undefined;
  const [block] = blocks;
  const isText = blocks.length === 1 && block?.type === 'text' && typeof block.text === 'string';
  return isText && membersOf(block).length === 2 ? block.text : undefined;
}

function membersOf(object: object): [string, unknown][] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}

/**
 * A value with `replacement` in the place of its first long text; other long texts are empty, and of a list one element stays. `undefined`
 * for the result of an MCP tool, and for a value without a long text or with too much inside.
 */
function shellOf(output: Members, replacement: string): { value: unknown; text: string; isWhole: boolean } | undefined {
  if (Array.isArray(output.content)) return undefined;
  const shell: Shell = { text: undefined, values: 0, isWhole: true };
  const value = added(output, replacement, shell, DEEPEST);
  return value === undefined || shell.text === undefined ? undefined : { value, text: shell.text, isWhole: shell.isWhole };
}

function added(value: unknown, replacement: string, shell: Shell, depth: number): unknown {
  shell.values += 1;
  if (depth === 0 || shell.values > MOST_VALUES) return undefined;
  if (typeof value === 'string') return addedText(value, replacement, shell);
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value;
  if (!isValue(value) || typeof value.toJSON === 'function') return undefined;
  if (Array.isArray(value)) {
    shell.isWhole &&= value.length <= 1;
    if (value.length === 0) return [];
    const first = added(value[0] ?? null, replacement, shell, depth - 1);
    return first === undefined ? undefined : [first];
  }
  const members = membersOf(value);
  if (members.length > MOST_VALUES) return undefined;
  const made: Record<string, unknown> = {};
  for (const [key, inner] of members) {
    if (/^\d*$/.test(key) || key === '__proto__' || key === 'toJSON' || isLong(key)) return undefined;
    const left = added(inner, replacement, shell, depth - 1);
    if (left === undefined) return undefined;
    made[key] = left;
  }
  return made;
}

function addedText(text: string, replacement: string, shell: Shell): string {
  if (!isLong(text)) return text;
  if (shell.text !== undefined) {
    shell.isWhole = false;
    return '';
  }
  shell.text = text;
  return replacement;
}
