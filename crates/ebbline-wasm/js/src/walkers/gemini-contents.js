/** Not walked yet. */
export const geminiContents = {
  format: 'gemini_contents',

  walk() {},

  prune(message) {
    return message;
  },

  summary(text) {
    return text;
  },
};
