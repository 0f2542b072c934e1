/** BRUTUS, a specification that follows OpenCode of January 2026. */
export interface BrutusCompat {
  /** The indices of the messages that are sent to the model; a summary counts even if it is unfinished or failed. */
  filterCompacted(messages: readonly unknown[] | string): number[];
}
