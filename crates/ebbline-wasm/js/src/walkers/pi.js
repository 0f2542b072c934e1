import { Flag, Kind, Output, Role, Turn } from '../records.js';
import { element, elements, soleText, textOrTexts } from './content.js';
import { usageOf } from './usage.js';

/** pi's messages; the counterpart of the list reader in `format/pi.rs`. */
export const pi = {
  format: 'pi',

  walk(messages, recorder, from = 0) {
    for (let at = from; at < messages.length; at += 1) {
      const message = messages[at];
      recorder.enter(message);
      walkMessage(message, recorder);
    }
  },

  prune(message, _blocks, placeholder) {
    return { ...message, content: [{ type: 'text', text: placeholder }] };
  },

  summary(text, plan, now) {
    return { role: 'compactionSummary', summary: text, tokensBefore: plan.tokensBefore, timestamp: now };
  },
};

function walkMessage(message, recorder) {
  const content = message?.content;
  switch (message?.role) {
    case 'user':
      recorder.begin(Role.USER, Turn.PERSON);
      break;
    case 'assistant':
      recorder.begin(Role.ASSISTANT, Turn.NO, (message.stopReason ?? null) === null ? Flag.NONE : Flag.ENDED, reported(message));
      break;
    case 'toolResult':
      recorder.begin(Role.TOOL);
      return walkResult(message, content, recorder);
    case 'bashExecution':
      // The user ran a command; the model reads it unless it was excluded.
      recorder.begin(Role.USER, Turn.SYNTHETIC, message.excludeFromContext ? Flag.INACTIVE : Flag.NONE);
      recorder.text(Kind.TEXT, message.command);
      return recorder.text(Kind.TEXT, message.output);
    case 'compactionSummary':
    case 'branchSummary':
      recorder.begin(Role.USER, Turn.SYNTHETIC, Flag.SUMMARY);
      return recorder.text(Kind.SUMMARY, message.summary);
    case 'custom':
    case 'hookMessage':
      recorder.begin(Role.USER, Turn.SYNTHETIC);
      break;
    case 'system':
      recorder.begin(Role.SYSTEM);
      break;
    default:
      recorder.begin(Role.OTHER);
  }
  if (typeof content === 'string') recorder.text(Kind.TEXT, content);
  for (const block of elements(content)) walkBlock(block, recorder);
}

/** What was reported with a failed or aborted answer says nothing about the context. */
function reported({ stopReason, usage }) {
  if (stopReason === 'error' || stopReason === 'aborted') return 0;
  return usageOf(usage?.totalTokens, usage?.input, usage?.output, usage?.cacheRead, usage?.cacheWrite);
}

function walkBlock(block, recorder) {
  switch (block?.type) {
    case 'text':
      recorder.text(Kind.TEXT, block.text);
      return recorder.sign(block.textSignature);
    case 'thinking':
      recorder.text(Kind.THINKING, block.thinking);
      return recorder.sign(block.thinkingSignature);
    case 'image':
      return recorder.media(Kind.IMAGE, block.data);
    case 'toolCall':
      recorder.call(block.id, block.name, block.arguments);
      recorder.stringified(block.arguments);
      return recorder.sign(block.thoughtSignature);
    default:
      return recorder.value(Kind.OTHER, element(block));
  }
}

function walkResult(message, content, recorder) {
  const output = message.isError ? Output.ERROR : recorder.outputOf(soleText(content));
  const call = recorder.result(message.toolCallId, message.toolName, output, textOrTexts(content), 0);
  for (const block of elements(content)) {
    if (block?.type === 'image') recorder.media(Kind.IMAGE, block.data, call);
  }
}
