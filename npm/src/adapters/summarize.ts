import { checkedMethod, checkedSettings, invalid, summaryAnswer } from './common/summary-answer.js';

export { bySize, firstOf } from './common/summary-choice.js';

/** What requests for summaries have by themselves, or cannot have, by any name that a provider gives to it. */
const OWN = ['messages', 'input', 'contents', 'prompt', 'system', 'instructions', 'stream', 'tools', 'signal', 'abortSignal'];

/**
 * A function that asks an AI SDK model for summaries: through `generateText`, or by itself.
 *
 * @param source `generateText`, or a model
 */
export function fromAISDK(source: any, settings: any = {}) {
  if (typeof source === 'function') {
    checkedSettings('fromAISDK(generateText, settings)', settings, OWN);
    return async ({ system, messages, maxTokens }, { signal } = nothing) =>
      answerOfAISDK(await source({ maxOutputTokens: maxTokens, ...settings, system, messages, abortSignal: signal }));
  }
  checkedMethod('fromAISDK', source, 'doGenerate', '`generateText`, or the object of a model');
  checkedSettings('fromAISDK(model, settings)', { model: source, ...settings }, OWN);
  return async ({ system, messages, maxTokens }, { signal } = nothing) => {
    const prompt = [{ role: 'system', content: system }, ...messages.map(inParts)];
    return answerOfAISDK(await source.doGenerate({ maxOutputTokens: maxTokens, ...settings, prompt, abortSignal: signal }));
  };
}

function inParts({ role, content }) {
  return { role, content: [{ type: 'text', text: content }] };
}

function answerOfAISDK({ text, content = [], finishReason, usage }) {
  const reason = finishReason?.unified ?? finishReason;
  const texts = content.filter(({ type }) => type === 'text');
  return summaryAnswer({
    text: text ?? joined(texts),
    truncated: reason === 'length' || reason === 'interrupted',
    calls: reason === 'tool-calls' || content.some(({ type }) => type === 'tool-call'),
    refusal: (reason === 'content-filter' || reason === 'error') && `it ended with ${reason}`,
    usage: [usage?.inputTokens?.total ?? usage?.inputTokens, usage?.outputTokens?.total ?? usage?.outputTokens],
  });
}

/** A function that asks an OpenAI model for summaries, through Chat Completions or Responses. */
export function fromOpenAI(client: any, settings: any) {
  checkedSettings('fromOpenAI(client, settings)', settings, OWN);
  const { api = 'chat', ...params } = settings;
  if (api === 'chat') {
    const { completions } = client?.chat ?? nothing;
    checkedMethod('fromOpenAI', completions, 'create', 'a client of the package `openai`');
    // Servers that are compatible with OpenAI may know the older name only.
    const limit = params.max_tokens === undefined ? (tokens) => ({ max_completion_tokens: tokens }) : () => nothing;
    return async ({ system, messages, maxTokens }, { signal } = nothing) => {
      const body = { ...limit(maxTokens), ...params, messages: [{ role: 'system', content: system }, ...messages] };
      return answerOfChat(await completions.create(body, { signal }));
    };
  }
  if (api !== 'responses') throw invalid("`api` must be 'chat' or 'responses'");
  checkedMethod('fromOpenAI', client?.responses, 'create', 'a client of the package `openai`');
  return async ({ system, messages, maxTokens }, { signal } = nothing) => {
    const body = { max_output_tokens: maxTokens, store: false, ...params, instructions: system, input: messages };
    return answerOfResponses(await client.responses.create(body, { signal }));
  };
}

function answerOfChat({ choices, usage }) {
  const { message, finish_reason: reason } = choices?.[0] ?? nothing;
  return summaryAnswer({
    text: message?.content,
    truncated: reason === 'length',
    calls: message?.tool_calls?.length > 0 || message?.function_call != null,
    refusal: message?.refusal || (reason === 'content_filter' && 'it ended with content_filter'),
    usage: [usage?.prompt_tokens, usage?.completion_tokens],
  });
}

function answerOfResponses({ output = [], status, error, incomplete_details: details, usage }) {
  const parts = output.filter(({ type }) => type === 'message').flatMap(({ content }) => content);
  const texts = parts.filter(({ type }) => type === 'output_text');
  const refused = parts.find(({ type }) => type === 'refusal')?.refusal;
  const reason = status === 'incomplete' ? details?.reason : undefined;
  return summaryAnswer({
    text: joined(texts),
    truncated: status === 'incomplete',
    calls: output.some(({ type }) => type.endsWith('_call')),
    refusal: refused || error?.message || (reason === 'content_filter' && 'it ended with content_filter'),
    usage: [usage?.input_tokens, usage?.output_tokens],
  });
}

/** A function that asks a model of Anthropic for summaries. */
export function fromAnthropic(client: any, settings: any) {
  checkedMethod('fromAnthropic', client?.messages, 'create', 'a client of the package `@anthropic-ai/sdk`');
  checkedSettings('fromAnthropic(client, settings)', settings, OWN);
  return async ({ system, messages, maxTokens }, { signal } = nothing) => {
    const body = { max_tokens: maxTokens, ...settings, system, messages };
    const { content, stop_reason: reason, usage } = await client.messages.create(body, { signal });
    const texts = content.filter(({ type }) => type === 'text');
    return summaryAnswer({
      text: joined(texts),
      truncated: reason === 'max_tokens' || reason === 'model_context_window_exceeded',
      calls: content.some(({ type }) => type.endsWith('tool_use')),
      refusal: reason === 'refusal' && 'it refused to answer',
      usage: [inputOf(usage), usage?.output_tokens],
    });
  };
}

/** All input tokens: this provider counts those of its cache apart. */
function inputOf({ input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: written } = nothing) {
  return input === undefined ? undefined : input + (read ?? 0) + (written ?? 0);
}

/** A function that asks a Gemini model for summaries. */
export function fromGoogle(ai: any, settings: any) {
  checkedMethod('fromGoogle', ai?.models, 'generateContent', 'a client of the package `@google/genai`');
  checkedSettings('fromGoogle(ai, settings)', settings, OWN);
  checkedSettings('fromGoogle(ai, settings)', { ...settings.config, model: settings.model }, ['systemInstruction', ...OWN]);
  return async ({ system, messages, maxTokens }, { signal } = nothing) => {
    const contents = messages.map(({ role, content }) => ({ role: role === 'assistant' ? 'model' : role, parts: [{ text: content }] }));
    const config = { maxOutputTokens: maxTokens, ...settings.config, systemInstruction: system, ...(signal && { abortSignal: signal }) };
    return answerOfGoogle(await ai.models.generateContent({ ...settings, contents, config }));
  };
}

function answerOfGoogle({ candidates = [], promptFeedback, usageMetadata }) {
  const { content, finishReason: reason } = candidates[0] ?? nothing;
  const parts = content?.parts ?? [];
  const texts = parts.filter(({ text, thought }) => text !== undefined && !thought);
  const isEnded = reason === undefined || reason === 'STOP' || reason === 'MAX_TOKENS';
  const blocked = promptFeedback?.blockReason;
  return summaryAnswer({
    text: joined(texts),
    truncated: reason === 'MAX_TOKENS',
    calls: parts.some(({ functionCall }) => functionCall !== undefined),
    refusal: (blocked && `the request was blocked with ${blocked}`) || (!isEnded && `it ended with ${reason}`),
    usage: [usageMetadata?.promptTokenCount, usageMetadata?.candidatesTokenCount],
  });
}

function joined(parts) {
  return parts.map(({ text }) => text).join('');
}

const nothing = Object.freeze({}) as any;
