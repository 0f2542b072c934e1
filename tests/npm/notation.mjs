// The vectors' notation for long and invalid strings: $repeat, $concat, $lone. Everything else keeps its spelling
// (1.0, 1e21, repeated keys), which is why the vectors are not read with JSON.parse.

const TOKEN = /\s*(?:([[\]{},:])|("(?:[^"\\]|\\.)*")|([^\s[\]{},:"]+))/gy;

/**
 * Parses JSON into nodes that keep their spelling.
 *
 * @typedef {{ raw: string } | { elements: Node[] } | { members: [string, Node][] }} Node
 * @returns {Node}
 */
export function parse(text) {
  TOKEN.lastIndex = 0;
  const next = () => {
    const [, mark, string, scalar] = TOKEN.exec(text);
    return mark ?? string ?? scalar;
  };
  const value = (token) => {
    if (token === '[') return { elements: listOf(next(), ']', value) };
    if (token === '{') return { members: listOf(next(), '}', (key) => [key, value((next(), next()))]) };
    return { raw: token };
  };
  const listOf = (token, end, make) => {
    const list = [];
    while (token !== end) {
      list.push(make(token));
      token = next();
      if (token === ',') token = next();
    }
    return list;
  };
  return value(next());
}

/** The member `key` of an object. */
export function member(node, key) {
  return node.members?.find(([name]) => JSON.parse(name) === key)?.[1];
}

/** A node as JSON text with expanded notation. */
export function expand(node) {
  const text = notation(node);
  if (text !== undefined) return JSON.stringify(text);
  if (node.elements) return `[${node.elements.map(expand).join(',')}]`;
  if (node.members) return `{${node.members.map(([key, value]) => `${key}:${expand(value)}`).join(',')}}`;
  return node.raw;
}

/** The string of a node in this notation; `undefined` if it is not notation. */
function notation(node) {
  const [key, argument] = node.members?.[0] ?? [];
  switch (key) {
    case '"$repeat"':
      return stringOf(argument.elements[0]).repeat(JSON.parse(argument.elements[1].raw));
    case '"$concat"':
      return argument.elements.map(stringOf).join('');
    case '"$lone"': {
      const units = stringOf(argument.elements[0]).split('');
      for (const [at, unit] of JSON.parse(expand(argument.elements[1]))) {
        // In a prompt the position is that of the original wording, so the replacement character stays there.
        if (units[at] === '\ufffd') units[at] = String.fromCharCode(unit);
      }
      return units.join('');
    }
    default:
      return undefined;
  }
}

function stringOf(node) {
  return notation(node) ?? JSON.parse(node.raw);
}
