/** Not walked yet. */
export const openaiResponses = {
  format: 'openai_responses',

  walk() {},

  prune(message) {
    return message;
  },

  summary(text) {
    return text;
  },
};
