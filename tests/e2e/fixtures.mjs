// Sessions made for the tests. Nothing here is anybody's recording.

const words = 'the cart keeps its lines in order while the voucher is applied to every unit and then rounded once';

/** A text of `length` characters, the same for the same seed. */
export function prose(length, seed = 1) {
  let text = `${seed}: `;
  while (text.length < length) text += `${words} ${(seed * 31 + text.length) % 997}. `;
  return text.slice(0, length);
}

/** A turn: a request, calls with results of the given lengths in characters, an answer. */
function turn(number, lengths) {
  const messages = [{ role: 'user', content: `request ${number}: ${prose(60, number)}` }];
  lengths.forEach((length, index) => {
    const id = `call_${number}_${index}`;
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: index % 2 ? 'read' : 'grep', arguments: '{"path":"src"}' } }],
    });
    messages.push({ role: 'tool', tool_call_id: id, content: prose(length, number * 100 + index) });
  });
  messages.push({ role: 'assistant', content: `answer ${number}: ${prose(200, number)}` });
  return messages;
}

/** A session as OpenAI Chat messages, one per line, with spellings that a careless writer would change. */
export function chat(turns) {
  const messages = turns.flatMap((lengths, index) => turn(index + 1, lengths));
  const lines = messages.map((message, index) => {
    const line = JSON.stringify(message);
    return index === 0 ? line.replace(/}$/, ', "extra" : {"n":1.0, "big": 12345678901234567890, "e":"\\u00e9"}}') : line;
  });
  return `[\n${lines.join(',\n')}\n]\n`;
}

/** Three old turns with 30,000 tokens of output each, then three short ones. */
export const prunable = () => chat([[60_000, 60_000], [60_000, 60_000], [60_000, 60_000], [400], [400], [400]]);

/** A JSON Lines session of about `bytes` bytes. */
export function large(bytes) {
  const lines = [];
  let size = 0;
  for (let number = 1; size < bytes; number += 1) {
    for (const message of turn(number, [3_000, 9_000, 600])) {
      const line = JSON.stringify(message);
      lines.push(line);
      size += line.length + 1;
    }
  }
  return { text: `${lines.join('\n')}\n`, messages: lines.length };
}
