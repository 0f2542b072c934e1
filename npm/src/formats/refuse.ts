// Says what an array contains that is no session: the counterpart of `format/refuse.rs`.

import { EbblineError } from '../errors.js';
import { type Fault, faultOfChat } from './common/chat.js';
import type { Format } from './format.js';
import { LOOKED_AT } from './signs.js';
import { type Members, hasJson, isObject } from '../values.js';

/** How many keys of an object the sentence names, and how many characters of a role. */
const NAMED_KEYS = 8;
const NAMED_CHARACTERS = 40;
const NO_KEYS = 'no members';

/** What to do with messages of an unknown shape. */
const CONVERT = 'convert it to OpenAI Chat as https://github.com/ebbline/ebbline/blob/main/docs/convert.md shows';
const ADVICE = `an agent's own shape is not read: ${CONVERT}`;

/** What kind of value JavaScript calls so; other values are numbers. */
const KINDS = new Map<string, string>([
  ['object', 'an object'],
  ['string', 'a text'],
  ['boolean', 'true or false'],
]);

/** What is read of a message to say what is wrong with it. */
interface Spoken {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly parts?: unknown;
  readonly tool_calls?: unknown;
}

/** Refuses messages from number `from` on of which one is not of the format that the list shows. */
export function refuseForeign(messages: readonly unknown[], format: Format, from = 0): void {
  if (format.faultOf === undefined) return;
  for (let at = from; at < messages.length; at += 1) {
    const fault = format.faultOf(messages[at]);
    if (fault !== undefined) throw noSession(advised(messages[at], fault, at));
  }
}

/** Refuses an array in an unknown format. */
export function refuse(messages: readonly unknown[]): never {
  throw noSession(faultSeen(messages) ?? perhaps(messages));
}

function noSession(seen: string): EbblineError {
  return new EbblineError('no_messages', `no session: ${seen}`);
}

/** What was seen, and what to do. */
function advised(message: unknown, fault: Fault, at: number): string {
  return `${faultOfMessage(message, fault, `message ${at}`)}; ${ADVICE}`;
}

/** The same for objects that nobody knows: they may be a session. */
function perhaps(messages: readonly unknown[]): string {
  const seen = listSeen(messages);
  const [first] = messages;
  const mayBe = kindOf(first) === 'an object' && keysOf(first) !== NO_KEYS;
  return mayBe ? `${seen}; if an agent wrote it, ${CONVERT}` : seen;
}

/** The first message that is none, if the others are. */
function faultSeen(messages: readonly unknown[]): string | undefined {
  if (!messages.some((message) => (message as Spoken | null | undefined)?.role !== undefined)) return undefined;
  const index = messages.slice(0, LOOKED_AT).findIndex((message) => faultOfChat(message) !== undefined);
  const fault = index < 0 ? undefined : faultOfChat(messages[index]);
  return fault === undefined ? undefined : advised(messages[index], fault, index);
}

function faultOfMessage(given: unknown, fault: Fault, name: string): string {
  const message = given as Spoken;
  switch (fault.at) {
    case 'message':
      return `${name} is ${kindOf(message)}`;
    case 'role':
      return hasJson(message.role)
        ? `${roleSeen(message.role, name)}; its members are ${keysOf(message)}`
        : `${name} has no role, but ${keysOf(message)}`;
    case 'block': {
      const block = listIn(Array.isArray(message.content) ? message.content : message.parts)[fault.index];
      const whose = `block ${fault.index} of ${name}`;
      if (!isObject(block)) return `${whose} is ${kindOf(block)}`;
      if (typeof block.type === 'string') return `${whose} has the type ${short(block.type)}; its members are ${keysOf(block)}`;
      return hasJson(block.type) ? `the type of ${whose} is ${kindOf(block.type)}` : `${whose} has no type, but ${keysOf(block)}`;
    }
    case 'call': {
      const call = listIn(message.tool_calls)[fault.index];
      return `call ${fault.index} of ${name} has no function, but ${kindOf(call) === 'an object' ? keysOf(call) : NO_KEYS}`;
    }
    case 'answer':
      return `${name} is a result without tool_call_id; its members are ${keysOf(message)}`;
    default:
      return contentSeen(message, name);
  }
}

/** A list that was found to be one. */
function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function roleSeen(role: unknown, name: string): string {
  if (typeof role !== 'string') return `the role of ${name} is ${kindOf(role)}`;
  return `${name} has the unknown role ${short(role)}`;
}

/** The beginning of a text that a sentence names. */
function short(text: string): string {
  return [...text.slice(0, 2 * NAMED_CHARACTERS)].slice(0, NAMED_CHARACTERS).join('');
}

function contentSeen({ content, ...message }: Spoken, name: string): string {
  if (hasJson(content)) return `the content of ${name} is ${described(content)}`;
  const missing = `${name} has no content, but ${keysOf(message)}`;
  return Array.isArray(message.parts) ? `${missing}; its parts are ${listSeen(message.parts)}` : missing;
}

/** Describes a list by its elements. */
function listSeen(list: readonly unknown[]): string {
  if (list.length === 0) return 'an empty array';
  const kinds = [...new Set(Array.from(list, kindOf))];
  const [kind] = kinds;
  if (kinds.length > 1) return `an array of ${list.length} values: ${kinds.join(', ')}`;
  if (kind !== 'an object') return list.length === 1 ? `an array of ${kind}` : `an array of ${list.length} values, each ${kind}`;
  const keys = keysOf(list[0]);
  return list.length === 1 ? `an array of one object with ${keys}` : `an array of ${list.length} objects, the first with ${keys}`;
}

function described(value: unknown): string {
  if (kindOf(value) !== 'an object') return kindOf(value);
  const keys = keysOf(value);
  return keys === NO_KEYS ? 'an object without members' : `an object with ${keys}`;
}

function kindOf(value: unknown): string {
  if (!hasJson(value) || value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return KINDS.get(typeof value) ?? 'a number';
}

/** The keys of an object, as JSON would write them. */
function keysOf(value: unknown): string {
  const object = value as Members;
  const keys = Object.keys(object).filter((key) => hasJson(object[key]));
  if (keys.length === 0) return NO_KEYS;
  return [...keys.slice(0, NAMED_KEYS), ...(keys.length > NAMED_KEYS ? ['…'] : [])].join(', ');
}
