import { crcOfText } from './checksum.js';
import { UNKNOWN } from './decision.js';
import { EbblineError } from './errors.js';

const VERSION = 2;
const MEMBERS = {
  messages: isCount,
  fingerprint: isText,
  policy: isCount,
  force: isFlag,
  knownTokens: isAmount,
  overhead: isAmount,
  idle: isAmount,
  changedAt: isAmountOrMissing,
};

/**
 * What binds a summary to the messages that it was asked for. It can be stored as JSON.
 *
 * @param messages how many messages there were
 * @param fingerprint of these messages
 * @param asked the arguments of the decision
 */
export function handleOf(messages: number, fingerprint: string, asked: any[], policy) {
  const [force, knownTokens, overhead, idle, changedAt] = asked;
  return {
    version: VERSION,
    messages,
    fingerprint,
    policy: crcOfText(policy.json),
    force,
    knownTokens,
    overhead: overhead === UNKNOWN ? null : overhead,
    idle: idle === UNKNOWN ? null : idle,
    ...(changedAt !== UNKNOWN && { changedAt }),
  };
}

/**
 * How many of the first messages a handle is bound to, and the options of the decision that its summary was asked for.
 *
 * @param count how many messages there are now
 * @param fingerprint of the first of them
 */
export function checkHandle(handle: any, count: number, policy, fingerprint: string = handle.fingerprint) {
  if (handle.version !== VERSION) throw refused(`it is of version ${String(handle.version)}, and only version ${VERSION} is read`);
  for (const name in MEMBERS) {
    if (!MEMBERS[name](handle[name])) throw refused(`its member \`${name}\` is damaged`);
  }
  const { messages, force, knownTokens, overhead, idle, changedAt } = handle;
  if (messages > count) throw refused(`the summary was asked for when there were ${messages} messages, and now there are ${count}`);
  if (handle.policy !== crcOfText(policy.json))
    throw refused('the summary was asked for under another policy: pass the same options as for its request');
  if (handle.fingerprint !== fingerprint) throw refused(`the first ${messages} messages are not those that the summary was asked for`);
  const known = { overhead: overhead ?? UNKNOWN, idle: idle ?? UNKNOWN, changedAt: changedAt ?? UNKNOWN };
  return { length: messages, asked: { force, knownTokens, ...known } };
}

function refused(why) {
  return new EbblineError('mismatch', `the handle does not fit: ${why}`);
}

function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0;
}

function isAmount(value) {
  return value === null || (typeof value === 'number' && value >= 0);
}

/** Handles that were stored before usage since a change counted have none. */
function isAmountOrMissing(value) {
  return value === undefined || isAmount(value);
}

function isText(value) {
  return typeof value === 'string';
}

function isFlag(value) {
  return typeof value === 'boolean';
}
