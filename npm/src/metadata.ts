import { withMembers } from './copy.js';
import { MARKS, isSame, isSeen, isUnseenId } from './equality.js';
import { type Members, isObject } from './values.js';

type Changes = Record<string, unknown>;

/** What tells which call a part is about. */
interface Identified {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly tool_use_id?: unknown;
  readonly toolCallId?: unknown;
  readonly toolResult?: { readonly toolUseId?: unknown } | null;
  readonly toolUse?: { readonly toolUseId?: unknown } | null;
}

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
export function dressed<Message>(copy: Message, current: unknown): Message {
  if (copy === current || !isObject(copy) || !isObject(current)) return copy;
  const names = new Set([...Object.keys(copy), ...Object.keys(current)]);
  const changes: Changes = {};
  for (const name of names) {
    if (!STAYS.has(name) && !isSeen(copy, name) && !isSame(copy[name], current[name])) changes[name] = current[name];
  }
  return changed(copy, { ...changes, ...dressedInside(copy, current) });
}

/** The lists of a message, or of a part, if something in them differs. */
function dressedInside(copy: Members, current: Members | undefined): Changes {
  const changes: Changes = {};
  for (const name of ['content', 'parts']) {
    const own = copy[name];
    const list = Array.isArray(own) ? dressedList(own, current?.[name]) : own;
    if (list !== own) changes[name] = list;
  }
  return changes;
}

function dressedList(copy: readonly unknown[], current: unknown): readonly unknown[] {
  const own = copy.filter((part) => !isMark(part));
  const marked: readonly unknown[] = Array.isArray(current) ? current : [];
  const others = marked.filter((part) => !isMark(part));
  const list: unknown[] = [];
  let next = 0;
  for (const [at, part] of own.entries()) {
    const place = own.length === others.length ? at : others.findIndex((other, index) => index >= next && kindOf(other) === kindOf(part));
    const pair = others[place];
    if (place !== -1) next = place + 1;
    list.push(isObject(part) ? dressedPart(part, pair as Members | undefined) : part);
    if (pair === undefined) continue;
    // Bedrock's marks are parts by themselves.
    for (let mark = marked.indexOf(pair) + 1; isMark(marked[mark]); mark += 1) list.push(marked[mark]);
  }
  return list.length === copy.length && list.every((part, at) => part === copy[at]) ? copy : list;
}

function dressedPart(part: Members, pair: Members | undefined): Members {
  const changes: Changes = {};
  for (const name of pair === undefined ? ['cache_control', 'cacheControl'] : [...MARKS, 'id']) {
    if ((name !== 'id' || isUnseenId(part)) && !isSame(part[name], pair?.[name])) changes[name] = pair?.[name];
  }
  return changed(part, { ...changes, ...dressedInside(part, pair) });
}

function changed<Copied extends Members>(copy: Copied, changes: Changes): Copied {
  if (Object.keys(changes).length === 0) return copy;
  // LangChain writes the members that the constructor of an instance was given.
  const given = copy.lc_kwargs;
  const made = withMembers(copy, isObject(given) ? { ...changes, lc_kwargs: { ...given, ...changes } } : changes);
  if (Object.getPrototypeOf(made) === Object.prototype) {
    const plain = made as Changes;
    for (const name of Object.keys(changes)) if (plain[name] === undefined) delete plain[name];
  }
  return made;
}

function isMark(part: unknown): boolean {
  return isObject(part) && part.cachePoint !== undefined;
}

/** What tells a part from its neighbors. */
function kindOf(part: unknown): string {
  if (!isObject(part)) return typeof part;
  const { type, id, tool_use_id: answered, toolCallId, toolResult, toolUse }: Identified = part;
  return JSON.stringify([type, answered ?? toolCallId ?? toolResult?.toolUseId ?? toolUse?.toolUseId ?? (isUnseenId(part) ? null : id)]);
}
