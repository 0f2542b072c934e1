// Says what an array contains that is no session: the counterpart of `format/refuse.rs`.

import { EbblineError } from '../errors.js';
import { hasJson } from '../measure.js';
import { faultOf } from './common/chat.js';
import { LOOKED_AT } from './looker.js';

/** How many keys of an object the sentence names, and how many characters of a role. */
const NAMED_KEYS = 8;
const NAMED_CHARACTERS = 40;
const NO_KEYS = 'no members';

/**
 * Refuses an array in an unknown format.
 *
 * @param {any[]} messages
 * @returns {never}
 */
export function refuse(messages) {
  throw new EbblineError('no_messages', `no session: ${faultSeen(messages) ?? listSeen(messages)}`);
}

/** The first message that is none, if the others are. */
function faultSeen(messages) {
  if (!messages.some((message) => message?.role !== undefined)) return undefined;
  const index = messages.slice(0, LOOKED_AT).findIndex((message) => faultOf(message) !== undefined);
  return index < 0 ? undefined : faultOfMessage(messages[index], `message ${index}`);
}

function faultOfMessage(message, name) {
  const fault = faultOf(message);
  switch (fault.at) {
    case 'message':
      return `${name} is ${kindOf(message)}`;
    case 'role':
      return hasJson(message.role)
        ? `${roleSeen(message.role, name)}; its members are ${keysOf(message)}`
        : `${name} has no role, but ${keysOf(message)}`;
    case 'block': {
      const block = message.content[fault.block];
      const whose = `block ${fault.block} of ${name}`;
      if (kindOf(block) !== 'an object') return `${whose} is ${kindOf(block)}`;
      return hasJson(block.type) ? `the type of ${whose} is ${kindOf(block.type)}` : `${whose} has no type, but ${keysOf(block)}`;
    }
    default:
      return contentSeen(message, name);
  }
}

function roleSeen(role, name) {
  if (typeof role !== 'string') return `the role of ${name} is ${kindOf(role)}`;
  return `${name} has the unknown role ${[...role].slice(0, NAMED_CHARACTERS).join('')}`;
}

function contentSeen({ content, ...message }, name) {
  if (hasJson(content)) return `the content of ${name} is ${described(content)}`;
  const missing = `${name} has no content, but ${keysOf(message)}`;
  return Array.isArray(message.parts) ? `${missing}; its parts are ${listSeen(message.parts)}` : missing;
}

/** Describes a list by its elements. */
function listSeen(list) {
  if (list.length === 0) return 'an empty array';
  const kinds = [...new Set(Array.from(list, kindOf))];
  const [kind] = kinds;
  if (kinds.length > 1) return `an array of ${list.length} values: ${kinds.join(', ')}`;
  if (kind !== 'an object') return list.length === 1 ? `an array of ${kind}` : `an array of ${list.length} values, each ${kind}`;
  const keys = keysOf(list[0]);
  return list.length === 1 ? `an array of one object with ${keys}` : `an array of ${list.length} objects, the first with ${keys}`;
}

function described(value) {
  if (kindOf(value) !== 'an object') return kindOf(value);
  const keys = keysOf(value);
  return keys === NO_KEYS ? 'an object without members' : `an object with ${keys}`;
}

function kindOf(value) {
  if (!hasJson(value) || value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return { object: 'an object', string: 'a text', boolean: 'true or false' }[typeof value] ?? 'a number';
}

/** The keys of an object, as JSON would write them. */
function keysOf(object) {
  const keys = Object.keys(object).filter((key) => hasJson(object[key]));
  if (keys.length === 0) return NO_KEYS;
  return [...keys.slice(0, NAMED_KEYS), ...(keys.length > NAMED_KEYS ? ['…'] : [])].join(', ');
}
