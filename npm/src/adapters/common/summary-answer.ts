import { EbblineError } from '#errors';

/** The text of an answer, whether it was cut off, and what it cost. An answer that is no summary is refused. */
export function summaryAnswer({ text, truncated, calls, refusal, usage: [inputTokens, outputTokens] }) {
  if (calls) throw new EbblineError('no_summary', 'the model answered with a tool call instead of a summary');
  if (refusal) throw new EbblineError('no_summary', `the model wrote no summary: ${refusal}`);
  // The compactor tells a model that its answer was empty or cut off, and asks again.
  return { text: text ?? '', truncated, usage: { inputTokens, outputTokens } };
}

/** Refuses settings that every request for a summary has by itself, or that a summary cannot have. */
export function checkedSettings(name, settings, own) {
  if (typeof settings !== 'object' || settings === null) throw invalid(`${name} needs the settings of the request, with a \`model\``);
  if (typeof settings.model !== 'string' && typeof settings.model !== 'object')
    throw invalid(`${name} needs the \`model\` that writes summaries`);
  for (const member of own) {
    if (settings[member] !== undefined) throw invalid(`\`${member}\` cannot be set for summaries: ${name} sets it, or a summary has none`);
  }
}

/** Refuses a client that lacks a method. */
export function checkedMethod(name, owner, method, what) {
  if (typeof owner?.[method] !== 'function') throw invalid(`${name} needs ${what}`);
}

export function invalid(message) {
  return new EbblineError('invalid_option', message);
}
