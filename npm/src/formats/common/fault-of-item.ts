import { type Fault, type TypedBlock, faultAmong, isTyped } from './chat.js';
import { isObject } from '../../values.js';

const ROLES = ['user', 'assistant', 'system', 'developer', 'critic', 'discriminator'];
/** The blocks of a message's content. */
const BLOCKS = [
  ...['input_text', 'output_text', 'refusal', 'input_image', 'input_file', 'input_audio', 'output_audio', 'computer_screenshot'],
  ...['reasoning_text', 'summary_text', 'image', 'file', 'audio', 'image_url', 'encrypted_content'],
];

/** The fault of an item. Items say by their type what they are, and there are new ones each month; only messages may omit it. */
export function faultOfItem(item: unknown): Fault | undefined {
  if (!isObject(item)) return { at: 'message' };
  const { type, role, id } = item;
  if (typeof type === 'string' && type !== 'message') return undefined;
  // A reference may be an id alone.
  if (typeof type !== 'string' && role === undefined && id !== undefined) return undefined;
  return faultAmong(item, ROLES, (block: TypedBlock | null | undefined) => isTyped(block, BLOCKS));
}
