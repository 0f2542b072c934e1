import type { Plan } from './generated/plan.js';
import type { CompactOptions, PlanOptions, SummaryRequestOptions } from './plan-options.js';

export interface SessionOptions extends PlanOptions {
  /**
   * Which known messages {@link Session.sync} compares with the list: the last one (`"last"`, at no cost), or every one
   * (`"all"`), which also notices a change in the middle that leaves the last message in place.
   */
  verify?: 'last' | 'all' | undefined;
}

/** Options of one decision of a {@link Session}; an option that is left out has the value that it had in the constructor. */
export type DecisionOptions = Pick<PlanOptions, 'force' | 'knownTokens' | 'overhead' | 'idle'>;

export type ApplyOptions = DecisionOptions & Pick<CompactOptions, 'summary' | 'handle' | 'now' | 'freeBytes'>;

export type RequestOptions = DecisionOptions & Pick<SummaryRequestOptions, 'focus' | 'notes' | 'budgetTokens'>;

/** A plan without its `messages`. */
export type Decision = {
  readonly [K in keyof Omit<Plan, 'messages'>]: Plan[K] extends object ? Readonly<Plan[K]> : Plan[K];
};
