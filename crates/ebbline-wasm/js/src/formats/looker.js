import { elements } from './common/content.js';

/**
 * What shows a format. A sign is shown as soon as one message shows any of its members, `roles` to `isInstance`.
 *
 * @typedef {object} Sign
 * @property {string} words the sign, in words
 * @property {string[]} [roles] a message has one of these roles
 * @property {string[]} [types] a message has one of these types
 * @property {string[]} [blocks] a message's content has a block of one of these types
 * @property {Record<string, string>} [blocksWith] by type of a block, the member that such a block must have
 * @property {string[]} [untyped] a block without a type has one of these members
 * @property {string[]} [keys] the members that `shows` looks at: it is asked about messages that have one of them
 * @property {(message: any) => boolean} [shows]
 * @property {(content: any) => boolean} [holds] asked about a content that is neither a text nor a list
 * @property {(message: any) => boolean} [isInstance] asked about messages that are no plain data. If one says yes, nothing
 *   else of the message is looked at
 * @property {boolean} [anyRole] a message has a role, whatever it is
 * @property {string[]} [unlessRoles] a message has no role, or none of these
 * @property {boolean} [unlessText] a message has a content that is neither a text nor a list, or is no object at all
 */

/** How many messages of a session are looked at. */
export const LOOKED_AT = 400;

/** A function that every instance has which says itself what it is in JSON. */
const TO_JSON = 'toJSON';

/**
 * Looks for several signs at once, in one pass over the messages. Each sign is a bit of what is returned.
 *
 * A plain message costs a look at its role, at the names of its members and at the types of its blocks. A member is only
 * read when some sign asks for its name.
 */
export class Looker {
  /** Bits by role, by the type of a message, and what else is asked about a message that has a member. */
  #roles = new Map();
  #types = new Map();
  /** @type {Map<string, { bit: number, shows: (message: any) => boolean }[]>} */
  #questions = new Map();
  /** By type of block: its bit, and the bits of members that it may have. */
  #blocks = new Map();
  /** @type {{ bit: number, isInstance: (message: any) => boolean }[]} */
  #instances = [];
  /** @type {{ bit: number, holds: (content: any) => boolean }[]} */
  #holders = [];
  /** What a message without a role shows, one with a role that no sign names, and what shows it where there is no text. */
  #noRole = 0;
  #otherRole = 0;
  #notText = 0;

  /** @param {[bit: number, sign: Sign][]} signs */
  constructor(signs) {
    const named = new Set(signs.flatMap(([, { roles = [], unlessRoles = [] }]) => [...roles, ...unlessRoles]));
    for (const [bit, sign] of signs) {
      if (sign.anyRole) this.#otherRole |= bit;
      if (sign.unlessRoles !== undefined) {
        this.#noRole |= bit;
        this.#otherRole |= bit;
      }
      if (sign.unlessText) this.#notText |= bit;
    }
    for (const role of named) this.#roles.set(role, roleBits(role, signs));
    for (const [bit, sign] of signs) this.#add(bit, sign);
  }

  #add(bit, { types = [], blocks = [], blocksWith = {}, untyped = [], keys = [], shows, holds, isInstance }) {
    for (const type of types) this.#types.set(type, (this.#types.get(type) ?? 0) | bit);
    for (const type of blocks) this.#block(type).bit |= bit;
    for (const [type, key] of Object.entries(blocksWith)) this.#block(type).members.push({ key, bit });
    for (const key of untyped) this.#block(undefined).members.push({ key, bit });
    if (types.length > 0) this.#ask('type');
    for (const key of keys) this.#ask(key).push({ bit, shows });
    if (holds !== undefined) this.#holders.push({ bit, holds });
    if (isInstance !== undefined) this.#instances.push({ bit, isInstance });
  }

  #block(type) {
    let known = this.#blocks.get(type);
    if (known === undefined) this.#blocks.set(type, (known = { bit: 0, members: [] }));
    return known;
  }

  #ask(key) {
    let questions = this.#questions.get(key);
    if (questions === undefined) this.#questions.set(key, (questions = []));
    return questions;
  }

  /** What the messages from `from` to `end` show together, of those that are looked at. */
  over(messages, from, end) {
    const last = Math.min(end, LOOKED_AT);
    let seen = 0;
    for (let at = from; at < last; at += 1) seen |= this.at(messages[at]);
    return seen;
  }

  /** What one message shows. */
  at(message) {
    if (typeof message !== 'object' || message === null) return this.#noRole | this.#notText;
    const { role, content } = message;
    const isList = Array.isArray(content);
    const isHeld = !isList && typeof content === 'object' && content !== null;
    const begun = (role === undefined ? this.#noRole : (this.#roles.get(role) ?? this.#otherRole)) | (isHeld ? this.#held(content) : 0);
    let seen = begun;
    if (Object.getPrototypeOf(message) === Object.prototype) {
      for (const name in message) {
        const questions = this.#questions.get(name);
        if (questions !== undefined) seen |= this.#answers(message, name, questions);
        else if (name === TO_JSON) {
          const instance = this.#instanceOf(message);
          if (instance !== 0) return begun | instance;
        }
      }
    } else {
      const instance = this.#instanceOf(message);
      if (instance !== 0) return begun | instance;
      for (const [name, questions] of this.#questions) {
        if (message[name] !== undefined) seen |= this.#answers(message, name, questions);
      }
    }
    return isList ? seen | this.#inBlocks(content) : seen;
  }

  #answers(message, name, questions) {
    let seen = name === 'type' ? (this.#types.get(message.type) ?? 0) : 0;
    for (let at = 0; at < questions.length; at += 1) if (questions[at].shows(message)) seen |= questions[at].bit;
    return seen;
  }

  #held(content) {
    let seen = this.#notText;
    for (const { bit, holds } of this.#holders) if (holds(content)) seen |= bit;
    return seen;
  }

  #instanceOf(message) {
    for (const { bit, isInstance } of this.#instances) if (isInstance(message)) return bit;
    return 0;
  }

  #inBlocks(list) {
    const blocks = elements(list);
    let seen = 0;
    for (let at = 0; at < blocks.length; at += 1) {
      const block = blocks[at];
      const known = this.#blocks.get(block?.type);
      if (known === undefined) continue;
      seen |= known.bit;
      const { members } = known;
      for (let member = 0; member < members.length; member += 1) {
        if (block?.[members[member].key] !== undefined) seen |= members[member].bit;
      }
    }
    return seen;
  }
}

function roleBits(role, signs) {
  let bits = 0;
  for (const [bit, { roles = [], anyRole = false, unlessRoles }] of signs) {
    if (anyRole || roles.includes(role) || (unlessRoles !== undefined && !unlessRoles.includes(role))) bits |= bit;
  }
  return bits;
}
