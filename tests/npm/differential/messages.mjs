// Unusual messages of pi that its functions accept.

import { Members, Spelled } from './spelling.mjs';

const PIECES = [
  'x',
  'plain words ',
  '',
  '\n',
  '"quoted" \\ back',
  '\u0000\u001f\u007f',
  'déjà vu',
  '日本語',
  '😀',
  '👩‍👩‍👧',
  '\ud83d',
  '\ude00',
  '\u2028\ufeff',
  '</summary>',
];
const NAMES = ['read', 'write', 'edit', 'bash', 'Read', '', 'toString', '日本'];
const PATHS = ['a.ts', 'b.ts', 'src/é.ts', 'B.ts', '😀.md', '\uffff.md', '\ud83d', '', ' a.ts', '10', '9', '__proto__'];
const KEYS = [
  'path',
  'command',
  'a',
  '1',
  '10',
  '2',
  '01',
  '-1',
  '4294967294',
  '4294967295',
  '',
  'é',
  '\ud83d',
  '\ude00',
  '__proto__',
  'toJSON',
  'length',
];
const NUMBERS = [
  '0',
  '1',
  '-0',
  '1.0',
  '29.50',
  '1e21',
  '1E2',
  '1e-7',
  '0.1',
  '123456789012345680',
  '9007199254740993',
  '5e-324',
  '1e400',
  '-1e400',
  '1e20',
];
const STOP_REASONS = ['stop', 'toolUse', 'length', 'error', 'aborted', undefined, null, 'other'];
const TOKENS = [0, 1, 7, 100, 2500, 180_000, -5, 0.5, 4_294_967_296, new Spelled('1e3'), undefined, null];

/** Values of wrong types. */
const WRONG = [undefined, null, undefined, null, 7, new Spelled('0'), true, false, '', 'text', [], [null], {}, { length: 3 }];

/** Makes messages from choices. A generator that is not `strict` sometimes omits required members. */
export class MessageMaker {
  constructor(choices) {
    this.choices = choices;
    this.strict = !choices.chance(12);
  }

  /** The result of `make` or, in a generator that is not strict, sometimes nothing or a wrong value. */
  field(make) {
    return !this.strict && this.choices.chance(6) ? this.choices.pick(WRONG) : make();
  }

  text() {
    const { choices } = this;
    const piece = () => choices.pick(PIECES).repeat(1 + choices.below(choices.pick([3, 20, 400])));
    return choices.list(3, 45, piece).join('') || choices.pick(PIECES);
  }

  /** A text that is cut when it is serialized, or nearly; perhaps inside a surrogate pair. */
  longText() {
    const { choices } = this;
    const end = choices.pick(['😀', '\ud83d', '日本', 'x']).repeat(choices.below(12));
    return 'r'.repeat(1994 + choices.below(10)) + end + this.text();
  }

  message() {
    const { choices } = this;
    const common = [this.user, this.assistant, this.toolResult];
    const rare = [this.bashExecution, this.custom, this.summary, this.system, this.other];
    return choices.pick([...common, ...common, ...rare]).call(this);
  }

  user() {
    const block = () =>
      this.choices.make(
        () => this.textBlock(),
        () => this.image(),
        () => this.oddBlock(),
      );
    const isHuge = this.choices.chance(1);
    return { role: 'user', content: isHuge ? 'pasted '.repeat(this.choices.below(20_000)) : this.content(block) };
  }

  assistant() {
    const { choices } = this;
    const block = () =>
      choices.make(
        () => ({ type: 'text', text: this.field(() => this.text()) }),
        () => this.toolCall(),
        () => ({ type: 'thinking', thinking: this.field(() => this.text()) }),
        () => this.oddBlock(),
      );
    return {
      role: 'assistant',
      content: this.field(() => choices.list(5, 30, block)),
      provider: choices.pick(['anthropic', 'openai', undefined]),
      model: choices.pick(['m', 'other', undefined]),
      usage: this.usage(),
      stopReason: choices.pick(STOP_REASONS),
    };
  }

  toolResult() {
    const { choices } = this;
    const block = () =>
      choices.make(
        () => this.textBlock(),
        () => ({ type: 'text', text: this.longText() }),
        () => this.image(),
        () => this.oddBlock(),
      );
    const calls = () => choices.list(3, 30, () => this.toolCall());
    return {
      role: 'toolResult',
      toolCallId: choices.pick(['c1', 'c2', undefined]),
      toolName: choices.pick(NAMES),
      // A text in place of the blocks can be measured, and in one version be serialized too.
      content: choices.chance(95) || this.strict ? this.field(() => choices.list(4, 40, block)) : this.text(),
      isError: choices.pick([false, true, undefined]),
      details: choices.pick([undefined, null, { diff: 'x' }]),
      nestedCalls: choices.chance(10) ? { complete: true, calls: calls() } : undefined,
    };
  }

