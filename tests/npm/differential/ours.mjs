// The package under test as a side of the comparison.

import { ebbline } from '../package.mjs';

const { EbblineError, compat } = ebbline;

/** `compat.pi` of one version. It refuses with an `EbblineError`; any other error is a fault and fails the test. */
export function ourPi(version) {
  return {
    name: `compat.pi ${version}`,
    ask(question, data, options) {
      try {
        return compat.pi[question](data, { ...options, version });
      } catch (error) {
        if (error instanceof EbblineError) throw error;
        return { fault: `${error}` };
      }
    },
  };
}
