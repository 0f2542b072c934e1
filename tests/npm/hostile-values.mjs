// Hostile arguments that a caller might pass. Each value is created anew, unless that takes long.

import { runInNewContext } from 'node:vm';

/** What hostile code throws. */
export class Thrown extends Error {}

const fail = () => {
  throw new Thrown('on purpose');
};
const TRAPS = [
  'get',
  'set',
  'has',
  'ownKeys',
  'getPrototypeOf',
  'setPrototypeOf',
  'getOwnPropertyDescriptor',
  'defineProperty',
  'deleteProperty',
  'isExtensible',
  'preventExtensions',
  'apply',
  'construct',
];
const throwing = Object.fromEntries(TRAPS.map((trap) => [trap, fail]));
/** Members that code may read. */
const MEMBERS = [
  'role',
  'content',
  'type',
  'parts',
  'tool_calls',
  'message',
  'cause',
  'length',
  'toJSON',
  'profile',
  'policy',
  'model',
  'set',
  'context',
  'text',
  'force',
  'special',
  'wasm',
  'ranks',
  'messages',
  'info',
  'summary',
  'countTokens',
  'constructor',
  'then',
];

function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function detached(make) {
  const buffer = new ArrayBuffer(16);
  const value = make(buffer);
  structuredClone(buffer, { transfer: [buffer] });
  return value;
}

function nested(make) {
  let value = make(undefined);
  for (let level = 0; level < 100_000; level += 1) value = make(value);
  return value;
}

const DEEP_LIST = nested((inner) => [inner]);
const DEEP_OBJECT = nested((inner) => ({ content: inner }));

class Private {
  #kept = 'private';
  get role() {
    return this.#kept;
  }
  get content() {
    return this.#kept;
  }
}

class Bytes extends Uint8Array {
  // @ts-expect-error it lies: a buffer is no number
  get buffer() {
    return 1e9;
  }
  get byteLength() {
    return -1;
  }
}

class List extends Array {
  static get [Symbol.species]() {
    return fail();
  }
  [Symbol.iterator]() {
    return fail();
  }
  map() {
    return fail();
  }
  slice() {
    return fail();
  }
}

function cyclic() {
  const value = { role: 'user', content: [] };
  value.self = value;
  value.content.push(value, value.content);
  return value;
}

/** An array that gives another answer each time. */
function lying(lengths) {
  let asked = 0;
  return new Proxy([{ role: 'user', content: 'x' }], {
    get(target, key) {
      if (key === 'length') return lengths[Math.min((asked += 1), lengths.length) - 1];
      return Reflect.get(target, key);
    },
  });
}

function accessors() {
  const list = [1, 2, 3];
  Object.defineProperty(list, 1, { get: fail, enumerable: true });
  return list;
}

function growing() {
  const list = [];
  const message = {
    role: 'user',
    get content() {
      if (list.length < 1000) list.push(message);
      return 'x';
    },
  };
  list.push(message);
  return list;
}

/** @type {Record<string, () => unknown>} */
export const HOSTILE = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  zero: () => 0,
  negative: () => -1,
  NaN: () => NaN,
  infinity: () => Infinity,
  'a huge number': () => 2 ** 53,
  'a BigInt': () => 1n,
  'a boxed BigInt': () => Object(1n),
  'a boxed string': () => Object('x'),
  'a symbol': () => Symbol('x'),
  'a boxed symbol': () => Object(Symbol('x')),
  'an empty text': () => '',
  'a lone surrogate': () => 'a\ud800b',
  __proto__: () => '__proto__',
  'a function': () => () => 'x',
  'a function that throws': () => fail,
  'a class': () => Private,
  'a date': () => new Date(NaN),
  'an expression': () => /x/g,
  'a map': () => new Map([['role', 'user']]),
  'a weak map': () => new WeakMap(),
  'a promise': () => Promise.resolve({ role: 'user' }),
  'an error': () => new RangeError('x', { cause: new Thrown('y') }),
  'a proxy whose traps throw': () => new Proxy({}, throwing),
  'a list whose traps throw': () => new Proxy([], throwing),
  'a function whose traps throw': () => new Proxy(fail, throwing),
  'a revoked proxy': () => revoked({}),
  'a revoked list': () => revoked([]),
  'a revoked function': () => revoked(fail),
  'a list that grows without end': () => lying([1, 2, 2 ** 31, 2 ** 53]),
  'a list of no length': () => lying([NaN, 'x', undefined]),
  'a list of a symbol’s length': () => lying([Symbol('length')]),
  'a list of a BigInt’s length': () => lying([1n]),
  'a list of negative length': () => lying([-1]),
  'members that throw': () =>
    Object.defineProperties({}, Object.fromEntries(MEMBERS.map((name) => [name, { get: fail, enumerable: true }]))),
  'members that are symbols': () => Object.fromEntries(MEMBERS.map((name) => [name, Symbol(name)])),
  'members that are functions': () => Object.fromEntries(MEMBERS.map((name) => [name, fail])),
  'members that are BigInts': () => Object.fromEntries(MEMBERS.map((name) => [name, Object(1n)])),
  'members that are revoked': () => Object.fromEntries(MEMBERS.map((name) => [name, revoked([])])),
  'a primitive that throws': () => ({ [Symbol.toPrimitive]: fail, toString: fail, valueOf: fail }),
  'toJSON that throws': () => ({ role: 'user', content: { toJSON: fail } }),
  'toJSON for ever': () => ({
    role: 'user',
    toJSON() {
      return this;
    },
    content: {
      toJSON() {
        return this;
      },
    },
  }),
  'a detached buffer': () => detached((buffer) => buffer),
  'detached bytes': () => detached((buffer) => new Uint8Array(buffer)),
  'a detached view': () => detached((buffer) => new DataView(buffer)),
  'detached words': () => detached((buffer) => new Uint32Array(buffer)),
  'shared bytes': () => new Uint8Array(new SharedArrayBuffer(16)),
  'bytes that lie': () => new Bytes(16),
  'an instance with private members': () => new Private(),
  'an instance without a prototype': () => Object.assign(Object.create(null), { role: 'user', content: 'x' }),
  'an object of another realm': () => runInNewContext('({ role: "user", content: [{ type: "text", text: "x" }] })'),
  'a list of another realm': () => runInNewContext('[{ role: "user", content: "x" }, { role: "assistant", content: ["y"] }]'),
  'bytes of another realm': () => runInNewContext('new Uint8Array([91, 93])'),
  'an error of another realm': () => runInNewContext('new Error("prompt is too long")'),
  'a frozen list': () => Object.freeze([Object.freeze({ role: 'user', content: Object.freeze([]) })]),
  'a list with holes': () => [, { role: 'user', content: 'x' }, ,],
  'a list of accessors': accessors,
  'a list that is pushed to': growing,
  'a list of its own class': () => List.from([{ role: 'user', content: 'x' }]),
  'the longest list': () => new Array(2 ** 32 - 1),
  'a list in a list': () => [[[]], [{}]],
  'a circle': cyclic,
  'a list in 100,000 lists': () => DEEP_LIST,
  'an object in 100,000 objects': () => DEEP_OBJECT,
  arguments: function (..._given) {
    return arguments;
  }.bind(null, 1, 2),
  globalThis: () => globalThis,
};
