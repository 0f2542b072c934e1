/** Not walked yet. */
export const vercelUi = {
  format: 'vercel_ui',

  walk() {},

  prune(message) {
    return message;
  },

  summary(text) {
    return text;
  },
};
