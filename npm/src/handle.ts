import { crcOfText } from './checksum.js';
import { type Asked, UNKNOWN } from './decision.js';
import { EbblineError } from './errors.js';
import { isCount } from './values.js';

const VERSION = 2;

/**
 * What binds a summary to the messages that it was asked for: pass it to {@link compact} or {@link Session.apply} together with
 * the summary. It is plain data, which may be stored as JSON; what is in it is of no version's promise.
 */
export interface SummaryHandle {
  readonly '~ebbline': 'SummaryHandle';
}

/** What is in a handle. */
interface Binding {
  version: number;
  /** How many messages there were. */
  messages: number;
  fingerprint: string;
  /** The checksum of the policy. */
  policy: number;
  force: boolean;
  knownTokens: number;
  overhead: number | null;
  idle: number | null;
  changedAt?: number | null;
}

/** Its members, and whether their values are sound. */
const MEMBERS: [name: Exclude<keyof Binding, 'version'>, isSound: (value: unknown) => boolean][] = [
  ['messages', isCount],
  ['fingerprint', (value) => typeof value === 'string'],
  ['policy', isCount],
  ['force', (value) => typeof value === 'boolean'],
  ['knownTokens', isAmount],
  ['overhead', isAmount],
  ['idle', isAmount],
  // Handles that were stored before usage since a change counted have none.
  ['changedAt', (value) => value === undefined || isAmount(value)],
];

/**
 * What binds a summary to the messages that it was asked for. It can be stored as JSON.
 *
 * @param messages how many messages there were
 * @param fingerprint of these messages
 * @param asked the arguments of the decision
 * @internal
 */
export function handleOf(messages: number, fingerprint: string, asked: Asked, policy: { json: string }): SummaryHandle {
  const [force, knownTokens, overhead, idle, changedAt] = asked;
  const binding: Binding = {
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
  // To callers it says nothing.
  return binding as object as SummaryHandle;
}

/**
 * How many of the first messages a handle is bound to, and the options of the decision that its summary was asked for.
 *
 * @param count how many messages there are now
 * @param fingerprint of the first of them
 * @internal
 */
export function checkHandle(handle: SummaryHandle, count: number, policy: { json: string }, fingerprint?: string) {
  // Whether it is one is what the members say.
  const binding = handle as object as Binding;
  const wanted = fingerprint ?? binding.fingerprint;
  if (binding.version !== VERSION) throw refused(`it is of version ${String(binding.version)}, and only version ${VERSION} is read`);
  for (const [name, isSound] of MEMBERS) {
    if (!isSound(binding[name])) throw refused(`its member \`${name}\` is damaged`);
  }
  const { messages, force, knownTokens, overhead, idle, changedAt } = binding;
  if (messages > count) throw refused(`the summary was asked for when there were ${messages} messages, and now there are ${count}`);
  if (binding.policy !== crcOfText(policy.json))
    throw refused('the summary was asked for under another policy: pass the same options as for its request');
  if (binding.fingerprint !== wanted) throw refused(`the first ${messages} messages are not those that the summary was asked for`);
  const known = { overhead: overhead ?? UNKNOWN, idle: idle ?? UNKNOWN, changedAt: changedAt ?? UNKNOWN };
  return { length: messages, asked: { force, knownTokens, ...known } };
}

function refused(why: string) {
  return new EbblineError('mismatch', `the handle does not fit: ${why}`);
}

/** What is not known is `null`. */
function isAmount(value: unknown) {
  return value === null || (typeof value === 'number' && value >= 0);
}
