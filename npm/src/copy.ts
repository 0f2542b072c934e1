import { EbblineError } from './errors.js';
import { type Members } from './values.js';

type Descriptors = Record<string, PropertyDescriptor>;

/** An object that may define its own JSON. */
interface Written {
  readonly [name: string]: unknown;
  readonly toJSON?: () => unknown;
}

/** A class whose source matches this has private members, which only its own code can read. */
const PRIVATE = /\.\s*#[\p{ID_Start}$_]/u;
/** For each class, whether it has private members. */
const known = new WeakMap<Function, boolean>();

/**
 * A copy of an object, of the same class, with all its members and with `changes`. An object with private state that
 * cannot be copied is refused.
 */
export function withMembers<Copied extends object>(object: Copied, changes: Record<string, unknown>): Copied {
  const prototype: object | null = Object.getPrototypeOf(object);
  if (prototype === Object.prototype) return { ...object, ...changes };
  const members: Descriptors = Object.getOwnPropertyDescriptors<Members>(object as Members);
  const inherited: [string, unknown][] = [];
  for (const [name, value] of Object.entries(changes)) {
    // An accessor of the class may read another member of the instance.
    const isOwn = Object.hasOwn(object, name) || !isAccessor(prototype, name);
    const holder = isOwn ? name : holderOf(object as Members, members, name);
    if (holder === undefined) {
      inherited.push([name, value]);
      continue;
    }
    const { enumerable = true, configurable = true, writable = true } = members[holder] ?? {};
    members[holder] = { value, enumerable, configurable, writable };
  }
  const copy: Copied = Object.create(prototype, members);
  for (const [name, value] of inherited) set(copy, name, value, object);
  refuseBroken(object as Written, copy as Written, changes, prototype);
  return copy;
}

/** A copy of a list, of the same class, that may be changed. */
export function copyOfList<Element>(list: readonly Element[]): Element[] {
  const copy = Array.from({ length: list.length }, (_, at) => list[at]);
  const prototype = Object.getPrototypeOf(list);
  return prototype === Array.prototype ? copy : Object.setPrototypeOf(copy, prototype);
}

/** The member in which an instance stores the value that its accessor `name` returns. */
function holderOf(object: Members, members: Descriptors, name: string): string | undefined {
  const shown = object[name];
  const names = Object.keys(members).filter((own) => 'value' in members[own] && members[own].value === shown);
  return shown !== undefined && names.length === 1 ? names[0] : undefined;
}

function isAccessor(prototype: object | null, name: string): boolean {
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at)) {
    const member = Object.getOwnPropertyDescriptor(at, name);
    if (member !== undefined) return member.get !== undefined || member.set !== undefined;
  }
  return false;
}

function set(copy: object, name: string, value: unknown, object: object): void {
  try {
    (copy as Record<string, unknown>)[name] = value;
  } catch (error) {
    throw refusal(object, error);
  }
}

/** Throws unless the copy has the changed values and works like the object. */
function refuseBroken(object: Written, copy: Written, changes: Record<string, unknown>, prototype: object | null): void {
  try {
    for (const [name, value] of Object.entries(changes)) if (copy[name] !== value) throw new TypeError(`${name} stays as it is`);
  } catch (error) {
    throw refusal(object, error);
  }
  for (let at = prototype; at !== null && Object.getPrototypeOf(at) !== null; at = Object.getPrototypeOf(at)) {
    if (hasPrivateNames(at.constructor)) throw refusal(object);
    for (const name of Reflect.ownKeys(at)) {
      const { get } = Object.getOwnPropertyDescriptor(at, name) ?? {};
      if (get !== undefined && !Object.hasOwn(changes, name))
        tryBoth(
          object,
          () => get.call(object),
          () => get.call(copy),
        );
    }
  }
  if (typeof object.toJSON === 'function')
    tryBoth(
      object,
      () => object.toJSON!(),
      () => copy.toJSON!(),
    );
}

/** Whatever works on the object must work on its copy. */
function tryBoth(object: object, onObject: () => unknown, onCopy: () => unknown): void {
  try {
    onObject();
  } catch {
    return;
  }
  try {
    onCopy();
  } catch (error) {
    throw refusal(object, error);
  }
}

function hasPrivateNames(type: unknown): boolean {
  if (typeof type !== 'function') return false;
  let found = known.get(type);
  if (found === undefined) {
    found = PRIVATE.test(Function.prototype.toString.call(type));
    known.set(type, found);
  }
  return found;
}

function refusal(object: object, cause?: unknown): EbblineError {
  const name: unknown = Object.getPrototypeOf(object)?.constructor?.name;
  const what = typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an instance of a class';
  const instead = 'pass plain objects, or turn off what would change it (`prune.enabled: false`)';
  const error = new EbblineError('cannot_copy', `${what} would be changed, but has private state that cannot be copied: ${instead}`);
  if (cause !== undefined) error.cause = cause;
  return error;
}
