/** pi */
export interface PiCompat {
  /** Whether the message that ended a request means that the context was too large, or that its answer was cut off. */
  overflow(
    message: unknown,
    options?: { version?: string; contextWindow?: number | null; desiredMaxOutput?: number | null },
  ): {
    isContextOverflow: boolean;
    /** Not there for pi 0.58, which does not ask. */
    isRecoverableLength?: boolean;
  };
}
