// The meaning of errors: pi, OpenCode and TunaCode.

import { ebbline } from '../package.mjs';
import { equal } from './compare.mjs';

const { compat } = ebbline;

export function piOverflow({ version, input, expected }) {
  const { message, contextWindow, desiredMaxOutput } = input;
  equal('overflow', compat.pi.overflow(message, { version, contextWindow, desiredMaxOutput }), expected);
}

export function opencodeText({ input, expected }) {
  equal('overflow', compat.opencode.isContextOverflow(input.message), expected.isContextOverflow);
}

export function opencodeError({ input, expected }) {
  const { providerID, error, streamError } = input;
  const thrown = error === undefined ? streamError : { name: 'AI_APICallError', ...error };
  equal('stored error', compat.opencode.fromError(thrown, { providerID }), expected);
}

export function tunacodeText({ input, expected }) {
  equal('overflow', compat.tunacode.isContextOverflow(input.errorText), expected.isContextOverflow);
}
