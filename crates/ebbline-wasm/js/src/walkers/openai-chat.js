import { Flag, Kind, Role, Turn } from '../records.js';
import { either, element, elements, hasText, isSummary, soleText, textsOf } from './content.js';

/** OpenAI Chat Completions messages; the counterpart of `format/openai_chat.rs`. */
export const openaiChat = {
  format: 'openai_chat',

  walk(messages, recorder) {
    for (const message of messages) walkMessage(message, recorder);
  },

  prune(message, _blocks, placeholder) {
    return { ...message, content: placeholder };
  },

  summary(text) {
    return { role: 'user', content: `[Compaction summary]\n\n${text}` };
  },
};

function walkMessage(message, recorder) {
  const content = message?.content;
  switch (message?.role) {
    case 'user':
      if (isSummary(content)) recorder.begin(Role.USER, Turn.SYNTHETIC, Flag.SUMMARY);
      else recorder.begin(Role.USER, Turn.PERSON);
      break;
    case 'assistant':
      recorder.begin(Role.ASSISTANT, Turn.NO, hasEnded(message, content) ? Flag.ENDED : Flag.NONE);
      break;
    case 'tool':
    case 'function':
      recorder.begin(Role.TOOL);
      // The whole content of a tool message gives way to the placeholder: block 0 stands for the message.
      recorder.result(message.tool_call_id, message.name, recorder.outputOf(soleText(content)), textsOf(content), 0);
      return;
    case 'system':
    case 'developer':
      recorder.begin(Role.SYSTEM);
      break;
    default:
      recorder.begin(Role.OTHER);
  }
  if (message === null || message === undefined) return;
  walkThinking(message.reasoning_content, message, recorder);
  walkThinking(message.reasoning, message, recorder);
  walkContent(content, recorder);
  if (typeof message.refusal === 'string') recorder.text(Kind.TEXT, message.refusal);
  for (const call of elements(message.tool_calls)) {
    const made = either(call?.function, call?.custom);
    recorder.call(call?.id, made?.name, either(made?.arguments, made?.input));
    // Gemini's compatible endpoint keeps the signature of a call here.
    recorder.sign(call?.extra_content?.google?.thought_signature);
  }
  const made = message.function_call;
  if (made !== undefined && made !== null) recorder.call(undefined, made.name, made.arguments);
}

/** Thinking is a text; what signs or encrypts it stands among the details of the message's reasoning (OpenRouter). */
function walkThinking(thinking, { reasoning_details }, recorder) {
  if (typeof thinking !== 'string') return;
  recorder.text(Kind.THINKING, thinking);
  for (const detail of elements(reasoning_details)) {
    recorder.sign(detail?.signature);
    recorder.sign(detail?.data);
  }
}

/** An answer that calls nothing ends the turn. */
function hasEnded(message, content) {
  const calls = elements(message.tool_calls).length > 0 || (message.function_call ?? null) !== null;
  return !calls && hasText(content);
}

function walkContent(content, recorder) {
  if (typeof content === 'string') return recorder.text(Kind.TEXT, content);
  for (const block of elements(content)) walkBlock(block, recorder);
}

function walkBlock(block, recorder) {
  switch (block?.type) {
    case 'image_url': {
      const image = block.image_url;
      recorder.text(Kind.IMAGE, typeof image?.url === 'string' ? image.url : image);
      break;
    }
    case 'input_audio':
    case 'file':
      recorder.value(Kind.FILE, block);
      break;
    case 'refusal':
      recorder.text(Kind.TEXT, block.refusal);
      break;
    default:
      if (typeof block?.text === 'string') recorder.text(Kind.TEXT, block.text);
      else recorder.value(Kind.OTHER, element(block));
  }
}
