import { withMembers } from './copy.js';
import { MARKS, isSame, isSeen, isUnseenId } from './equality.js';

/** Members that belong to how a message was changed, or to the class that holds it. */
const STAYS = new Set([
  'artifact',
  'data',
  'details',
  'info',
  'kwargs',
  'lc_kwargs',
  'lc_namespace',
  'lc_serializable',
  'state',
  'status',
  'time',
  'usage',
]);

/**
 * A message that was cut or pruned, with what no model sees as the current message has it: ids, metadata and cache marks. A provider takes
 * few marks, and those that were removed must not live on in a copy.
 *
 * @returns the very same copy if nothing differs
 */
export function dressed<T>(copy: T, current: any): T {
  if (copy === current || !isRecord(copy) || !isRecord(current)) return copy;
  const names = new Set([...Object.keys(copy), ...Object.keys(current)]);
  const changes = {};
  for (const name of names) {
    if (!STAYS.has(name) && !isSeen(copy, name) && !isSame(copy[name], current[name])) changes[name] = current[name];
  }
  return changed(copy, { ...changes, ...dressedInside(copy, current) });
}

/** The lists of a message, or of a part, if something in them differs. */
function dressedInside(copy, current) {
  const changes = {};
  for (const name of ['content', 'parts']) {
    const list = Array.isArray(copy[name]) ? dressedList(copy[name], current?.[name]) : copy[name];
    if (list !== copy[name]) changes[name] = list;
  }
  return changes;
}

function dressedList(copy, current) {
  const own = copy.filter((part) => !isMark(part));
  const marked = Array.isArray(current) ? current : [];
  const others = marked.filter((part) => !isMark(part));
  const list = [];
  let next = 0;
  for (const [at, part] of own.entries()) {
    const place = own.length === others.length ? at : others.findIndex((other, index) => index >= next && kindOf(other) === kindOf(part));
    const pair = others[place];
    if (place !== -1) next = place + 1;
    list.push(isRecord(part) ? dressedPart(part, pair) : part);
    if (pair === undefined) continue;
    // Bedrock's marks are parts by themselves.
    for (let mark = marked.indexOf(pair) + 1; isMark(marked[mark]); mark += 1) list.push(marked[mark]);
  }
  return list.length === copy.length && list.every((part, at) => part === copy[at]) ? copy : list;
}

function dressedPart(part, pair) {
  const changes = {};
  for (const name of pair === undefined ? ['cache_control', 'cacheControl'] : [...MARKS, 'id']) {
    if ((name !== 'id' || isUnseenId(part)) && !isSame(part[name], pair?.[name])) changes[name] = pair?.[name];
  }
  return changed(part, { ...changes, ...dressedInside(part, pair) });
}

function changed(copy, changes) {
  if (Object.keys(changes).length === 0) return copy;
  // LangChain writes the members that the constructor of an instance was given.
  const isInstance = isRecord(copy.lc_kwargs);
  const made = withMembers(copy, isInstance ? { ...changes, lc_kwargs: { ...copy.lc_kwargs, ...changes } } : changes);
  if (Object.getPrototypeOf(made) === Object.prototype) {
    for (const name of Object.keys(changes)) if (made[name] === undefined) delete made[name];
  }
  return made;
}

function isMark(part) {
  return isRecord(part) && part.cachePoint !== undefined;
}

/** What tells a part from its neighbors. */
function kindOf(part) {
  if (!isRecord(part)) return typeof part;
  const { type, id, tool_use_id: answered, toolCallId, toolResult, toolUse } = part;
  return JSON.stringify([type, answered ?? toolCallId ?? toolResult?.toolUseId ?? toolUse?.toolUseId ?? (isUnseenId(part) ? null : id)]);
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
