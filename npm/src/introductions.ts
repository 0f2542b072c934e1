import type { CompactorOptions } from './compactor-options.js';
import * as core from './core.js';
import { engineMemory } from './engine.js';
import { EbblineError } from './errors.js';
import { formatCalled } from './formats/table.js';
import type { SummaryIntroduction } from './growing-session.js';
import { splitAtLead } from './references.js';

/** The role that a summary has in every format without a field for it. */
const USER = 'user';
const BREAK = '\n\n';

/**
 * Sentences that tell a model what a summary is: ebbline's own, and those of agents, word for word. An agent of this name is what a model
 * may have been trained with.
 */
export const introductions = Object.freeze({
  default: 'A summary of the conversation so far. The work goes on from there.',
  claude_code:
    'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.',
  codex:
    'Another language model started to solve this problem and produced a summary of its thinking process. You also have access to the state of the tools that were used by that language model. Use this to build on the work that has already been done and avoid duplicating work. Here is the summary produced by the other language model, use the information in this summary to assist with your own analysis:',
  pi: 'The conversation history before this point was compacted into the following summary:',
});

/**
 * What a summary is introduced with, whose words it is, and whether the model answers it: the option as the caller gave it, with what is
 * left out.
 *
 * @internal
 */
export function introductionOf(given: CompactorOptions['introduction'] = introductions.default): SummaryIntroduction {
  const { text = introductions.default, role = USER, answer = false } = typeof given === 'string' ? { text: given } : given;
  return { text, role, answer };
}

/**
 * Refuses what a summary cannot have in a format, its role or an answer, as soon as the format is known.
 *
 * @internal
 */
export function checkIntroduction({ role, answer }: Omit<SummaryIntroduction, 'text'>, name: string | undefined): void {
  const format = name === undefined ? undefined : formatCalled(name);
  if (format === undefined) return;
  if (answer && format.answer === undefined) {
    throw new EbblineError('invalid_option', `a summary in the format ${name} cannot have an answer: leave \`introduction.answer\` out`);
  }
  const { summaryRoles = [USER] } = format;
  if (role === USER || summaryRoles.includes(role)) return;
  const known = summaryRoles.map((one) => `"${one}"`).join(', ');
  throw new EbblineError('invalid_option', `a summary in the format ${name} cannot have the role "${role}"; it may have ${known}`);
}

/**
 * Whether a summary shows nothing, and therefore counts as empty.
 *
 * @internal
 */
export function isBlank(summary: string): boolean {
  engineMemory();
  // An unpaired surrogate is passed as U+FFFD, which is visible.
  return core.isBlank(summary);
}

/**
 * A summary behind its introduction. What says nothing is not introduced.
 *
 * @internal
 */
export function introduced(summary: string, introduction: string, format: string): string {
  if (isBlank(introduction) || isBlank(summary) || formatCalled(format)?.hasSummaryField) return summary;
  return `${introduction}${BREAK}${summary}`;
}

/**
 * The text of a message without what introduces a summary in it: the next summarizer would take it for a part of the summary, so that
 * there would be one more each round. Introductions of other agents and of ebbline go as well, in case the option was changed.
 *
 * @param introduction what summaries are introduced with; `undefined` if nobody introduces them
 * @internal
 */
export function withoutIntroduction(text: string, introduction: string | undefined): string {
  const split = introduction === undefined ? undefined : splitAtLead(text);
  if (split === undefined) return text;
  const { lead, rest } = split;
  const found = [introduction, ...Object.values(introductions)].find((known) => known !== '' && rest.startsWith(`${known}${BREAK}`));
  return found === undefined ? text : `${lead}${rest.slice(found.length + BREAK.length)}`;
}
