// classifyError: every thrown value is classified or gets the kind `other`; no content of an error can make the function fail.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ebbline } from './package.mjs';

const { EbblineError, classifyError, profiles } = ebbline;

class APICallError extends Error {
  name = 'AI_APICallError';

  constructor(message, members) {
    super(message);
    Object.assign(this, members);
  }
}

/** Thrown values, their meaning, and where it was found. @type {Record<string, [unknown, string, string | undefined]>} */
const THROWN = {
  'a text': ['prompt is too long: 213462 tokens > 200000 maximum', 'context_overflow', ''],
  'an error': [new Error('Your input exceeds the context window of this model.'), 'context_overflow', 'message'],
  'an error of the OpenAI client': [
    Object.assign(new Error('400 too much'), { status: 400, code: 'context_length_exceeded', error: { message: 'too much' } }),
    'context_overflow',
    'code',
  ],
  'an error of the Anthropic client': [
    Object.assign(new Error('413 {"type":"error"}'), { status: 413, error: { error: { type: 'request_too_large' } } }),
    'payload_too_large',
    'message',
  ],
  'an error of the AI SDK': [
    new APICallError('Bad Request', { statusCode: 400, responseBody: '{"error":{"code":"context_too_large"}}' }),
    'context_overflow',
    'responseBody.error.code',
  ],
  'the last of several attempts': [
    Object.assign(new Error('Failed after 2 attempts.'), {
      errors: [new APICallError('Too Many Requests', { statusCode: 429 })],
      lastError: new APICallError('context size has been exceeded', { statusCode: 500 }),
    }),
    'context_overflow',
    'lastError.message',
  ],
  'a cause': [
    new Error('request failed', { cause: new Error('Input is too long for requested model.') }),
    'context_overflow',
    'cause.message',
  ],
  'several errors': [new AggregateError([new Error('maximum context length is 8192 tokens')]), 'context_overflow', 'errors.0.message'],
  'a body of bytes': [{ status: 400, body: new TextEncoder().encode('prompt too long') }, 'context_overflow', 'body'],
  'a response': [new Response(null, { status: 413 }), 'payload_too_large', 'status'],
  'an axios error': [
    { response: { status: 400, data: { error: { message: 'Too many tokens' } } } },
    'context_overflow',
    'response.data.error.message',
  ],
  'a rate limit about tokens': [
    Object.assign(new Error('Rate limit reached on tokens per min (TPM)'), { status: 429 }),
    'rate_limit',
    'status',
  ],
  throttling: [{ name: 'ThrottlingException', message: 'Too many tokens, please wait' }, 'rate_limit', 'name'],
  'a limit of images': [new Error('number exceeds the limit of 10 images'), 'media_limit', 'message'],
  'a bad request without a body': [new APICallError('Bad Request', { statusCode: 400 }), 'other', undefined],
  nothing: [undefined, 'other', undefined],
  null: [null, 'other', undefined],
  'a number': [400, 'other', undefined],
  'a symbol': [Symbol('prompt is too long'), 'other', undefined],
};

for (const [what, [thrown, kind, at]] of Object.entries(THROWN)) {
  test(`${what} is ${kind}`, () => {
    const { evidence, ...rest } = classifyError(thrown);
    assert.deepEqual(rest, { kind, recoverableLength: false });
    assert.equal(evidence?.at, at);
  });
}

test('errors that hold themselves, or throw when they are looked at, do no harm', () => {
  const circle = new Error('x');
  circle.cause = { error: circle, errors: [circle] };
  assert.equal(classifyError(circle).kind, 'other');
  const broken = {
    get message() {
      throw new Error('no');
    },
    error: 'prompt is too long',
  };
  assert.equal(classifyError(broken).kind, 'context_overflow');
  const hostile = new Proxy(
    {},
    {
      get() {
        throw new Error('no');
      },
    },
  );
  assert.equal(classifyError(hostile).kind, 'other');
  let deep = /** @type {any} */ ({ message: 'prompt is too long' });
  for (let level = 0; level < 10_000; level += 1) deep = { cause: deep };
  assert.equal(classifyError(deep).kind, 'other');
  assert.equal(classifyError(`\ud800 prompt is too long ${'x'.repeat(1_000_000)}`).kind, 'context_overflow');
});

