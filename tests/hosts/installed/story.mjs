// What happens in an installed agent: turns in which the user states a fact and the model reads files, and what may go wrong meanwhile.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const TURNS = 30;
export const CALLS = 10;

/** A reference behind a cleared output. */
const REF = /\[ref ([a-z]{8})\]/;
const FACT = /The code of house \d+ is [A-Z]{2}-\d{4}\./g;

export const factOf = (turn) =>
  `The code of house ${turn} is ${'ABCDEFGHJK'[turn % 10]}${'LMNPQRSTUV'[(turn * 7) % 10]}-${1000 + ((turn * 7919) % 9000)}.`;
export const noteOf = (turn, call) => `notes/turn-${turn}-${call}.txt`;
const contentOf = (turn, call) =>
  Array.from(
    { length: 30 },
    (_, at) => `${at}: room ${turn * 100 + call} shelf ${(at * 7919 + turn) % 997} holds the box ${(turn * 131 + call * 17 + at) % 9973}.`,
  ).join('\n');

/** Writes the files that are read. */
export function furnish(workspace) {
  mkdirSync(join(workspace, 'notes'), { recursive: true });
  for (let turn = 1; turn <= TURNS; turn += 1)
    for (let call = 1; call <= CALLS; call += 1) writeFileSync(join(workspace, noteOf(turn, call)), contentOf(turn, call));
}

export const said = (turn, call) =>
  `I read note ${call} of turn ${turn} next, because the rooms of the note before it did not have the shelf that was asked for. `
    .repeat(3)
    .trim();

/** What the user says in a turn. */
export const askedIn = (turn) => `${factOf(turn)} Read the ten notes of turn ${turn} and say when it is done.`;

/** The model of the story. */
export class Story {
  turn = 0;
  call = 0;
  /** What came of the recall: the output that was there, or why there was none. */
  recalled = undefined;
  #recall;
  #pending;

  /** @param {{ recall: number, argument?: string }} how in which turn an output is recalled, and how the tool calls the path of a file */
  constructor({ recall, argument = 'path' }) {
    this.#recall = recall;
    this.argument = argument;
  }

  begin(turn) {
    this.turn = turn;
    this.call = 0;
  }

  answer = (body) => {
    if (isFlush(body)) return { text: 'NO_REPLY', calls: [] };
    if (this.#pending !== undefined) {
      const { content = '' } = body.messages.findLast(({ role }) => role === 'tool') ?? {};
      this.recalled = { ref: this.#pending, isWhole: / shelf \d+ holds the box /.test(content) && content.split('\n').length >= 30 };
      this.#pending = undefined;
    }
    if (this.turn === this.#recall && this.recalled === undefined) {
      const [, ref] = REF.exec(JSON.stringify(body.messages)) ?? [];
      if (ref !== undefined) {
        this.#pending = ref;
        return { calls: [{ name: 'recall_output', args: { ref } }] };
      }
    }
    this.call += 1;
    if (this.call > CALLS) return { text: `The notes of turn ${this.turn} are read.`, calls: [] };
    return { text: said(this.turn, this.call), calls: [{ name: 'read', args: { [this.argument]: noteOf(this.turn, this.call) } }] };
  };

  summary = (body) => summaryOf(body, this.turn);
}

/** A summary that has every fact of the request, under the headings that it asks for. */
export function summaryOf({ messages }, turn = TURNS) {
  const facts = factsIn(messages).map((fact) => `- ${fact}`);
  const asked = textOf(messages).split('</conversation>').at(-1) ?? '';
  const headings = [...new Set(asked.match(/^#{2} \S.*$/gm) ?? ['## Goal', '## Facts'])];
  const [, pending] = /Latest unresolved user request[^\n]*\n<untrusted-text>\n([^]*?)\n<\/untrusted-text>/.exec(asked) ?? [];
  const told = (heading, at) => {
    if (heading.includes('Pending') && pending !== undefined) return `- ${pending}`;
    return at === headings.length - 1 ? facts.join('\n') : `- The notes up to turn ${turn} were read.`;
  };
  return headings.map((heading, at) => `${heading}\n${told(heading, at)}`).join('\n\n');
}

/** Whether OpenClaw lets the model write down what it wants to keep, before it compacts: a request of its own, with less room. */
export function isFlush({ messages }) {
  const isAsked = ({ role, content }) => role === 'user' && !JSON.stringify(content).includes('INTERNAL_CONTEXT');
  return JSON.stringify(messages.findLast(isAsked))?.includes('memory flush') === true;
}

function textOf(messages) {
  return messages.map(({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'))).join('\n');
}

/** The facts that stand in messages. */
export function factsIn(messages) {
  return [...new Set(JSON.stringify(messages).match(FACT))];
}
