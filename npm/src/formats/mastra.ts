import { copyOfList, withMembers } from '../copy.js';
import { EbblineError } from '../errors.js';
import { hasJson } from '../meter.js';
import { Flag, Kind, Output, Role, Turn, wellFormed } from '../recorder.js';
import { elements, isSaid, someFrom } from './common/content.js';
import { itemOf, signatureOf } from './common/provider-metadata.js';
import { clearedAs, saidIn } from './common/structure.js';
import { mediaKind, mediaOf, walkResult } from './vercel-model.js';

/** The text that the model gets for a call that the user refused without a reason. */
const DENIED = 'Tool call was not approved by the user';
/** The parts that are sent. */
const SENT = new Set(['text', 'reasoning', 'file', 'tool-invocation']);
/** The parts beside which the text of `content.content` is sent, too. */
const BESIDE = new Set(['reasoning', 'file', 'source', 'source-document', 'data-tool-call-suspended', 'data-tool-call-approval']);
const OF_SUMMARY = 'compaction-';

/** Messages of a Mastra store; the counterpart of `format/mastra/`. */
export const mastra = {
  name: 'mastra',
  signs: [{ words: 'content with format and parts', holds: ({ format, parts }) => format !== undefined && parts !== undefined }],

  walk(messages, recorder, from = 0) {
    refuseOthers(messages, from);
    for (let at = from; at < messages.length; at += 1) {
      recorder.enter(messages[at]);
      walkMessage(messages[at], recorder);
    }
  },

  prune(message, blocks, clear, { freeBytes }) {
    const { content } = message;
    const changes = {};
    const parts = elements(content.parts);
    // Blocks behind the parts are invocations beside them.
    const inParts = blocks.filter((at) => at < parts.length);
    const beside = blocks.filter((at) => at >= parts.length).map((at) => at - parts.length);
    if (inParts.length > 0) {
      changes.parts = copyOfList(parts);
      for (const at of inParts) changes.parts[at] = prunePart(parts[at], clear, freeBytes);
    }
    if (freeBytes && Array.isArray(content.toolInvocations)) beside.push(...copiesOf(content, inParts));
    if (beside.length > 0) {
      changes.toolInvocations = copyOfList(content.toolInvocations);
      for (const at of beside) changes.toolInvocations[at] = pruneInvocation(content.toolInvocations[at], clear);
    }
    return withMembers(message, { content: withMembers(content, changes) });
  },

  // A list of Mastra's sorts its messages by time, and its stores keep them by id and thread: the summary has those of the first
  // message that it replaces. An earlier summary gives its id on.
  summary({ marked, plan, messages }) {
    const replaced = messages[plan.messages.findIndex(({ fate }) => fate === 'summarized')];
    const { id, createdAt, threadId, resourceId } = replaced ?? {};
    const own = typeof id === 'string' && id !== '' ? id : String(plan.messages.length);
    const summary = { id: own.startsWith(OF_SUMMARY) ? own : `${OF_SUMMARY}${own}`, role: 'user' };
    for (const [name, value] of Object.entries({ createdAt, threadId, resourceId })) if (hasJson(value)) summary[name] = value;
    return { ...summary, content: { format: 2, parts: [{ type: 'text', text: marked }] } };
  },
};

/** Refuses messages of the model beside those of a store: their calls would be read as nothing. */
function refuseOthers(messages, from) {
  for (let at = from; at < messages.length; at += 1) {
    if (!Array.isArray(messages[at]?.content)) continue;
    throw new EbblineError('invalid_message', `message ${at} has a list as its content, unlike the messages of a Mastra store beside it`);
  }
}

function prunePart(part, clear, freeBytes) {
  const { toolInvocation } = part;
  if (!isTold(part)) return withMembers(part, { toolInvocation: pruneInvocation(toolInvocation, clear) });
  const { providerMetadata } = part;
  const modelOutput = { type: 'text', value: clear(toolInvocation.toolCallId) };
  const mastraData = withMembers(providerMetadata.mastra, { modelOutput });
  const changes = { providerMetadata: withMembers(providerMetadata, { mastra: mastraData }) };
  if (freeBytes && hasJson(toolInvocation.result)) changes.toolInvocation = pruneInvocation(toolInvocation, clear);
  return withMembers(part, changes);
}