/** Errors that could keep a reader busy forever, or break it. */
const ENDLESS = {
  'a getter that makes new errors for ever': () => {
    const make = () => ({
      get cause() {
        return make();
      },
      get error() {
        return make();
      },
      get errors() {
        return [make(), make()];
      },
      get data() {
        return make();
      },
    });
    return make();
  },
  'a proxy that is everything': () => {
    const make = () => new Proxy({}, { get: make });
    return make();
  },
  'a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  'a revoked list': () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return { errors: proxy, cause: proxy };
  },
  'traps that throw': () =>
    new Proxy(new Error('x'), {
      get() {
        throw 1;
      },
      getPrototypeOf() {
        throw 2;
      },
      has() {
        throw 3;
      },
      ownKeys() {
        throw 4;
      },
    }),
  'a list that lies about its length': () => ({ errors: new Proxy([], { get: (list, key) => (key === 'length' ? 2 ** 53 : list[key]) }) }),
  'a list of a symbol’s length': () => ({ errors: new Proxy([], { get: (list, key) => (key === 'length' ? Symbol('x') : list[key]) }) }),
  'a list of its own class': () => {
    class Odd extends /** @type {any} */ (Array) {
      get length() {
        throw 1;
      }
      map() {
        throw 2;
      }
      slice() {
        throw 3;
      }
      [Symbol.iterator]() {
        throw 4;
      }
      static get [Symbol.species]() {
        throw 5;
      }
    }
    return {
      errors: Odd.from([new Error('x')]),
      body: new (class extends Uint8Array {
        // @ts-expect-error it lies: a buffer is no number
        get buffer() {
          return 1e9;
        }
      })(4),
    };
  },
  'bytes that are gone': () => {
    const bytes = new Uint8Array(16);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    return { body: bytes, data: bytes.buffer, cause: new DataView(new ArrayBuffer(8)) };
  },
  'ten million members': () => new Array(10_000_000).fill('x'),
  'ten million members of an object': () => {
    let reads = 0;
    return new Proxy(
      {},
      {
        get: (_, name) => ((reads += 1) < 10_000_000 ? { [name]: reads } : undefined),
        ownKeys: () => {
          throw 1;
        },
      },
    );
  },
  'a text of 100 million characters': () => ({ message: 'x'.repeat(100_000_000), body: 'y'.repeat(100_000_000) }),
  'a thousand long texts': () => ({
    errors: Array.from({ length: 64 }, () => ({
      message: 'x'.repeat(60_000),
      body: 'y'.repeat(60_000),
      errors: Array(64).fill('z'.repeat(60_000)),
    })),
  }),
  'a huge BigInt': () => ({ code: 10n ** 100_000n, status: Object(1n) }),
  'things that are no errors': () => [Symbol('x'), () => 'x', new Map(), new WeakSet(), 5n],
};

for (const [what, make] of Object.entries(ENDLESS)) {
  test(`${what}: there is an end, and an answer`, () => {
    let reads = 0;
    assert.equal(classifyError(make()).kind, 'other');
    // Outer members are read, whatever is beside them.
    const outer = Object.defineProperty(new Error('prompt is too long'), 'cause', {
      get() {
        reads += 1;
        return make();
      },
    });
    assert.equal(classifyError(outer).kind, 'context_overflow');
    assert.equal(reads, 1);
  });
}

test('a bounded number of members is read', () => {
  let reads = 0;
  const make = () =>
    new Proxy(
      {},
      {
        get() {
          reads += 1;
          return make();
        },
      },
    );
  classifyError(make());
  assert.ok(reads > 1000 && reads <= 20_000, String(reads));
});

test('of a long text, both ends are looked at', () => {
  const padding = 'x'.repeat(1_000_000);
  for (const text of [`prompt is too long ${padding}`, `${padding} prompt is too long`]) {
    for (const thrown of [text, new Error(text), { body: new TextEncoder().encode(text) }])
      assert.equal(classifyError(thrown).kind, 'context_overflow');
  }
});

test('the provider and the window decide where words are missing', () => {
  const bare = new APICallError('Bad Request', { statusCode: 400 });
  assert.equal(classifyError(bare, { provider: 'cerebras' }).kind, 'context_overflow');
  const answer = { role: 'assistant', stopReason: 'length', usage: { input: 990, output: 0, cacheRead: 0, cacheWrite: 0 } };
  const { kind, evidence, recoverableLength } = classifyError(answer, { contextWindow: 1000, desiredMaxOutput: 64 });
  assert.deepEqual([kind, evidence.sign, recoverableLength], ['context_overflow', 'usage', true]);
  assert.equal(classifyError(answer).kind, 'other');
});

test('a profile decides by the rules of its system', () => {
  const images = new Error('number exceeds the limit of 10 images');
  for (const profile of ['pi@0.58', 'pi@1.5', 'opencode@2026-06']) {
    assert.equal(classifyError(images, { profile }).kind, 'context_overflow', profile);
  }
  for (const profile of ['tunacode@0.2', 'opencode@2026-01']) {
    assert.equal(classifyError(images, { profile }).kind, 'other', profile);
  }
  for (const profile of ['ebbline@1', undefined]) assert.equal(classifyError(images, { profile }).kind, 'media_limit', profile);
  for (const { name } of profiles()) assert.equal(classifyError('socket hang up', { profile: name }).kind, 'other', name);
});

test('options that do not exist are refused', () => {
  const cases = [
    [{ profil: 'pi@1.5' }, 'invalid_option'],
    [{ contextWindow: '9' }, 'invalid_option'],
    [{ profile: 'pi@9' }, 'unknown_profile'],
  ];
  for (const [options, code] of cases) {
    assert.throws(
      () => classifyError('x', options),
      (/** @type {any} */ error) => error instanceof EbblineError && error.code === code,
    );
  }
});
