import { isObject } from './chat.js';
import { elements, isSaid } from './content.js';

const WORD = /^[\w-]*$/;

/** How many texts of a message say nothing, `inResults` among them: those in a result may not even be empty. */
export function blankTexts({ content }, resultIn) {
  let count = Number(isBlank(content));
  for (const block of elements(content)) {
    if (block?.type === undefined || block.type === 'text') count += Number(isBlank(block?.text));
    for (const inner of elements(resultIn(block)?.content)) count += Number(typeof inner?.text === 'string' && !isSaid(inner.text));
  }
  return count;
}

function isBlank(text) {
  return typeof text === 'string' && text !== '' && !isSaid(text);
}

/** What is wrong with the calls of a message: the id is 0, the name 1, the input 2. @returns */
export function refusedCalls({ content }, callIn): number[] {
  return elements(content).flatMap((block) => {
    const call = callIn(block);
    if (call === undefined) return [];
    const isWrong = [isNoWord(call.id), isNoWord(call.name), !isObject(call.input)];
    return isWrong.flatMap((wrong, rule) => (wrong ? [rule] : []));
  });
}

function isNoWord(text) {
  return typeof text === 'string' && !WORD.test(text);
}
