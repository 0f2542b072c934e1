import { guarded } from './guard.js';

/**
 * A plan of which only the whole is known: what becomes of each message is asked for when somebody wants to know, and
 * `messages` is a plain member from then on.
 *
 * @param {import('../types/plan.js').Decision} decision
 * @param {() => string} makePlan the whole plan, as JSON
 * @returns {import('../types/plan.js').Plan}
 */
export function planned(decision, makePlan) {
  let make = guarded(makePlan);
  let messages;
  const become = (value) => {
    messages = value;
    make = undefined;
    // A plan that its owner has frozen keeps the getter.
    Reflect.defineProperty(plan, 'messages', { value, configurable: true, enumerable: true, writable: true });
  };
  const { schema, profile, verdict, reason, tokensBefore, tokensAfter, fits, summaryAllowance, trigger, prune, retain } = decision;
  const plan = {
    schema, profile, verdict, reason, tokensBefore, tokensAfter, fits, summaryAllowance, trigger, prune, retain,
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
