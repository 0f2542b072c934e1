// The same job as a plan in plain JavaScript, over pi's messages: a lower bound for any engine.
//
// The job: the size of the context, the protection boundary (the newest 40,000 tokens of tool output and the newest two
// turns are protected; pruning must free at least 20,000), the retention window (newest 20,000 tokens, never beginning
// at a result), and whether summarizing fires.

const PROTECT = 40_000;
const MINIMUM = 20_000;
const SPARED_TURNS = 2;
const KEEP = 20_000;
const THRESHOLD = 200_000 - 32_000;

const USER = 0;
const ASSISTANT = 1;
const RESULT = 2;

/** F0: OpenCode's scan for outputs to prune, and nothing else; from the newest message to the oldest. */
export function scanForPrune(messages) {
  let turns = 0;
  let total = 0;
  let pruned = 0;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message.role === 'user') turns += 1;
    if (turns < SPARED_TURNS || message.role !== 'toolResult') continue;
    const tokens = Math.round(textOf(message.content) / 4);
    total += tokens;
    if (total > PROTECT) pruned += tokens;
  }
  return pruned > MINIMUM ? pruned : 0;
}

/** F1: the whole job from scratch in the obvious way: arguments of tool calls are stringified to be measured. */
export function decideFromScratch(messages) {
  const tokens = new Array(messages.length);
  const kinds = new Array(messages.length);
  for (let at = 0; at < messages.length; at += 1) {
    kinds[at] = kindOf(messages[at]);
    tokens[at] = Math.ceil(lengthOf(messages[at], written) / 4);
  }
  return decide(tokens, kinds, messages.length);
}

/**
 * Design d2: a short pass that packs kinds and lengths into words, then the whole job over the words. The length of
 * arguments is added up without stringifying them.
 */
export function decidePacked(messages) {
  const count = messages.length;
  if (words.length < count) words = new Uint32Array(count * 2);
  for (let at = 0; at < count; at += 1) {
    const message = messages[at];
    words[at] = (kindOf(message) << 28) | Math.ceil(lengthOf(message, structural) / 4);
  }
  return decideWords(count);
}

/** The same over messages of the AI SDK. */
export function decidePackedAi(messages) {
  const count = messages.length;
  if (words.length < count) words = new Uint32Array(count * 2);
  for (let at = 0; at < count; at += 1) {
    const { role, content } = messages[at];
    let length = 0;
    for (const part of content) {
      if (part.type === 'text' || part.type === 'reasoning') length += part.text.length;
      else if (part.type === 'tool-call') length += part.toolName.length + structural(part.input);
      else if (part.type === 'tool-result') length += part.output.value.length;
    }
    const kind = role === 'user' ? USER : role === 'assistant' ? ASSISTANT : RESULT;
    words[at] = (kind << 28) | Math.ceil(length / 4);
  }
  return decideWords(count);
}

/** F3s, design e2 in plain JavaScript: adds new messages to prefix sums and finds the boundaries by binary search. */
export class RunningSums {
  constructor() {
    this.sums = [0];
    this.results = [];
    this.resultSums = [0];
    this.turns = [];
    this.cuts = [];
  }

  push(messages) {
    for (const message of messages) {
      const at = this.sums.length - 1;
      const kind = kindOf(message);
      const tokens = Math.ceil(lengthOf(message, structural) / 4);
      this.sums.push(this.sums[at] + tokens);
      if (kind === USER) this.turns.push(at);
      if (kind !== RESULT) {
        this.cuts.push(at);
        continue;
      }
      this.results.push(at);
      this.resultSums.push(this.resultSums[this.results.length - 1] + tokens);
    }
  }

  check() {
    const { sums, results, resultSums, turns, cuts } = this;
    const total = sums[sums.length - 1];
    const spared = turns[turns.length - SPARED_TURNS] ?? 0;
    const open = firstAt(results, spared);
    const pruned = resultSums[firstAt(resultSums, resultSums[open] - PROTECT)];
    const from = Math.max(firstAt(sums, total - KEEP + 1) - 1, 0);
    const cut = cuts[firstAt(cuts, from)] ?? sums.length - 1;
    return { total, fires: total > THRESHOLD, pruned: pruned > MINIMUM ? pruned : 0, cut };
  }

  truncate(count) {
    this.sums.length = count + 1;
    this.results.length = firstAt(this.results, count);
    this.resultSums.length = this.results.length + 1;
    this.turns.length = firstAt(this.turns, count);
    this.cuts.length = firstAt(this.cuts, count);
  }
}

/** The index of the first figure in an ascending list that is at least `bound`. */
function firstAt(list, bound) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

let words = new Uint32Array(1 << 12);

function decideWords(count) {
  const packed = words;
  let total = 0;
  for (let at = 0; at < count; at += 1) total += packed[at] & 0xfff_ffff;
  return backwards(
    count,
    total,
    (at) => packed[at] >>> 28,
    (at) => packed[at] & 0xfff_ffff,
  );
}

function decide(tokens, kinds, count) {
  let total = 0;
  for (let at = 0; at < count; at += 1) total += tokens[at];
  return backwards(
    count,
    total,
    (at) => kinds[at],
    (at) => tokens[at],
  );
}

/** One pass from the newest message to the oldest finds both boundaries. */
function backwards(count, total, kind, tokens) {
  let turns = 0;
  let outputs = 0;
  let pruned = 0;
  let kept = 0;
  let cut = -1;
  let newestCut = count;
  for (let at = count - 1; at >= 0; at -= 1) {
    const is = kind(at);
    const size = tokens(at);
    if (cut < 0) {
      if (is !== RESULT) newestCut = at;
      kept += size;
      if (kept >= KEEP) cut = newestCut;
    }
    if (is === USER) turns += 1;
    if (is !== RESULT || turns < SPARED_TURNS) continue;
    outputs += size;
    if (outputs > PROTECT) pruned += size;
  }
  return { total, fires: total > THRESHOLD, pruned: pruned > MINIMUM ? pruned : 0, cut: Math.max(cut, 0) };
}

function kindOf(message) {
  switch (message.role) {
    case 'user':
      return USER;
    case 'toolResult':
      return RESULT;
    default:
      return ASSISTANT;
  }
}

function lengthOf(message, given) {
  const { content } = message;
  let length = 0;
  for (let at = 0; at < content.length; at += 1) {
    const block = content[at];
    if (block.type === 'text') length += block.text.length;
    else if (block.type === 'thinking') length += block.thinking.length;
    else length += block.name.length + given(block.arguments);
  }
  return length;
}

function textOf(content) {
  let length = 0;
  for (const block of content) if (block.type === 'text') length += block.text.length;
  return length;
}

function written(value) {
  return JSON.stringify(value).length;
}

function structural(value) {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  let length = 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) length += structural(value[at]) + 1;
    return length;
  }
  for (const key in value) length += key.length + 4 + structural(value[key]);
  return length;
}
