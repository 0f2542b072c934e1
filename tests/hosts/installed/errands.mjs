// A model that does what the newest message of its user says, whichever session that is of: it knows nothing but the request.
import { CALLS, askedIn, isFlush, noteOf, said, summaryOf } from './story.mjs';

const ERRAND = /\[(read|spawn|send) ([^\]]+)\]/g;

/** What the user says to have the notes of a turn read, in this session or by a sub-agent. */
export const read = (turn) => `${askedIn(turn)} [read ${turn}]`;
export const spawn = (turn, how) => `[spawn ${turn} ${JSON.stringify(how)}] Let a sub-agent read the notes.`;
export const send = (turn, key) => `[send ${turn} ${key}] Ask the sub-agent for more notes.`;

const textOf = ({ content }) => (typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n'));

export const errands = {
  summary: (body) => summaryOf(body),
  answer(body) {
    const { messages } = body;
    if (isFlush(body)) return { text: 'NO_REPLY', calls: [] };
    const isAsked = (message) => message.role === 'user' && !textOf(message).includes('INTERNAL_CONTEXT');
    const newest = messages.findLastIndex(isAsked);
    // After an overflow, OpenClaw asks to go on.
    const goesOn = textOf(messages[newest]).includes('Continue from the current state');
    const at = messages.findLastIndex((message, place) => isAsked(message) && (place < newest || !goesOn));
    const [, errand, words] = [...textOf(messages[at]).matchAll(ERRAND)].at(-1) ?? [];
    if (errand === undefined) return { text: 'NO_REPLY', calls: [] };
    const [turn, how] = words.split(' ');
    const done = messages.slice(at).filter(({ role }) => role === 'tool').length;
    if (errand === 'read') {
      if (done >= CALLS) return { text: `The notes of turn ${turn} are read.`, calls: [] };
      return { text: said(turn, done + 1), calls: [{ name: 'read', args: { path: noteOf(turn, done + 1) } }] };
    }
    if (done > 0) return { text: `It is asked to read the notes of turn ${turn}.`, calls: [] };
    const call =
      errand === 'send'
        ? { id: 'sessions_send', args: { sessionKey: how, message: read(turn), timeoutSeconds: 60 } }
        : { id: 'sessions_spawn', args: { task: read(turn), label: `notes ${turn}`, ...JSON.parse(how) } };
    return { calls: [{ name: 'tool_call', args: call }] };
  },
};