function pruneInvocation(invocation, clear) {
  const text = clear(invocation.toolCallId);
  const { state, errorText, result } = invocation;
  return withMembers(
    invocation,
    state === 'output-error' ? { errorText: clearedAs(errorText, text) } : { result: clearedAs(result, text) },
  );
}

/** The copies of invocations in the parts that are stored beside them. */
function copiesOf({ parts, toolInvocations }, blocks) {
  const ids = new Set(blocks.map((at) => idOf(parts[at].toolInvocation)));
  ids.delete(undefined);
  const isCopy = (invocation) => ids.has(idOf(invocation)) && hasJson(invocation.result);
  return [...toolInvocations.keys()].filter((at) => isCopy(toolInvocations[at]));
}

function idOf(invocation) {
  const id = invocation?.toolCallId;
  return typeof id === 'string' ? wellFormed(id) : undefined;
}

function walkMessage(message, recorder) {
  const content = contentOf(message);
  const { role } = message ?? {};
  switch (role) {
    case 'system':
      recorder.begin(Role.SYSTEM);
      return walkSaid(content, recorder);
    case 'user':
      recorder.begin(Role.USER, Turn.PERSON);
      recorder.checkSummary(firstText(content));
      return walkSaid(content, recorder);
    case 'signal':
      // What the application or the user says while the agent works; the model gets it as a message of the user.
      recorder.begin(Role.USER, isUsers(message, content) ? Turn.PERSON : Turn.CONTEXT);
      return walkSaid(content, recorder);
    case 'assistant':
      recorder.begin(Role.ASSISTANT, Turn.NO, hasEnded(content) ? Flag.ENDED : Flag.NONE);
      return walkAnswer(content, recorder);
    default:
      recorder.begin(Role.OTHER);
      walkAnswer(content, recorder);
  }
}

/** The content of a message; older ones have a text. */
function contentOf(message) {
  const content = message?.content ?? undefined;
  return typeof content === 'object' && !Array.isArray(content) ? content : { content };
}

function firstText({ parts, content }) {
  const text = elements(parts)[0]?.text;
  return typeof text === 'string' ? text : content;
}

function isUsers({ type }, { metadata }) {
  const told = metadata?.signal?.type;
  const kind = typeof told === 'string' ? told : type;
  return kind === 'user' || kind === 'user-message';
}

/** Whether the answer ends with text; after calls, another step would follow. */
function hasEnded(content) {
  if (isBare(content)) return isSaid(content.content);
  const last = elements(content.parts).findLast((part) => SENT.has(part?.type));
  return last?.type === 'text' && isSaid(last.text);
}

/** Whether the text beside the parts is sent: whether no part but calls, thinking and files is there. */
function isBare({ parts }) {
  return !someFrom(elements(parts), 0, (part) => typeof part === 'object' && part !== null && !isBeside(part.type));
}

function isBeside(type) {
  return BESIDE.has(type) || (typeof type === 'string' && type.startsWith('tool-'));
}

/** A message of the system consists of its texts, one of the user of its texts and files. */
function walkSaid(content, recorder) {
  walkFilesBeside(content, recorder);
  for (const part of elements(content.parts)) if (part?.type === 'text' || part?.type === 'file') walkPart(part, undefined, recorder);
  walkTextBeside(content, recorder);
}

function walkAnswer(content, recorder) {
  const parts = elements(content.parts);
  if (!someFrom(parts, 0, (part) => part?.type === 'tool-invocation')) {
    elements(content.toolInvocations).forEach((invocation, at) => walkInvocation(invocation, {}, parts.length + at, recorder));
  }
  const thinks = someFrom(parts, 0, (part) => part?.type === 'reasoning');
  if (!thinks && typeof content.reasoning === 'string' && content.reasoning !== '') recorder.text(Kind.THINKING, content.reasoning);
  walkFilesBeside(content, recorder);
  parts.forEach((part, at) => walkPart(part, at, recorder));
  walkTextBeside(content, recorder);
}

