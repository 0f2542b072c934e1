// OpenCode's event-based core.

/** Adapters by `<version>-<function>`. */
export const opencodeV2 = {};
