/** Not walked yet. */
export const opencode = {
  format: 'opencode',

  walk() {},

  prune(message) {
    return message;
  },

  summary(text) {
    return text;
  },
};
