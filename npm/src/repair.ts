import { sourceOf } from './api.js';
import { EbblineError } from './errors.js';
import { files } from './files.js';
import * as filesCore from './files-core.js';
import { guarded } from './guard.js';
import { checkRule, checked } from './options.js';
import { putText, takeBytes, takeString } from './text-buffer.js';

/** Mends what a provider would refuse in the text of a session, and says what it did and what it left. */
export const repair = guarded(function repair(input, options) {
  const { format, strict = false, conversation, also = [], except = [] } = checked(options);
  for (const name of [...also, ...except]) checkRule(name);
  const source = sourceOf(input);
  if (Array.isArray(source)) {
    throw new EbblineError('invalid_option', 'repair mends the text of a session: pass its text or bytes, not an array');
  }
  const { buffer, length } = putText(source, files);
  const repaired = new filesCore.Repaired(buffer, length, format, strict, conversation, also, except);
  try {
    const report = JSON.parse(repaired.report());
    const text = repaired.text();
    try {
      return { ...(typeof source === 'string' ? { text: takeString(text, files) } : { bytes: takeBytes(text, files) }), ...report };
    } finally {
      text.free();
    }
  } finally {
    repaired.free();
  }
});
