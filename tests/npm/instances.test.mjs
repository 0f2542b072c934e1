// A message that is an instance of a class stays one when it is changed, or is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { EbblineError, Session, compact } = ebbline;

const PRUNE = {
  set: {
    'prune.reference': false,
    'prune.protect': 0,
    'prune.minimum': 1,
    'prune.onlyWhenFull': false,
    'prune.downTo': 0,
    'prune.preview': 0,
    'prune.protectedTurns': 0,
    'retain.enabled': false,
  },
};
const CLEARED = '[Old tool result content cleared]';

/** @type {any} */
const Plain = class {
  constructor(members) {
    Object.assign(this, members);
  }
  get summary() {
    const { role, content } = /** @type {any} */ (this);
    return `${role}: ${content}`;
  }
};

/** What compilers make of declared members: accessors. */
class Backed {
  constructor({ content, ...members }) {
    Object.assign(this, members);
    this._content = content;
  }
  get content() {
    return this._content;
  }
  set content(value) {
    this._content = value;
  }
  /** @this {any} */
  toJSON() {
    return { role: this.role, tool_call_id: this.tool_call_id, content: this._content };
  }
}

class Secret {
  #content;
  constructor({ content, ...members }) {
    Object.assign(this, members);
    this.#content = content;
  }
  get content() {
    return this.#content;
  }
  shout() {
    return this.#content.toUpperCase();
  }
}

class OnlyAMethod {
  #key = 'k';
  constructor(members) {
    Object.assign(this, members);
  }
  sign() {
    return this.#key;
  }
}

const hidden = new WeakMap();

/** What compilers make of private members for older engines. */
class Weak {
  constructor({ content, ...members }) {
    Object.assign(this, members);
    hidden.set(this, content);
  }
  get content() {
    return hidden.get(this).valueOf();
  }
}

const CALL = { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }] };
const RESULT = { role: 'tool', tool_call_id: 'c', content: 'x'.repeat(400) };

function session(make) {
  return [{ role: 'user', content: 'go' }, CALL, make(RESULT), { role: 'user', content: 'on' }];
}

for (const Class of [Plain, Backed]) {
  test(`an instance of ${Class.name} stays one`, () => {
    const messages = session((members) => new Class(members));
    const { messages: next } = compact(messages, PRUNE);
    const [was, is] = [messages[2], next[2]];
    assert.ok(is instanceof Class && is !== was);
    assert.deepEqual([is.content, was.content], [CLEARED, RESULT.content]);
    assert.deepEqual(JSON.parse(JSON.stringify(is)), { ...RESULT, content: CLEARED });
    assert.equal(Object.getPrototypeOf(is), Class.prototype);
    if (is instanceof Plain) assert.equal(is.summary, `tool: ${CLEARED}`);
    const growing = new Session(PRUNE);
    growing.push(messages);
    assert.ok(growing.apply().messages[2] instanceof Class);
  });
}

for (const Class of [Secret, OnlyAMethod, Weak]) {
  test(`an instance of ${Class.name}, which nobody can copy, is refused`, () => {
    const messages = session((members) => new Class(members));
    const refused = (error) => error instanceof EbblineError && error.code === 'cannot_copy' && error.message.includes(Class.name);
    assert.throws(() => compact(messages, PRUNE), refused);
    const growing = new Session(PRUNE);
    growing.push(messages);
    assert.throws(() => growing.apply(), refused);
    assert.deepEqual(growing.messages, messages);
    // An unchanged message is not copied.
    assert.equal(compact(messages, { set: { 'prune.enabled': false } }).messages[2], messages[2]);
  });
}

test('frozen instances, members without enumeration and blocks of classes are copied as they are', () => {
  const symbol = Symbol('mark');
  const message = new Plain(RESULT);
  Object.defineProperty(message, 'quiet', { value: 7 });
  message[symbol] = 8;
  const [, , is] = compact(
    session(() => Object.freeze(message)),
    PRUNE,
  ).messages;
  assert.ok(is instanceof Plain);
  assert.deepEqual([is.quiet, is[symbol], Object.keys(is).includes('quiet')], [7, 8, false]);

  const block = new Plain({ type: 'tool_result', tool_use_id: 'c', content: 'x'.repeat(400) });
  const list = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'read', input: {} }] },
    new Plain({ role: 'user', content: [block] }),
    { role: 'user', content: 'on' },
  ];
  const pruned = compact(list, PRUNE).messages[2];
  assert.ok(pruned instanceof Plain && pruned.content[0] instanceof Plain);
  assert.equal(pruned.content[0].content, CLEARED);
  const bare = compact(
    session((members) => Object.assign(Object.create(null), members)),
    PRUNE,
  ).messages[2];
  assert.deepEqual([Object.getPrototypeOf(bare), bare.content], [null, CLEARED]);
});
