/** What compactions cost a session in knowledge. Every figure is defined in `docs/metrics.md` in the repository. */
export interface Loss {
  requests: number;
  /** Moments at which something left the context. */
  compactions: number;
  departedParts: number;
  departedOutputs: number;
  /** Parts that left and whose text the file does not contain. */
  withoutText: number;
  /** Outputs that left and whose identifiers the assistant uses later. */
  references: {
    withUnique: number;
    reReferenced: number /** Of these, the pruned ones. */;
    pruned: number;
    per100Requests: number | null;
    rate: number | null;
  };
  /** Outputs that left and whose call is made again. */
  reReads: { outputs: number; exact: number };
  /** How much of what was summarized the summaries and the rest of the context still contain; `null` if that is unknown. */
  coverage: Record<'files' | 'commands' | 'errors' | 'numbers' | 'names' | 'inOutputs', { departed: number; kept: number }> | null;
  /** What the user ordered for the rest of the session. `lost` is `null` if the text of a summary is unknown. */
  orders: { given: number; superseded: number; repeated: number; paraphrased: number; lost: number | null };
  /** Decisions of the assistant that left, and those that never return. */
  decisions: { departed: number; neverReturn: number };
  /** At how many compactions the first goal and the last words of the user stay. */
  words: { compactions: number; goalKept: number; lastKept: number };
  /** Compactions that are close to each other, and content that left twice. */
  thrash: { close: number; departedAgain: number; index: number | null };
  /** How full the context was; `null` without a window. */
  utilization: { peak: number; mean: number } | null;
  /** The worst findings, worst first. */
  worst: LossFinding[];
}

/** One thing that was lost. */
export interface LossFinding {
  kind: 'lost_order' | 'lost_goal' | 're_reference' | 're_read' | 'decision';
  message: number;
  part: number;
  /** The message whose request was the first without it. */
  at: number;
  /** The identifiers, the order, or the sentence. */
  words: string[];
  /** The message in which the assistant uses it later. */
  usedIn: number | null;
  weight: number;
}
