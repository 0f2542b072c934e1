// Sessions that are made by a rule, because written out they would be long.

/** Calls that read files, whose outputs have different sizes; at the end the assistant needs the first. */
function port() {
  const messages = [{ role: 'user', content: 'Where is the port set?' }];
  for (let call = 0; call < 40; call += 1) {
    const asked = { name: 'read', arguments: JSON.stringify({ path: `f${call % 7}` }) };
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id: `c${call}`, type: 'function', function: asked }] });
    const output = `config/${call}/listen.toml ${'x '.repeat(100 + 37 * (call % 11))}`;
    messages.push({ role: 'tool', tool_call_id: `c${call}`, content: output });
  }
  return [...messages, { role: 'assistant', content: 'It is in config/0/listen.toml.' }];
}

/** The same with 25 times the calls. */
function endless() {
  const [first, ...rest] = port();
  return [first, ...Array.from({ length: 25 }, () => rest.slice(0, -1)).flat()];
}

/** Calls whose outputs are all needed again in the last message. */
function needed() {
  const paths = Array.from({ length: 60 }, (_, at) => `config/${at}/listen${at}.toml`);
  const messages = [{ role: 'user', content: 'Where is the port set?' }];
  for (const [at, path] of paths.entries()) {
    const asked = { name: 'list', arguments: JSON.stringify({ at }) };
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id: `c${at}`, type: 'function', function: asked }] });
    messages.push({ role: 'tool', tool_call_id: `c${at}`, content: `${path} ${'x '.repeat(300)}` });
  }
  return [...messages, { role: 'assistant', content: `In ${paths.join(', ')}.` }];
}

/** Answers whose provider reported what its cache read. */
function reported() {
  const usage = (read, written) => ({
    input_tokens: 10,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: 5,
  });
  const reads = [usage(0, 5_000), usage(5_000, 300), usage(0, 6_000)];
  return reads.flatMap((usage, at) => [
    { role: 'user', content: `question ${at}` },
    { role: 'assistant', content: [{ type: 'text', text: `answer ${at}` }], usage },
  ]);
}

const MADE = { port, endless, needed, reported };

/** The text of a session. @param {string} name */
export function made(name) {
  if (!Object.hasOwn(MADE, name)) throw new Error(`no session ${name} is made`);
  return JSON.stringify(MADE[name]());
}
