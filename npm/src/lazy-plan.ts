import type { Plan } from './generated/plan.js';
import { guarded } from './guard.js';
import type { Decision } from './session-options.js';

/**
 * A plan without its messages at first: what happens to each message is worked out when `messages` is first read, and
 * `messages` is a plain member from then on.
 *
 * @param makePlan the whole plan, as JSON
 */
export function lazyPlan(decision: Decision, makePlan: () => string): Plan {
  let make: (() => string) | undefined = guarded(makePlan);
  let messages: Plan['messages'];
  const become = (value: Plan['messages']) => {
    messages = value;
    make = undefined;
    // A plan that the caller has frozen keeps the getter.
    Reflect.defineProperty(plan, 'messages', { value, configurable: true, enumerable: true, writable: true });
  };
  const { schema, profile, verdict, reason, tokensBefore, tokensAfter, fits, summaryAllowance, trigger, prune, retain } = decision;
  const plan = {
    schema,
    profile,
    verdict,
    reason,
    tokensBefore,
    tokensAfter,
    fits,
    summaryAllowance,
    trigger,
    prune,
    retain,
    get messages() {
      if (make !== undefined) become(JSON.parse(make()).messages);
      return messages;
    },
    set messages(value) {
      become(value);
    },
  };
  return plan;
}