  bashExecution() {
    const { choices } = this;
    return {
      role: 'bashExecution',
      command: this.field(() => this.text()),
      output: this.field(() => choices.pick(['', 'done\n', this.text()])),
      exitCode: choices.pick([0, 1, -1, undefined, null, 130, new Spelled('1.0'), new Spelled('1e21')]),
      cancelled: choices.pick([false, true, undefined]),
      truncated: choices.pick([false, true, undefined]),
      fullOutputPath: choices.pick([undefined, '/tmp/out.log', '']),
      excludeFromContext: choices.pick([undefined, true, false]),
    };
  }

  custom() {
    const display = this.choices.pick([true, false, undefined]);
    return { role: 'custom', customType: 'note', content: this.customContent(), display };
  }

  customContent() {
    return this.content(() =>
      this.choices.make(
        () => this.textBlock(),
        () => this.image(),
      ),
    );
  }

  summary() {
    const role = this.choices.pick(['branchSummary', 'compactionSummary']);
    return { role, summary: this.field(() => this.text()), fromId: 'x', tokensBefore: 12 };
  }

  /** Older versions do not know this role. */
  system() {
    const { choices } = this;
    const tool = () => ({ name: choices.pick(NAMES), description: this.text(), parameters: this.value(3) });
    const section = () => [
      choices.pick(KEYS),
      choices.make(
        () => this.text(),
        () => null,
      ),
    ];
    return {
      role: 'system',
      content: this.field(() =>
        choices.make(
          () => this.text(),
          () => [this.textBlock()],
        ),
      ),
      sections: choices.make(
        () => undefined,
        () => new Members(choices.list(3, 40, section)),
      ),
      toolsAdded: choices.make(
        () => undefined,
        () => choices.list(2, 40, tool),
      ),
      toolsRemoved: choices.make(
        () => undefined,
        () => choices.list(2, 40, () => ({ name: choices.pick(NAMES) })),
      ),
      timestamp: choices.pick([1, undefined, 0]),
    };
  }

  /** A role that no version knows. */
  other() {
    const role = this.choices.pick(['hookMessage', 'future', '', undefined, null]);
    return {
      role,
      content: this.choices.make(
        () => this.text(),
        () => [this.textBlock()],
        () => undefined,
      ),
    };
  }

  content(block) {
    return this.field(() =>
      this.choices.make(
        () => this.choices.list(4, 40, block),
        () => this.text(),
      ),
    );
  }

  textBlock() {
    return { type: 'text', text: this.choices.chance(5) ? this.choices.pick([undefined, null, '']) : this.text() };
  }

  image() {
    return { type: 'image', data: this.choices.pick(['AAAA', '', undefined]), mimeType: 'image/png' };
  }

  oddBlock() {
    return this.choices.pick([
      { type: 'redacted_thinking', data: 'opaque' },
      { type: 'document', text: 'not read' },
      { text: 'of no type' },
      {},
      { type: null, text: 'x' },
      { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a.ts' } },
    ]);
  }

  toolCall() {
    const id = this.choices.pick(['c1', 'c2', '']);
    const name = this.field(() => this.choices.pick(NAMES));
    return { type: 'toolCall', id, name, arguments: this.field(() => this.args()) };
  }

  args() {
    const { choices } = this;
    const list = () => choices.list(3, 40, () => this.value(1));
    if (!this.strict && choices.chance(8)) return choices.make(() => this.text(), list);
    const members = choices.list(4, 30, () => [choices.pick(KEYS), this.value(1)]);
    if (choices.chance(60)) members.unshift(['path', choices.pick(PATHS)]);
    return new Members(members);
  }

  value(depth) {
    const { choices } = this;
    const flat = [() => this.text(), () => choices.pick([true, false, null]), () => new Spelled(choices.pick(NUMBERS))];
    const deep = [
      () => choices.list(4, 40, () => this.value(depth + 1)),
      () => new Members(choices.list(4, 40, () => [choices.pick(KEYS), this.value(depth + 1)])),
    ];
    return choices.make(...flat, ...(depth < 4 ? deep : []));
  }

  usage() {
    const { choices } = this;
    if (choices.chance(25)) return choices.pick([undefined, null, {}, { input: 5, output: 6 }]);
    const part = () => choices.pick(TOKENS);
    const whole = { input: part(), output: part(), cacheRead: part(), cacheWrite: part(), totalTokens: part() };
    return choices.chance(50) ? whole : { ...whole, input: 900, output: 40, cacheRead: 0, cacheWrite: 0 };
  }
}
