import { lengthOf } from '../bounded-list.js';
import { elements } from './common/content.js';
import { KeyCache } from './key-cache.js';
import { Shapes } from './shapes.js';

/**
 * What shows a format. A sign is shown if one message has any of its members from `roles` to `isInstance`. Its tests are given what
 * nobody has checked: a block may be nothing, a message is an object.
 */
export interface Sign {
  /** the sign, in words */
  readonly words: string;
  /** a message has one of these roles */
  readonly roles?: readonly string[];
  /** a message has one of these types */
  readonly types?: readonly string[];
  /** a message's content has a block of one of these types */
  readonly blocks?: readonly string[];
  /** by type of a block, what else such a block must be */
  readonly blocksWith?: Readonly<Record<string, Test['shows']>>;
  /** what a block without a type must be */
  untyped?(block: unknown): boolean;
  /** the members that `shows` reads: it is only called for messages with one of them */
  readonly keys?: readonly string[];
  shows?(message: object): boolean;
  /** called for a content that is neither a text nor a list */
  holds?(content: object): boolean;
  /** called for messages that are not plain data; if one returns true, the rest of the message is not examined */
  isInstance?(message: object): boolean;
  /** a message has any role */
  readonly anyRole?: boolean;
  /** a message has no role, or none of these */
  readonly unlessRoles?: readonly string[];
  /** a message's content has a block without a type that is a text */
  readonly unlessTyped?: boolean;
  /** a message is no object, has a content that is neither a text nor a list, or has none and does not pass this test, for which it needs a role */
  unlessContent?(message: object): boolean;
}

/** A test of a message, of its content or of a block, and the bit that it sets. */
interface Test {
  readonly bit: number;
  shows(about: unknown): boolean;
}

/** What is known of a type of blocks. */
interface BlockSigns {
  bit: number;
  readonly tests: Test[];
}

/** A sign, and its bit in what a {@link Looker} sees. */
type NumberedSign = readonly [bit: number, sign: Sign];

/** What is read of a message, whatever it is. */
interface Message {
  readonly [name: string]: unknown;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly type?: unknown;
}

/** How many messages of a session are examined. */
export const LOOKED_AT = 400;

/** A method that instances have if they define their own JSON. */
const TO_JSON = 'toJSON';
const NONE: readonly Test[] = Object.freeze([]);

/**
 * Looks for several signs in one pass over the messages. Each sign is one bit of the result.
 *
 * For a plain message, this reads its role, the names of its members and the types of its blocks. A member is only
 * read if a sign needs it.
 */
