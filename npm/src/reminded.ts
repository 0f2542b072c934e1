import type { ModelRequest } from './requested-summary.js';

/** A message of a request for a summary. */
type RequestMessage = ModelRequest['messages'][number];

/** The messages of a request with what is wrong about the answer. An answer without words is no message that a provider takes. */
export function reminded(messages: readonly RequestMessage[], text: string, reminder: string): RequestMessage[] {
  if (text.trim() !== '') return [...messages, { role: 'assistant', content: text }, { role: 'user', content: reminder }];
  const last = messages.at(-1);
  return last === undefined ? [] : [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${reminder}` }];
}
