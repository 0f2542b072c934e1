/** opencode */
export interface OpencodeCompat {}
