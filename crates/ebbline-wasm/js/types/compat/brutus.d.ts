/** BRUTUS, a specification that follows OpenCode of January 2026. */
export interface BrutusCompat {
  /** Positions of the messages that go to the model; a summary counts even when it is not finished or failed. */
  filterCompacted(messages: readonly unknown[] | string): number[];
}
