import { CALL_IDS, DATA, MESSAGE, OUTPUTS, REFERRED, TEXTS, THOUGHTS, UNSEEN } from './generated/identity.js';
import { type Members, isBytes, isObject, memberOf } from './values.js';

/** How deep messages are compared. Nothing that is sent to a provider is nested as deeply. */
const DEEPEST = 64;

/**
 * Whether two values are the same in all they hold: one object, or one a copy of the other. Members that are `undefined` are as good as
 * missing.
 */
export function isSame(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return Object.is(one, other);
  if (depth > DEEPEST) return false;
  if (Array.isArray(one)) return Array.isArray(other) && isSameList(one, other, depth);
  if (Array.isArray(other) || Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  // Both have one prototype, so what one is, the other is, too.
  if (ArrayBuffer.isView(one)) return isSameList(bytesOf(one), bytesOf(other as ArrayBufferView), depth);
  if (one instanceof Date) return one.getTime() === (other as Date).getTime();
  if (one instanceof URL) return one.href === (other as URL).href;
  return isSameObject(one as Members, other as Members, depth);
}

/** Whether two messages are the same to the model, whatever their ids, times, metadata and cache marks are. */
export function isSameToModel(one: unknown, other: unknown): boolean {
  return isSame(one, other) || seenOf(one) === seenOf(other);
}

/** How many of the first messages of `known` are also the first of the `length` messages. */
export function sameUntil(known: readonly unknown[], messages: readonly unknown[], length: number): number {
  const shorter = Math.min(known.length, length);
  let at = 0;
  while (at < shorter && isSameToModel(known[at], messages[at])) at += 1;
  return at;
}

function isSameList(one: ArrayLike<unknown>, other: ArrayLike<unknown>, depth: number): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) {
    if (!isSame(one[at], other[at], depth + 1)) return false;
  }
  return true;
}

