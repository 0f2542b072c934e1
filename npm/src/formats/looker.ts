import { lengthOf } from '../list.js';
import { isPlain } from '../plain.js';
import { elements } from './common/content.js';
import { KeyCache } from './key-cache.js';
import { Shapes } from './shapes.js';

/** What shows a format. A sign is shown if one message has any of its members from `roles` to `isInstance`. */
export interface Sign {
  /** the sign, in words */
  words: string;
  /** a message has one of these roles */
  roles?: string[];
  /** a message has one of these types */
  types?: string[];
  /** a message's content has a block of one of these types */
  blocks?: string[];
  /** by type of a block, what else such a block must be */
  blocksWith?: Record<string, (block: any) => boolean>;
  /** what a block without a type must be */
  untyped?: (block: any) => boolean;
  /** the members that `shows` reads: it is only called for messages with one of them */
  keys?: string[];
  shows?: (message: any) => boolean;
  /** called for a content that is neither a text nor a list */
  holds?: (content: any) => boolean;
  /** called for messages that are not plain data; if one returns true, the rest of the message is not examined */
  isInstance?: (message: any) => boolean;
  /** a message has any role */
  anyRole?: boolean;
  /** a message has no role, or none of these */
  unlessRoles?: string[];
  /** a message's content has a block without a type that is a text */
  unlessTyped?: boolean;
  /** a message is no object, has a content that is neither a text nor a list, or has none and does not pass this test, for which it needs a role */
  unlessContent?: (message: any) => boolean;
}

export type Question = { bit: number; shows: (about: any) => boolean };

/** How many messages of a session are examined. */
export const LOOKED_AT = 400;

/** A method that instances have if they define their own JSON. */
const TO_JSON = 'toJSON';
const NONE = Object.freeze([]);

/**
 * Looks for several signs in one pass over the messages. Each sign is one bit of the result.
 *
 * For a plain message, this reads its role, the names of its members and the types of its blocks. A member is only
 * read if a sign needs it.
 */
export class Looker {
  /** The bits of each role. */
  #roles;
  /** For each type of block, its bit and its further tests. */
  #blocks;
  /** The bits of each type of message. */
  #types = new Map();
  /** For each member, the tests of messages that have it. */
  #questions: Map<string, Question[]> = new Map();
  #shapes = new Shapes((name) => name === TO_JSON || this.#questions.has(name));
  /** The tests of messages that are not plain data, of contents that are objects, and of messages without a content. */
  #ofInstances = [];
  #ofContents = [];
  #ofNoContent = [];
  /** The bits of a message without a role, of one with a role that no sign names, of an unreadable message, and of an untyped block. */
  #noRole = 0;
  #otherRole = 0;
  #noText = 0;
  #untyped = 0;