function walkFilesBeside({ parts, experimental_attachments }, recorder) {
  if (someFrom(elements(parts), 0, (part) => part?.type === 'file')) return;
  for (const file of elements(experimental_attachments)) recorder.data(mediaKind(file), mediaOf(file), 0, file);
}

function walkTextBeside(content, recorder) {
  if (!isBare(content)) return;
  if (typeof content.content === 'string') recorder.text(Kind.TEXT, content.content);
}

function walkPart(part, at, recorder) {
  const metadata = part?.providerMetadata;
  switch (part?.type) {
    case 'text':
      recorder.text(Kind.TEXT, part.text);
      return recorder.sign(signatureOf(metadata));
    case 'file':
      recorder.data(mediaKind(part), mediaOf(part), 0, part);
      if (typeof part.filename === 'string') recorder.says(part.filename);
      return undefined;
    case 'reasoning':
      return walkReasoning(part, recorder);
    case 'tool-invocation':
      return walkInvocation(part.toolInvocation, part, at, recorder);
  }
  // Sources, data, errors and step markers are not sent.
  return undefined;
}

/** Thinking: its text, or those of its details; what the provider signed or encrypted belongs to the last. */
function walkReasoning(part, recorder) {
  const details = elements(part.details);
  const said = typeof part.reasoning === 'string' && part.reasoning !== '' ? [part.reasoning] : textsOf(details);
  if (said.length === 0) recorder.text(Kind.THINKING, undefined);
  for (const text of said) recorder.text(Kind.THINKING, text);
  recorder.sign(signatureOf(part.providerMetadata));
  recorder.sign(itemOf(part.providerMetadata));
  for (const detail of details) {
    recorder.sign(detail?.signature);
    recorder.sign(detail?.data);
  }
}

function textsOf(details) {
  return details.map((detail) => detail?.text).filter((text) => typeof text === 'string' && text !== '');
}

/** Call and result in one. While its arguments are being streamed, it is neither. */
function walkInvocation(invocation, part, at, recorder) {
  const { state, toolCallId: id, toolName: name, args, rawInput, result, errorText, isError, approval } = invocation ?? {};
  if (state === 'partial-call') return;
  recorder.call(id, name, args ?? rawInput ?? undefined);
  recorder.sign(signatureOf(part.providerMetadata));
  const byProvider = Boolean(part.providerExecuted);
  if (state === 'result') {
    if (isTold(part)) walkResult({ toolCallId: id, toolName: name, output: toldIn(part) }, at, false, recorder);
    else addResult(id, name, result, Boolean(isError), byProvider ? undefined : at, recorder);
  } else if (state === 'output-error') {
    addResult(id, name, errorText, true, byProvider ? undefined : at, recorder);
  } else if (state === 'output-denied') {
    // The model gets the refusal instead of a result. It is short, and its text is the user's.
    const reason = approval?.reason;
    const isReason = typeof reason === 'string';
    recorder.resultOf(id, name, Output.SEALED, isReason ? reason : DENIED);
    if (!isReason) recorder.says();
  }
}

/** Adds a result. The provider's own output is sent back unchanged. */
function addResult(id, name, whole, hasFailed, at, recorder) {
  const value = saidIn(whole);
  const output = at === undefined ? Output.SEALED : recorder.outputOf(value, id, hasFailed);
  recorder.resultOf(id, name, output, value, at);
  if (typeof value !== 'string') recorder.setNativeLength(value);
}

/** Whether the tool said what the model gets in the place of its result. */
function isTold(part) {
  return part.toolInvocation?.state === 'result' && !part.providerExecuted && (toldIn(part) ?? undefined) !== undefined;
}

function toldIn(part) {
  return part.providerMetadata?.mastra?.modelOutput;
}
