// classifyError: whatever is thrown is understood or left alone; nothing it holds can break the question.

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

/** What is thrown, what it means, where that was found. */
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
  'a cause': [new Error('request failed', { cause: new Error('Input is too long for requested model.') }), 'context_overflow', 'cause.message'],
  'several errors': [new AggregateError([new Error('maximum context length is 8192 tokens')]), 'context_overflow', 'errors.0.message'],
  'a body of bytes': [{ status: 400, body: new TextEncoder().encode('prompt too long') }, 'context_overflow', 'body'],
  'a response': [new Response(null, { status: 413 }), 'payload_too_large', 'status'],
  'an axios error': [{ response: { status: 400, data: { error: { message: 'Too many tokens' } } } }, 'context_overflow', 'response.data.error.message'],
  'a rate limit about tokens': [Object.assign(new Error('Rate limit reached on tokens per min (TPM)'), { status: 429 }), 'rate_limit', 'status'],
  'throttling': [{ name: 'ThrottlingException', message: 'Too many tokens, please wait' }, 'rate_limit', 'name'],
  'a limit of images': [new Error('number exceeds the limit of 10 images'), 'other', undefined],
  'a bad request without a body': [new APICallError('Bad Request', { statusCode: 400 }), 'other', undefined],
  'nothing': [undefined, 'other', undefined],
  'null': [null, 'other', undefined],
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
  const broken = { get message() { throw new Error('no'); }, error: 'prompt is too long' };
  assert.equal(classifyError(broken).kind, 'context_overflow');
  const hostile = new Proxy({}, { get() { throw new Error('no'); } });
  assert.equal(classifyError(hostile).kind, 'other');
  let deep = { message: 'prompt is too long' };
  for (let level = 0; level < 10_000; level += 1) deep = { cause: deep };
  assert.equal(classifyError(deep).kind, 'other');
  assert.equal(classifyError(`\ud800 prompt is too long ${'x'.repeat(1_000_000)}`).kind, 'context_overflow');
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
  for (const profile of ['ebbline@1', 'tunacode@0.2', 'opencode@2026-01', undefined]) {
    assert.equal(classifyError(images, { profile }).kind, 'other', profile);
  }
  for (const { name } of profiles()) assert.equal(classifyError('socket hang up', { profile: name }).kind, 'other', name);
});

test('options that do not exist are refused', () => {
  const cases = [
    [{ profil: 'pi@1.5' }, 'invalid_option'],
    [{ contextWindow: '9' }, 'invalid_option'],
    [{ profile: 'pi@9' }, 'unknown_profile'],
  ];
  for (const [options, code] of cases) {
    assert.throws(() => classifyError('x', options), (error) => error instanceof EbblineError && error.code === code);
  }
});
