// OpenCode's forms that are recognized but not walked; the counterpart of `format/opencode/rows.rs`.

import { type Members, isObject } from '../../values.js';

const NEWER = new Set<unknown>(['user', 'assistant', 'shell', 'synthetic', 'system', 'compaction', 'agent-switched', 'model-switched']);

/** Whether `value` is a row of a part, or of a message in the database or the share API. */
export function isRow(value: unknown): boolean {
  if (!isObject(value)) return false;
  const data = typeof value.data === 'string' || isObject(value.data) ? value.data : undefined;
  if (data !== undefined && has(value, 'id', 'session_id', 'time_created')) return true;
  const isNamed = value.type === 'message' || value.type === 'part';
  if (isNamed && data !== undefined && has(data, 'id', 'sessionID')) return true;
  return has(value, 'id', 'sessionID', 'messageID', 'type');
}

/** Whether `value` is a message of OpenCode's second core, which has content instead of parts. */
export function isNewer(value: unknown): boolean {
  const { id, type, time, role } = (value ?? {}) as Members;
  return time !== undefined && role === undefined && typeof id === 'string' && id.startsWith('msg_') && NEWER.has(type);
}

function has(value: unknown, ...keys: readonly string[]): boolean {
  const members = value as Members;
  return keys.every((key) => members[key] !== undefined);
}
