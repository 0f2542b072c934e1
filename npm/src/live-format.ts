// Which format an array of live messages has.

import { formatNamed } from './catalog.js';
import type { Detection } from './session-report.js';
import { EbblineError } from './errors.js';
import { type Format, type LiveFormat, isLive } from './formats/format.js';
import { refuse, refuseForeign } from './formats/refuse.js';
import { LOOKED_AT } from './formats/signs.js';
import { OF_NOTHING, type Shown, formatCalled, looker, shownBy, signOf } from './formats/table.js';

/** Why messages are assumed to have a format: a sign was found, it is a guess, there are no messages, or the caller named it. */
type Basis = Shown['basis'] | 'nothing' | 'name';

/** A format that messages are assumed to have, and why. */
interface Assumed {
  readonly format: Format;
  readonly basis: Basis;
}

/** The format of messages that can be walked, and why it is assumed. */
export interface Found extends Assumed {
  readonly format: LiveFormat;
}

/** A format as the catalog names it. */
type Named = ReturnType<typeof formatNamed>;

/**
 * The format of an array of live messages.
 *
 * @param wanted the required format
 */
export function formatOf(messages: readonly unknown[], wanted?: string): Found {
  const found = formatShown(messages, looker.over(messages, 0, messages.length), wanted);
  // Only what was asked for by name may be read although it is of another shape.
  if (wanted === undefined) refuseForeign(messages, found.format);
  return found;
}

/**
 * The format of an array of live messages.
 *
 * @param seen what `looker` saw in it
 * @param wanted the required format
 */
export function formatShown(messages: readonly unknown[], seen: number, wanted?: string): Found {
  const named = wanted === undefined ? undefined : formatNamed(wanted);
  refuseContainer(messages);
  const shown = messages.length === 0 ? undefined : shownBy(seen);
  const found = named === undefined ? (shown ?? ofNothing(messages)) : asWanted(named, shown, messages);
  const { format, basis } = found;
  if (isLive(format)) return { format, basis };
  // What is not even of a format that is read as text is not read as text either.
  if (wanted === undefined) refuseForeign(messages, format);
  throw unsupported(formatNamed(format.name), messages, found);
}

/** Which format an array of live messages has. */
export function detectLive(messages: readonly unknown[]): Detection {
  refuseContainer(messages);
  if (messages.length === 0) refuse(messages);
  const seen = looker.over(messages, 0, messages.length);
  const found = shownBy(seen) ?? refuse(messages);
  refuseForeign(messages, found.format);
  const { format, title } = formatNamed(found.format.name);
  return { format, title, supported: isLive(found.format), evidence: evidenceOf(messages, found, title) };
}

/** An empty array is a session that has not begun. Its format does not matter, because there is nothing to do. */
function ofNothing(messages: readonly unknown[]): Assumed {
  return messages.length === 0 ? { format: OF_NOTHING, basis: 'nothing' } : refuse(messages);
}

function asWanted(named: Named, shown: Shown | undefined, messages: readonly unknown[]): Assumed {
  if (shown !== undefined && shown.format.name === named.format) return shown;
  const format: Format = formatCalled(named.format) ?? { name: named.format, signs: [] };
  if (shown?.basis === 'sign' && shown.format.name !== format.extends) {
    const { title } = formatNamed(shown.format.name);
    throw new EbblineError('wrong_format', `${named.title} was asked for, but this is ${title}: ${evidenceOf(messages, shown, title)}`);
  }
  return { format, basis: 'name' };
}

/**
 * Why messages are assumed to have a format, in words: its sign, and how many messages were examined.
 *
 * @param title of the format
 */
export function evidenceOf(messages: readonly unknown[], { format, basis }: Assumed, title: string): string {
  if (basis === 'nothing') return 'an empty array';
  if (basis === 'name') return `${title}, as asked for`;
  const looked = Math.min(messages.length, LOOKED_AT);
  const first = messages.length > looked ? 'the first ' : '';
  const sign = basis === 'sign' ? signOf(format, messages) : format.guess?.words;
  return `${first}${looked} ${looked === 1 ? 'message' : 'messages'} in an array: ${sign}`;
}

function unsupported({ title }: Named, messages: readonly unknown[], found: Assumed): EbblineError {
  const looks = `this looks like ${title} (${evidenceOf(messages, found, title)})`;
  return new EbblineError('unsupported_format', `${looks}, which is read as text only: pass JSON.stringify(messages)`);
}

/** Refuses an array of conversations (`format/container.rs`): a caller who has it in memory can pass the intended one. */
function refuseContainer(messages: readonly unknown[]): void {
  const key = conversationKey(messages[0]);
  if (key === undefined || !messages.every((element) => conversationKey(element) !== undefined)) return;
  const conversations = messages.length === 1 ? '1 conversation is' : `${messages.length} conversations are`;
  throw new EbblineError('no_messages', `${conversations} no session: pass the array of one, as in plan(tasks[0].${key})`);
}

/** What is read of an element to tell whether it contains a conversation. */
interface Container {
  readonly traj?: unknown;
  readonly messages?: unknown;
  readonly role?: unknown;
  readonly values?: { readonly messages?: unknown } | null;
  readonly instance_id?: unknown;
  readonly issue?: unknown;
  readonly history?: unknown;
}

/** The member of a container's element that contains its conversation. */
function conversationKey(element: unknown): string | undefined {
  if (typeof element !== 'object' || element === null) return undefined;
  const holder: Container = element;
  if (Array.isArray(holder.traj)) return 'traj';
  if (Array.isArray(holder.messages) && holder.role === undefined) return 'messages';
  if (Array.isArray(holder.values?.messages)) return 'values.messages';
  const isResult = holder.instance_id !== undefined || holder.issue !== undefined;
  return holder.history !== undefined && isResult ? 'history' : undefined;
}
