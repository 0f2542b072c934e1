// What a module of this folder says about its format. Messages are what a caller handed in: nobody has checked them. A format describes
// in an interface of its own what it reads of them, with members that may be anything.

import type { MessagePlan, Plan } from '../generated/plan.js';
import type { Recorder } from '../recorder.js';
import type { Fault } from './common/chat.js';
import type { Sign } from './signs.js';

/** A format: it is read and changed, or only recognized. */
export type Format = LiveFormat | RecognizedFormat;

/** What shows a format. */
interface Signed {
  readonly name: string;
  /** what shows it, the most specific first; one of them is enough */
  readonly signs: readonly Sign[];
  /** what some message must show in addition */
  readonly beside?: Sign;
  /** what no message may show */
  readonly without?: Sign;
  /** the format whose messages this one's lists may consist of, so that only a name tells which it is */
  readonly extends?: string;
  /** when to assume the format if no sign of any format is shown */
  readonly guess?: Guess;
  /** what makes a message none of the format */
  faultOf?(message: unknown): Fault | undefined;
}

export interface Guess {
  readonly words: string;
  readonly shown?: Sign;
  readonly without?: readonly Sign[];
}

/** A format whose messages are read as text only. */
export type RecognizedFormat = Signed & Partial<Record<Exclude<keyof LiveFormat, keyof Signed>, undefined>>;

/** Whether live messages of a format are read and changed. */
export function isLive(format: Format): format is LiveFormat {
  return format.walk !== undefined;
}

/**
 * A format whose live messages are read and changed. What it must remember about the messages so far is its state: plain data in the
 * recorder's `state`.
 */
export interface LiveFormat extends Signed {
  /** records the messages from number `from` on; the earlier ones are already recorded */
  walk(messages: readonly unknown[], recorder: Recorder, from?: number): void;
  /** the first message that must be recorded again: the first `kept` of the `known` recorded messages are unchanged, the rest of `messages` is new. The default is `kept`: messages do not affect earlier ones */
  changedFrom?(messages: readonly unknown[], kept: number, known: number, state: unknown): number;
  /** whether a snapshot of `length` messages can contain this state; without it the format has no state */
  isState?(state: unknown, length: number): boolean;

  /** the message without these outputs; `cleared` returns the replacement of the output for a call's id */
  prune(message: unknown, blocks: readonly number[], cleared: (id: unknown) => string, how: Pruning): unknown;
  /** the message with what stays of outputs that are cut, if that is not written as a placeholder is */
  preview?(message: unknown, blocks: readonly number[], shown: () => string): unknown;
  /** the message without what it still stores of outputs that were pruned before */
  free?(message: unknown, blocks: readonly number[], placeholder: string): unknown;
  /** the message with other members, if its class needs more than a copy */
  rewrite?(message: object, changes: Record<string, unknown>): object;

  /** whether the content of a message is unreadable: it stays where it is */
  isOpaque?(message: unknown): boolean;
  /** whether removing the summarized messages would make the server send omitted ones again */
  readonly returns?: boolean;
  /** the message that replaces the summarized ones, in the same form as the others; all have it but those that {@link append} */
  summary?(summary: SummaryMessage): object;
  /** the messages with a recorded summary appended, for formats that remove nothing */
  append?(messages: readonly unknown[], text: string, plan: Plan, now: number, places: readonly number[]): unknown[];
  /** a summary with these members, as an instance of the class that it had; `undefined` if the messages are no instances */
  instance?(members: Record<string, unknown>, messages: readonly unknown[]): object | undefined;
  /** whether a summary stands in a field, around which the agent itself puts its own words */
  readonly hasSummaryField?: boolean;
  /** the roles that a summary may have; without them, it has that of a user */
  readonly summaryRoles?: readonly string[];
  /** a message with what the model says to a summary in front of a message of the user */
  answer?(text: string): object;
  /** whether the provider demands such an answer; otherwise the caller may want it */
  readonly alternates?: boolean;

  /** what a message has for which a provider may refuse it although its records are sound */
  refusable?(message: unknown): Refusable;
}

/** How outputs are pruned. */
export interface Pruning {
  /** milliseconds since 1970 */
  readonly now: number;
  /** whether outputs that a mark hides from the model are removed, too */
  readonly freeBytes: boolean;
}

/** What a format reads of a plan to write the summary. */
export interface SummarizingPlan extends Pick<Plan, 'tokensBefore'> {
  readonly messages: readonly Pick<MessagePlan, 'fate' | 'parts'>[];
}

/** What a summary is made of. */
export interface SummaryMessage {
  readonly text: string;
  /** the text behind the line that shows that it is a summary */
  readonly marked: string;
  /** how many messages follow it */
  readonly kept: number;
  readonly plan: SummarizingPlan;
  /** milliseconds since 1970 */
  readonly now: number;
  /** the messages, with those that it replaces */
  readonly messages: readonly unknown[];
  readonly role: string;
}

/** How often a message has what a provider may refuse, and what is wrong with its calls: 0 the id, 1 the name, 2 the input. */
export interface Refusable {
  readonly emptyCalls?: number;
  readonly cacheMarks?: number;
  readonly blankTexts?: number;
  readonly calls?: readonly number[];
}
