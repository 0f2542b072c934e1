/** opencode-v2 */
export interface OpencodeV2Compat {}
