import { LINES, NOTES, TAGS } from './generated/injection.js';

const BLANK = /[ \t\r\n]*/y;
let opens: RegExp | undefined;

/** Whether an agent wrote the whole text in the user's name, `undefined` if it says nothing; the counterpart of the engine's `injection.rs`, which says what counts. */
export function isInjected(text: string): boolean | undefined {
  const at = behindBlanks(text, 0);
  if (at === text.length) return undefined;
  return NOTES.some((note) => text.startsWith(note, at)) || leading(text) === text.length;
}

/** Where the blocks at the beginning end, with the blanks behind them. */
export function leading(text: string): number {
  let end = 0;
  for (let at = endOfBlock(text, behindBlanks(text, 0)); at !== -1; at = endOfBlock(text, end)) {
    end = behindBlanks(text, at);
    const line = LINES.some((begin) => text.startsWith(begin, end)) ? text.indexOf('\n', end) : end;
    if (line !== end) end = line === -1 ? text.length : behindBlanks(text, line);
  }
  return end;
}

function behindBlanks(text: string, at: number): number {
  BLANK.lastIndex = at;
  BLANK.test(text);
  return BLANK.lastIndex;
}

/** Where the block ends that begins at `at`; -1 if there is none. */
function endOfBlock(text: string, at: number): number {
  if (text[at] !== '<') return -1;
  opens ??= new RegExp(`<(${TAGS.join('|')})(?=[> \\n])[^>]*>`, 'y');
  opens.lastIndex = at;
  const name = opens.exec(text)?.[1];
  if (name === undefined) return -1;
  const close = `</${name}>`;
  for (let found = text.indexOf(close, opens.lastIndex); found !== -1; found = text.indexOf(close, found + close.length)) {
    const end = found + close.length;
    if (end === text.length || '\n\r<'.includes(text[end])) return end;
  }
  return -1;
}
