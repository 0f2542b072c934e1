// Gemini generateContent on the side of the provider: its rules, its errors, and its stream.
import { halves } from './anthropic.mjs';
import { Findings, isObject } from './findings.mjs';

export const path = '/v1beta/models/scripted:streamGenerateContent';
const PART = ['text', 'thought', 'thoughtSignature', 'functionCall', 'functionResponse'];

/** What the provider would refuse the request for. */
export function violations(body, memory) {
  const found = new Findings();
  found.members(body, ['contents', 'systemInstruction', 'tools', 'generationConfig'], 'request');
  const { contents = [] } = body;
  if (!found.check(contents.length > 0, '* GenerateContentRequest.contents: contents is not specified')) return found.list;
  contents.forEach((content, at) => checkContent(found, content, `contents[${at}]`));
  if (found.list.length > 0) return found.list;
  found.check(contents[0].role === 'user', 'Please ensure that multiturn requests start with a user role');
  found.check(contents.at(-1).role === 'user', 'Please ensure that multiturn requests end with a user role or a function response');
  checkPairs(found, contents);
  checkSignatures(found, contents, memory);
  return found.list;
}

function checkContent(found, content, where) {
  if (!found.members(content, ['role', 'parts'], where)) return;
  found.check(['user', 'model'].includes(content.role), 'Please use a valid role: user, model.');
  if (!found.check(content.parts?.length > 0, `${where}.parts: must not be empty`)) return;
  content.parts.forEach((part, at) => {
    const place = `${where}.parts[${at}]`;
    found.members(part, PART, place);
    const data = ['text', 'functionCall', 'functionResponse'].filter((name) => part[name] !== undefined);
    found.check(data.length === 1, `${place}.data: required oneof field 'data' must have one initialized field`);
    if (part.text !== undefined) found.words(part.text, place);
    if (part.functionCall) found.members(part.functionCall, ['id', 'name', 'args'], place);
    if (part.functionResponse) found.members(part.functionResponse, ['id', 'name', 'response'], place);
    if (part.functionResponse) found.check(isObject(part.functionResponse.response), `${place}.response: must be an object`);
  });
}

const callsOf = (content) => (content?.parts ?? []).flatMap(({ functionCall }) => (functionCall ? [functionCall] : []));
const responsesOf = (content) => (content?.parts ?? []).flatMap(({ functionResponse }) => (functionResponse ? [functionResponse] : []));

function checkPairs(found, contents) {
  contents.forEach((content, at) => {
    const [calls, responses] = [callsOf(content), responsesOf(content)];
    if (calls.length > 0) {
      const text = 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
      found.check(content.role === 'model' && contents[at - 1]?.role === 'user', text);
      found.check(responsesOf(contents[at + 1]).length > 0, `contents[${at}]: the function calls have no function response turn`);
    }
    if (responses.length === 0) return;
    const asked = callsOf(contents[at - 1]);
    found.check(asked.length > 0, 'Please ensure that function response turn comes immediately after a function call turn.');
    const text =
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    const named = (list) => list.map(({ id, name }) => `${id ?? ''} ${name}`).toSorted();
    found.check(content.role === 'user' && JSON.stringify(named(asked)) === JSON.stringify(named(responses)), text);
  });
}

/** In the running turn, each step's first call has its signature; a signature elsewhere is as it was given. */
function checkSignatures(found, contents, memory) {
  const asked = contents.findLastIndex(({ role, parts }) => role === 'user' && parts.some(({ text }) => text !== undefined));
  contents.forEach((content, at) => {
    for (const { thoughtSignature, ...rest } of content.parts) {
      if (thoughtSignature !== undefined) found.check(memory.isSigned(thoughtSignature, rest), 'Thought signature is not valid.');
    }
    const first = content.parts.find(({ functionCall }) => functionCall);
    if (at < asked || first === undefined) return;
    const text = `Function call \`default_api:${first.functionCall.name}\` in the ${at}. content block is missing a \`thought_signature\`.`;
    found.check(first.thoughtSignature !== undefined, text);
  });
}

export function refusal(message, status = 400, name = 'INVALID_ARGUMENT') {
  return { status, body: { error: { code: status, message, status: name } } };
}

export function overflow({ tokens, limit }) {
  return refusal(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`);
}

export function failure({ pick }) {
  const [status, name, message] = pick([
    [429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
    [
      500,
      'INTERNAL',
      'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
    ],
    [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  ]);
  return refusal(message, status, name);
}

export const counted = ({ systemInstruction, tools, contents }) => [systemInstruction ?? '', ...(tools ?? []), ...contents];

/** The answer as the provider streams it. Sessions of older models have calls without ids. */
export function* stream({ thinking, text, calls, usage, isCut, hasIds }, memory) {
  const { input, cached, output } = usage;
  const usageMetadata = { promptTokenCount: input, cachedContentTokenCount: cached, candidatesTokenCount: output };
  const event = (parts, rest = {}) =>
    `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts }, index: 0, ...rest }], usageMetadata })}\r\n\r\n`;
  const signed = (part) => ({ ...part, thoughtSignature: memory.sign(part) });
  if (thinking !== undefined) yield event([{ text: thinking, thought: true }]);
  if (text !== undefined) for (const piece of halves(text)) if (piece.trim() !== '') yield event([{ text: piece }]);
  const parts = calls.map(({ name, args }) => ({ functionCall: { ...(hasIds && { id: memory.id('fc') }), name, args } }));
  if (parts.length > 0) yield event(parts.map((part, at) => (at === 0 ? signed(part) : part)));
  yield event([], { finishReason: isCut ? 'MAX_TOKENS' : 'STOP' });
}
