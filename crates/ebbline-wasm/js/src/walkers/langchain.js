/** Not walked yet. */
export const langchain = {
  format: 'langchain',

  walk() {},

  prune(message) {
    return message;
  },

  summary(text) {
    return text;
  },
};
