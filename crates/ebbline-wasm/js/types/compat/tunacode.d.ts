/** tunacode */
export interface TunacodeCompat {
  /** Whether an error of this text means that the context was too large. */
  isContextOverflow(errorText: string): boolean;
}
