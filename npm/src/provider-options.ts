import type { KnobPath, KnobValue, PolicyOptions } from './policy-options.js';

export interface ProviderOptions extends PolicyOptions {
  /**
   * Whether the requests have thinking enabled. Then Anthropic is told to keep all of it, because no knob of a policy clears thinking.
   * Anthropic refuses this parameter in requests without thinking.
   */
  thinking?: boolean | undefined;
  /** What Anthropic's compaction is told about its summary. */
  instructions?: string | undefined;
}

export interface ProviderCompaction<P> {
  /** What to send with each request; nothing if the policy says nothing that the provider can do. */
  parameters: P;
  /** The knobs of the policy that have an effect and that the parameters do not say. */
  cannot: UnsaidKnob[];
  /**
   * How to use the provider and a compactor together: the provider acts first. `null` if it cannot be done.
   *
   * @example
   * ```js
   * const { beside } = providerCompaction("anthropic", options);
   * const compactor = createCompactor({ ...options, summarize, set: { ...options.set, ...beside.set } });
   * ```
   */
  beside: {
    /** What to send with each request instead of {@link ProviderCompaction.parameters}. */
    parameters: P;
    /** The knobs of the compactor, beside those of the policy. */
    set: { [K in KnobPath]?: KnobValue<K> | undefined };
  } | null;
}

export interface UnsaidKnob {
  knob: KnobPath | 'instructions';
  /** Why, in a sentence. */
  why: string;
}

/** Parameters of `client.beta.messages.create`. */
export interface AnthropicCompaction {
  betas?: ('context-management-2025-06-27' | 'compact-2026-01-12')[];
  context_management?: { edits: AnthropicEdit[] };
}

export type AnthropicEdit =
  | {
      type: 'clear_tool_uses_20250919';
      trigger: { type: 'input_tokens'; value: number };
      keep: { type: 'tool_uses'; value: number };
      clear_at_least?: { type: 'input_tokens'; value: number };
      exclude_tools?: string[];
      clear_tool_inputs: boolean;
    }
  | { type: 'clear_thinking_20251015'; keep: 'all' }
  | {
      type: 'compact_20260112';
      trigger: { type: 'input_tokens'; value: number };
      pause_after_compaction: boolean;
      instructions?: string;
    };

/** Parameters of `client.responses.create`. */
export interface OpenAICompaction {
  context_management?: { type: 'compaction'; compact_threshold: number }[];
}

/** Members of the `config` of `client.live.connect`. */
export interface GeminiCompaction {
  contextWindowCompression?: { triggerTokens: string; slidingWindow: { targetTokens: string } };
}