  constructor(signs: [bit: number, sign: Sign][]) {
    const blocks = new Map();
    const roles = new Set(signs.flatMap(([, { roles: named = [], unlessRoles = [] }]) => [...named, ...unlessRoles]));
    for (const [bit, sign] of signs) {
      const { types = [], keys = [], shows, holds, isInstance, anyRole = false, unlessRoles } = sign;
      if (unlessRoles !== undefined) this.#noRole |= bit;
      if (unlessRoles !== undefined || anyRole) this.#otherRole |= bit;
      if (sign.unlessTyped === true) this.#untyped |= bit;
      if (sign.unlessContent !== undefined) {
        this.#noText |= bit;
        this.#ofNoContent.push({ bit, shows: sign.unlessContent });
      }
      for (const type of types) this.#types.set(type, (this.#types.get(type) ?? 0) | bit);
      if (types.length > 0) at(this.#questions, 'type', list);
      for (const key of keys) at(this.#questions, key, list).push({ bit, shows });
      if (holds !== undefined) this.#ofContents.push({ bit, shows: holds });
      if (isInstance !== undefined) this.#ofInstances.push({ bit, shows: isInstance });
      addBlocks(blocks, bit, sign);
    }
    this.#blocks = new KeyCache(blocks);
    this.#roles = new KeyCache(new Map([...roles].map((role) => [role, roleBits(role, signs)])));
  }

  /** The bits of the examined messages between `from` and `end`. */
  over(messages, from, end) {
    const last = Math.min(end, LOOKED_AT);
    let seen = 0;
    for (let at = from; at < last; at += 1) seen |= this.at(messages[at]);
    return seen;
  }

  /** The bits of one message. */
  at(message) {
    if (typeof message !== 'object' || message === null) return this.#noRole | this.#noText;
    const { role, content } = message;
    const isText = typeof content === 'string';
    const isList = !isText && Array.isArray(content);
    const ofRole = role === undefined ? this.#noRole : (this.#roles.get(role) ?? this.#otherRole);
    const begun = isText || isList ? ofRole : ofRole | this.#inNoText(message, role, content);
    let seen = begun;
    if (isPlain(message)) {
      const asked = this.#shapes.askedOf(message);
      if (asked.length > 0) {
        const instance = asked.includes(TO_JSON) ? answers(this.#ofInstances, message) : 0;
        if (instance !== 0) return begun | instance;
        for (let at = 0; at < asked.length; at += 1) seen |= this.#answers(message, asked[at]);
      }
    } else {
      const instance = answers(this.#ofInstances, message);
      if (instance !== 0) return begun | instance;
      for (const name of this.#questions.keys()) if (message[name] !== undefined) seen |= this.#answers(message, name);
    }
    return isList ? seen | this.#inBlocks(content) : seen;
  }

  /** The bits of a content that is neither a text nor a list. */
  #inNoText(message, role, content) {
    if (role === undefined && content === undefined) return this.#noText;
    if (content === undefined || content === null) return this.#noText & ~answers(this.#ofNoContent, message);
    return typeof content === 'object' ? this.#noText | answers(this.#ofContents, content) : this.#noText;
  }

  #answers(message, name) {
    const seen = name === 'type' ? (this.#types.get(message.type) ?? 0) : 0;
    return seen | answers(this.#questions.get(name) ?? NONE, message);
  }

  #inBlocks(list) {
    const blocks = elements(list);
    // Once: a proxy may say another length each time.
    const length = lengthOf(blocks);
    let seen = 0;
    for (let at = 0; at < length; at += 1) {
      const block = blocks[at];
      const type = block?.type;
      if (typeof type !== 'string') seen |= this.#untyped;
      const known = this.#blocks.get(type);
      if (known === undefined) continue;
      seen |= known.bit;
      const { questions } = known;
      for (let question = 0; question < questions.length; question += 1) {
        if (questions[question].shows(block)) seen |= questions[question].bit;
      }
    }
    return seen;
  }
}

/** The bits of the tests that pass. */
function answers(questions, about) {
  let seen = 0;
  for (let at = 0; at < questions.length; at += 1) if (questions[at].shows(about)) seen |= questions[at].bit;
  return seen;
}

/** The value of a key in a map, created if missing. */
function at(map, key, make) {
  let found = map.get(key);
  if (found === undefined) map.set(key, (found = make()));
  return found;
}

function list() {
  return [];
}

/** @param blocks @param bit @param sign */
function addBlocks(blocks: Map<string, any>, bit: number, { blocks: types = [], blocksWith = {}, untyped }: Sign) {
  const of = (type) => at(blocks, type, () => ({ bit: 0, questions: [] }));
  for (const type of types) of(type).bit |= bit;
  for (const [type, shows] of Object.entries(blocksWith)) of(type).questions.push({ bit, shows });
  if (untyped !== undefined) of(undefined).questions.push({ bit, shows: untyped });
}

function roleBits(role, signs) {
  let bits = 0;
  for (const [bit, { roles = [], anyRole = false, unlessRoles }] of signs) {
    if (anyRole || roles.includes(role) || (unlessRoles !== undefined && !unlessRoles.includes(role))) bits |= bit;
  }
  return bits;
}
