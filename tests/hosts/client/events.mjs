// Reads server-sent events as an agent does that uses plain fetch.

/** The data of each event of a response. */
export async function* eventsOf(response) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body) {
    rest += decoder.decode(bytes, { stream: true }).replaceAll('\r\n', '\n');
    const events = rest.split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const data = event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n');
      if (data !== '' && data !== '[DONE]') yield JSON.parse(data);
    }
  }
}

/** The error of a stream that ended too early. */
export function torn() {
  return new Error('the stream ended too early');
}