function isSameObject(one: Members, other: Members, depth: number): boolean {
  let count = 0;
  for (const key in one) {
    if (one[key] === undefined) continue;
    count += 1;
    if (!isSame(one[key], other[key], depth + 1)) return false;
  }
  for (const key in other) {
    if (other[key] !== undefined) count -= 1;
  }
  return count === 0;
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

const IS_OF_MESSAGE = new Set<unknown>(MESSAGE);
/** Cache marks and notes of providers. */
export const MARKS = ['cacheControl', 'cache_control', 'cachePoint', 'providerOptions', 'providerMetadata', 'providerData'];
const IS_UNSEEN = new Set<unknown>(UNSEEN);
const IS_DATA = new Set<unknown>(DATA);
const IS_OUTPUT = new Set<unknown>(OUTPUTS);
const IS_TEXT = new Set<unknown>([undefined, ...TEXTS]);
const IS_THOUGHT = new Set<unknown>(THOUGHTS);
const IS_REFERRED = new Set<unknown>(REFERRED);

/**
 * What a model sees of a message: role, texts, the ids, names and arguments of calls, and media. The engine writes the same text of
 * JSON (`crates/ebbline/src/identity.rs`), because records of the npm package and of Python fit each other's histories.
 */
export function seenOf(message: unknown): string {
  return seenMessage(message, 0);
}

function seenMessage(message: unknown, depth: number): string {
  if (!isObject(message)) return dataOf(message, depth);
  if (isObject(message.kwargs) && Array.isArray(message.id)) {
    return `{kind:${textOf(String(message.id.at(-1)))}${seenMessage(message.kwargs, depth + 1)}}`;
  }
  if (isObject(message.data) && message.role === undefined) {
    return `{kind:${dataOf(message.type, depth)}${seenMessage(message.data, depth + 1)}}`;
  }
  if (!isMessage(message)) return partOf(message, depth, true);
  const role = memberOf(message.info, 'role');
  let seen = typeof role === 'string' ? `{info:${textOf(role)}` : '{';
  for (const name of MESSAGE) {
    const value = name === 'type' ? typeOf(message) : message[name];
    if ((value ?? undefined) !== undefined) seen += writtenMember(name, value, depth + 1);
  }
  return `${seen}}`;
}

/** Whether a member of a message, or of an item that is none, is seen by the model. */
export function isSeen(message: Members, name: string): boolean {
  return isMessage(message) ? IS_OF_MESSAGE.has(name) : !isUnseen(message, name, true);
}

/** Whether the id of a part is one that no model sees. */
export function isUnseenId(part: Members): boolean {
  return isUnseen(part, 'id', false);
}

/** Whether a message is a system prompt. */
export function isSystem(given: unknown): boolean {
  const message = given as Members | null | undefined;
  const role = message?.role ?? (message && (memberOf(message.info, 'role') ?? typeOf(message)));
  return role === 'system' || role === 'developer';
}

function isMessage({ role, content, parts }: Members): boolean {
  return typeof role === 'string' || content !== undefined || parts !== undefined;
}

/** The type of a message; `message` says nothing, and instances of a class may only have a function for it. */
function typeOf(message: Members): unknown {
  const type = message.type ?? (typeof message._getType === 'function' ? message._getType() : undefined);
  return type === 'message' ? undefined : type;
}

/** What is said: texts and parts. A text by itself is a list of one text. */
function saidIn(value: unknown, depth: number): string {
  const list = Array.isArray(value) ? value : [value];
  let seen = '';
  for (const part of list) seen += part === '' ? '' : insideOf(part, depth + 1);
  return seen === '' ? '' : `[${seen}]`;
}

/** Parts, or one; nothing for what is empty. */
function insideOf(value: unknown, depth: number): string {
  if (Array.isArray(value)) {
    if (depth > DEEPEST) return '!';
    const seen = value.map((part) => insideOf(part, depth + 1)).join('');
    return seen === '' ? '' : `[${seen}]`;
  }
  return isObject(value) ? partOf(value, depth, false) : dataOf(value, depth);
}

function partOf(part: Members, depth: number, isItem: boolean): string {
  if (depth > DEEPEST) return '!';
  if (isBytes(part) || part instanceof Date || part instanceof URL) return dataOf(part, depth);
  const names = Object.keys(part)
    .filter((name) => (part[name] ?? undefined) !== undefined && !isUnseen(part, name, isItem))
    .sort();
  const { text } = part;
  const type = part.type ?? undefined;
  const isText = typeof text === 'string' && names.every((name) => name === 'text' || name === 'type');
  if (isText && IS_TEXT.has(type)) return text === '' ? '' : textOf(text);
  if (names.length === 0 || (text === '' && isText && IS_THOUGHT.has(type))) return '';
  let seen = '{';
  for (const name of names) seen += writtenMember(name, part[name], depth + 1);
  // What the host has cleared by a mark of its own is another output to the model.
  if ((memberOf(part.time, 'compacted') ?? undefined) !== undefined) seen += 'compacted;';
  return `${seen}}`;
}

function writtenMember(name: string, value: unknown, depth: number): string {
  const isSaid = name === 'content' || name === 'parts' || (name === 'output' && isOutput(value));
  const what = isSaid ? saidIn(value, depth) : IS_DATA.has(name) || name === 'output' ? dataOf(value, depth) : insideOf(value, depth);
  return what === '' ? '' : `${name}:${what}`;
}

/** Whether an output is written in parts, and not as data of the tool's own. */
function isOutput(value: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.every((part) => typeof part === 'string' || (isObject(part) && IS_OUTPUT.has(part.type)));
}

function isUnseen(part: Members, name: string, isItem: boolean): boolean {
  if (name === 'state') return typeof part.state === 'string';
  if (name === 'id') return !(IS_REFERRED.has(part.type) || (!isItem && isCall(part)));
  // Hosts mark what is their own.
  return IS_UNSEEN.has(name) || name.startsWith('_');
}

/** Whether the id of a part is that of a call. */
function isCall(part: Members): boolean {
  return (part.name ?? part.function ?? undefined) !== undefined && CALL_IDS.every((name) => (part[name] ?? undefined) === undefined);
}

/** Data in which everything is seen. Its members are written in the order of their names, because databases keep none. */
export function dataOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return textOf(value);
  if (typeof value !== 'object' || value === null) return `${value};`;
  if (depth > DEEPEST) return '!';
  if (Array.isArray(value)) return `[${value.map((one) => dataOf(one, depth + 1)).join('')}]`;
  if (isBytes(value)) return textOf(base64Of(value instanceof ArrayBuffer ? new Uint8Array(value) : bytesOf(value)));
  if (value instanceof Date) return textOf(Number.isNaN(value.getTime()) ? '' : value.toISOString());
  if (value instanceof URL) return textOf(value.href);
  const members = value as Members;
  let seen = '{';
  for (const name of Object.keys(members).sort()) {
    if (members[name] !== undefined) seen += `${textOf(name)}${dataOf(members[name], depth + 1)}`;
  }
  return `${seen}}`;
}

/** A text with its length in front, so that two texts are never taken for one. A picture is the same with and without its kind. */
function textOf(text: string): string {
  const data = text.startsWith('data:') ? text.indexOf(';base64,') : -1;
  const told = data === -1 || data > 100 ? text : text.slice(data + ';base64,'.length);
  return `${told.length}"${told}`;
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
