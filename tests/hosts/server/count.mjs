// How the server counts tokens: exactly, with o200k, and never with ebbline's estimate.
import { tokenizers } from '../../npm/tokenizers/packaged.mjs';

const o200k = await (await tokenizers('o200k')).load();
/** What a provider does not count as text: what is sealed, and what only says which message it is. */
const UNCOUNTED = new Set(['signature', 'thoughtSignature', 'encrypted_content', 'data', 'id', 'call_id', 'tool_call_id', 'tool_use_id']);
const NAMES = new Set(['role', 'type', 'status', 'cache_control', 'annotations']);
/** What a message costs beside its texts. */
const FRAME = 4;
const known = new Map();

/** The tokens of a message, a tool or a system prompt. */
export function tokensOf(item) {
  const key = JSON.stringify(item);
  const found = known.get(key);
  if (found !== undefined) return found;
  const texts = [];
  collect(item, texts);
  const tokens = FRAME + o200k.count(texts.join('\n'));
  if (known.size > 20_000) known.clear();
  known.set(key, tokens);
  return tokens;
}

function collect(value, texts) {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (UNCOUNTED.has(key) || NAMES.has(key)) continue;
      // What a call is given is billed as JSON.
      if (key === 'input' || key === 'args' || key === 'response') texts.push(JSON.stringify(member));
      else collect(member, texts);
    }
  } else if (value !== null && value !== undefined) texts.push(String(value));
}