export class Looker {
  /** The bits of each role. */
  readonly #roles: KeyCache<number>;
  /** For each type of block, its bit and its further tests. */
  readonly #blocks: KeyCache<BlockSigns>;
  /** The bits of each type of message. */
  readonly #types = new Map<unknown, number>();
  /** For each member, the tests of messages that have it. */
  readonly #tests = new Map<string, Test[]>();
  readonly #shapes = new Shapes((name) => name === TO_JSON || this.#tests.has(name));
  /** The tests of messages that are not plain data, of contents that are objects, and of messages without a content. */
  readonly #ofOthers: { readonly instances: Test[]; readonly contents: Test[]; readonly noContent: Test[] } = {
    instances: [],
    contents: [],
    noContent: [],
  };
  /** The bits of a message without a role, of one with a role that no sign names, of an unreadable message, and of an untyped block. */
  #noRole = 0;
  #otherRole = 0;
  #noText = 0;
  #untyped = 0;

  constructor(signs: readonly NumberedSign[]) {
    const blocks = new Map<string | undefined, BlockSigns>();
    const roles = new Set(signs.flatMap(([, { roles: named = [], unlessRoles = [] }]) => [...named, ...unlessRoles]));
    for (const [bit, sign] of signs) {
      const { types = [], keys = [], shows, holds, isInstance, anyRole = false, unlessRoles } = sign;
      if (unlessRoles !== undefined) this.#noRole |= bit;
      if (unlessRoles !== undefined || anyRole) this.#otherRole |= bit;
      if (sign.unlessTyped === true) this.#untyped |= bit;
      if (sign.unlessContent !== undefined) {
        this.#noText |= bit;
        this.#ofOthers.noContent.push({ bit, shows: sign.unlessContent });
      }
      for (const type of types) this.#types.set(type, (this.#types.get(type) ?? 0) | bit);
      if (types.length > 0) at(this.#tests, 'type', list);
      if (shows !== undefined) for (const key of keys) at(this.#tests, key, list).push({ bit, shows });
      if (holds !== undefined) this.#ofOthers.contents.push({ bit, shows: holds });
      if (isInstance !== undefined) this.#ofOthers.instances.push({ bit, shows: isInstance });
      addBlocks(blocks, bit, sign);
    }
    this.#blocks = new KeyCache(blocks);
    this.#roles = new KeyCache(new Map([...roles].map((role) => [role, roleBits(role, signs)])));
  }

  /** The bits of the examined messages between `from` and `end`. */
  over(messages: readonly unknown[], from: number, end: number): number {
    const last = Math.min(end, LOOKED_AT);
    let seen = 0;
    for (let at = from; at < last; at += 1) seen |= this.at(messages[at]);
    return seen;
  }

  /** The bits of one message. */
  at(given: unknown): number {
    if (typeof given !== 'object' || given === null) return this.#noRole | this.#noText;
    const message = given as Message;
    const { role, content } = message;
    const isText = typeof content === 'string';
    const isList = !isText && Array.isArray(content);
    const ofRole = role === undefined ? this.#noRole : (this.#roles.get(role) ?? this.#otherRole);
    const begun = isText || isList ? ofRole : ofRole | this.#inNoText(message, role, content);
    let seen = begun;
    if (isPlain(message)) {
      const asked = this.#shapes.askedOf(message);
      if (asked.length > 0) {
        const instance = asked.includes(TO_JSON) ? answers(this.#ofOthers.instances, message) : 0;
        if (instance !== 0) return begun | instance;
        for (let at = 0; at < asked.length; at += 1) seen |= this.#answers(message, asked[at]);
      }
    } else {
      const instance = answers(this.#ofOthers.instances, message);
      if (instance !== 0) return begun | instance;
      for (const name of this.#tests.keys()) if (message[name] !== undefined) seen |= this.#answers(message, name);
    }
    return isList ? seen | this.#inBlocks(content) : seen;
  }

  /** The bits of a content that is neither a text nor a list. */
  #inNoText(message: Message, role: unknown, content: unknown): number {
    if (role === undefined && content === undefined) return this.#noText;
    if (content === undefined || content === null) return this.#noText & ~answers(this.#ofOthers.noContent, message);
    return typeof content === 'object' ? this.#noText | answers(this.#ofOthers.contents, content) : this.#noText;
  }

  #answers(message: Message, name: string): number {
    const seen = name === 'type' ? (this.#types.get(message.type) ?? 0) : 0;
    return seen | answers(this.#tests.get(name) ?? NONE, message);
  }

  #inBlocks(list: readonly unknown[]): number {
    const blocks = elements<Message>(list);
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
      const { tests } = known;
      for (let test = 0; test < tests.length; test += 1) {
        if (tests[test].shows(block)) seen |= tests[test].bit;
      }
    }
    return seen;
  }
}

/** The bits of the tests that pass. */
function answers(tests: readonly Test[], about: unknown): number {
  let seen = 0;
  for (let at = 0; at < tests.length; at += 1) if (tests[at].shows(about)) seen |= tests[at].bit;
  return seen;
}

/** Whether an object inherits no members of a class of its own. */
function isPlain(object: object): boolean {
  return Object.getPrototypeOf(object) === Object.prototype;
}

/** The value of a key in a map, created if missing. */
function at<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let found = map.get(key);
  if (found === undefined) map.set(key, (found = make()));
  return found;
}

function list(): Test[] {
  return [];
}

function addBlocks(blocks: Map<string | undefined, BlockSigns>, bit: number, { blocks: types = [], blocksWith = {}, untyped }: Sign): void {
  const of = (type: string | undefined) => at(blocks, type, () => ({ bit: 0, tests: [] }));
  for (const type of types) of(type).bit |= bit;
  for (const [type, shows] of Object.entries(blocksWith)) of(type).tests.push({ bit, shows });
  if (untyped !== undefined) of(undefined).tests.push({ bit, shows: untyped });
}

function roleBits(role: string, signs: readonly NumberedSign[]): number {
  let bits = 0;
  for (const [bit, { roles = [], anyRole = false, unlessRoles }] of signs) {
    if (anyRole || roles.includes(role) || (unlessRoles !== undefined && !unlessRoles.includes(role))) bits |= bit;
  }
  return bits;
}
