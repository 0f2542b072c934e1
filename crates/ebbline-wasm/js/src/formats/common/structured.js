// Outputs that are values: what reads them after a compaction expects an object or a list, and may look into it. The counterpart of
// `format/structured.rs`.

/** A text in the place of an output: it stays a text, a list or an object, as the result of an MCP tool is one. */
export function clearedAs(output, text) {
  if (typeof output !== 'object' || output === null) return text;
  const blocks = [{ type: 'text', text }];
  return Array.isArray(output) ? blocks : { content: blocks };
}

/** The text of an output that is nothing else: a text, a list with one block of text, or an MCP result of such a list. Otherwise the output. */
export function saidIn(output) {
  if (typeof output !== 'object' || output === null) return output;
  const { content } = output;
  const blocks = Array.isArray(output) ? output : content;
  if (blocks === content && (!Array.isArray(content) || membersOf(output) !== 1)) return output;
  if (blocks.length !== 1 || blocks[0]?.type !== 'text' || typeof blocks[0].text !== 'string') return output;
  return membersOf(blocks[0]) === 2 ? blocks[0].text : output;
}

function membersOf(object) {
  return Object.values(object).filter((value) => value !== undefined).length;
}
