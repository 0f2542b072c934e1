// What is wrong with a request.

export class Findings {
  /** @type {string[]} */
  list = [];

  /** Notes `text` unless `holds`. Returns whether it holds. */
  check(holds, text) {
    if (!holds) this.list.push(text);
    return Boolean(holds);
  }

  /** Providers refuse members that they do not know. */
  members(object, known, where) {
    if (!this.check(isObject(object), `${where}: must be an object`)) return false;
    for (const key of Object.keys(object)) this.check(known.includes(key), `${where}.${key}: Extra inputs are not permitted`);
    return true;
  }

  /** A text with at least one character that is no white space. */
  words(value, where) {
    return this.check(typeof value === 'string' && value.trim() !== '', `${where}: text must be non-empty`);
  }

  none(ids, text) {
    const list = [...ids];
    this.check(list.length === 0, `${text}: ${list.join(', ')}`);
  }
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is called must be called once. */
export function repeated(ids) {
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}

/** Whether a text is a JSON object, as the arguments of a call are. */
export function isJsonObject(text) {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
