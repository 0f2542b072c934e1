// A provider that clears old tool results before the model sees them, by the parameters of Anthropic's `clear_tool_uses_20250919`.

const CLEARED = '[cleared by the provider]';
/** The tokens of tools and system prompt. */
const BESIDE = 500;

export class ClearingProvider {
  #edit;
  #window;
  #staysCleared;
  /** The calls whose results are cleared. */
  #cleared = new Set();
  /** What the model saw last. */
  #last = [];
  /** How often the model saw something else where it had seen a message before. */
  breaks = 0;

  /**
   * @param {any} edit
   * @param {{ window: number, staysCleared: boolean }} how whether what was cleared stays cleared and the trigger counts what is left, or
   *   each request is looked at anew; the published types do not say which
   */
  constructor(edit, { window, staysCleared }) {
    this.#edit = edit;
    this.#window = window;
    this.#staysCleared = staysCleared;
  }

  /** Answers a request: usage and what was cleared, whether something was cleared that was not before, and whether it is too large. */
  take(messages) {
    const ids = messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).flatMap((block) => block.tool_use_id ?? []);
    const before = new Set(ids.filter((id) => this.#cleared.has(id)));
    const size = sizeOf(this.#staysCleared ? seen(messages, before) : messages);
    const clearable = new Set(ids.slice(0, -this.#edit.keep.value));
    const start = this.#staysCleared ? before : new Set();
    const freed = size - sizeOf(seen(messages, new Set([...start, ...clearable])));
    const isDue = size > this.#edit.trigger.value && freed >= (this.#edit.clear_at_least?.value ?? 0);
    this.#cleared = isDue ? new Set([...start, ...clearable]) : start;
    const model = seen(messages, this.#cleared);
    const isClearing = [...this.#cleared].some((id) => !before.has(id));
    const input = sizeOf(model);
    this.#see(model);
    const gone = sizeOf(messages) - input;
    const edits =
      gone === 0 ? [] : [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: this.#cleared.size, cleared_input_tokens: gone }];
    const usage = { input_tokens: input, output_tokens: 20 };
    return { answer: { usage, context_management: { applied_edits: edits } }, isClearing, isOver: input > this.#window };
  }

  #see(model) {
    const texts = model.map((message) => JSON.stringify(message));
    if (!this.#last.every((text, at) => text === texts[at])) this.breaks += 1;
    this.#last = texts;
  }
}

function seen(messages, cleared) {
  return messages.map((message) => {
    if (!Array.isArray(message.content)) return message;
    const content = message.content.map((block) => (cleared.has(block.tool_use_id) ? { ...block, content: CLEARED } : block));
    return { ...message, content };
  });
}

function sizeOf(messages) {
  return BESIDE + Math.ceil(JSON.stringify(messages).length / 3.5);
}
