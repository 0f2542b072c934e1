// Short turns that share their strings, so that a million messages fit; in pi's shape.

const TEXTS = [80, 400, 2_000, 9_000].map((length) => 'ls -la; a line of output\n'.repeat(Math.ceil(length / 25)));

/** How many messages a turn has. */
export const PER_TURN = 2;

/**
 * The turn whose first message has index `at`, as new objects: every tenth turn is a question and an answer, the others
 * are a call and its result.
 */
export function turnAt(at) {
  const text = TEXTS[(at >> 1) % TEXTS.length];
  if (at % 20 === 0) {
    return [
      { role: 'user', content: [{ type: 'text', text: TEXTS[1] }], timestamp: 0 },
      { role: 'assistant', content: [{ type: 'text', text: TEXTS[1] }], usage: undefined, stopReason: 'stop', timestamp: 0 },
    ];
  }
  const id = `call_${at}`;
  const call = { type: 'toolCall', id, name: 'bash', arguments: { command: TEXTS[0], timeout: 120 } };
  return [
    { role: 'assistant', content: [{ type: 'text', text: TEXTS[1] }, call], usage: undefined, stopReason: 'toolUse', timestamp: 0 },
    { role: 'toolResult', toolCallId: id, toolName: 'bash', content: [{ type: 'text', text }], isError: false, timestamp: 0 },
  ];
}
