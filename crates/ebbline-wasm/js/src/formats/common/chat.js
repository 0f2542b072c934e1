/** The least that a message of a chat has where no sign of a format is shown: the counterpart of `format/chat.rs`. */

/** The roles of a chat whose messages show nothing else. */
export const ROLES = ['user', 'assistant', 'system', 'developer', 'function'];
/** What an answer may have instead of a content. */
const INSTEAD = ['tool_calls', 'function_call', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_details', 'audio'];

/** No message is read as an empty one because what it says is in a member that nobody knows. */
export const NO_CONTENT = { words: 'no content', unlessContent: isWhole };

/** Whether a message needs no content: `content` is missing or `null`. */
function isWhole(message) {
  const { role, content } = message;
  // Only answers and results may be empty.
  if (content === null) return role === 'assistant' || role === 'function';
  return role === 'assistant' && message.parts === undefined && INSTEAD.some((name) => (message[name] ?? undefined) !== undefined);
}

/**
 * What makes a message no message of a chat; `undefined` if it is one.
 *
 * @param {any} message
 * @returns {{ at: 'message' | 'role' | 'content' } | { at: 'block', block: number } | undefined}
 */
export function faultOf(message) {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return { at: 'message' };
  const { role, content } = message;
  if (!ROLES.includes(role)) return { at: 'role' };
  if (Array.isArray(content)) {
    const block = content.findIndex((element) => typeof element?.type !== 'string');
    return block < 0 ? undefined : { at: 'block', block };
  }
  const isMissing = content === undefined || content === null;
  return typeof content === 'string' || (isMissing && isWhole(message)) ? undefined : { at: 'content' };
}
