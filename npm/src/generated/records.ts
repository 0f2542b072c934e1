// Written by `cargo xtask gen` from the engine's definitions. Change those, not this file.
// The layout is documented in crates/ebbline/src/packed.rs.

export const MESSAGE = 2147483648;
export const HAS_USAGE = 512;
export const ROLES = 15;
export const KEPT_SHIFT = 13;
export const KEPT = 2147475456;
export const MOST_KEPT = 262142;
export const PART_WORDS = 9;
export const SIGNED = 64;
export const BY_PLACE = 128;
export const MOST_PIECES = 65535;

/** Who speaks. */
export const Role = Object.freeze({
  SYSTEM: 0,
  USER: 1,
  ASSISTANT: 2,
  TOOL: 3,
  OTHER: 4,
});

/** Whether a message begins a turn. */
export const Turn = Object.freeze({
  NO: 0,
  PERSON: 16,
  SYNTHETIC: 32,
  CONTEXT: 48,
});

/** What else is said of a message. */
export const Flag = Object.freeze({
  NONE: 0,
  ENDED: 64,
  SUMMARY: 128,
  INACTIVE: 256,
  CONTINUES: 1024,
  PINNED: 2048,
  PRUNE_FIELD: 4096,
});

/** What a part is. */
export const Kind = Object.freeze({
  TEXT: 0,
  THINKING: 1,
  CALL: 2,
  RESULT: 3,
  IMAGE: 4,
  FILE: 5,
  SUMMARY: 6,
  OTHER: 7,
});

/** What may be done with a result. */
export const Output = Object.freeze({
  ORDINARY: 0,
  ERROR: 16,
  PRUNED: 32,
  SEALED: 48,
  FIXED_ERROR: 16777232,
  PLACEHOLDER: 16777216,
  FAILED_PLACEHOLDER: 16777248,
});
