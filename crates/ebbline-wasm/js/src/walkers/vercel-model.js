/** Not walked yet. */
export const vercelModel = {
  format: 'vercel_model',

  walk() {},

  prune(message) {
    return message;
  },

  summary(text) {
    return text;
  },
};
