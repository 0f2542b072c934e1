// OpenCode's event-based core.

import { expand, member } from '../notation.mjs';
import { ebbline } from '../package.mjs';
import { equal, samePrompt, sameText } from './compare.mjs';

const { compat } = ebbline;

/** Adapters by `<version>-<function>`. */
export const opencodeV2 = { '2026-06-compact': compact };

function compact({ version, raw, input, expected }) {
  const entries = expand(member(raw, 'entries'));
  const ours = compat.opencodeV2.compact(entries, { ...input, entries: undefined, version });
  equal('compacted', ours.compacted, expected.compacted);
  equal('events', ours.events, expected.events);
  equal('request made', ours.request !== null, expected.request !== null);
  if (expected.request !== null) {
    samePrompt('prompt', wellFormed(ours.request.messages[0].text), whole(expected.request.prompt));
    equal('most tokens', ours.request.maxTokens, expected.request.maxTokens);
  }
  equal('checkpoint made', ours.checkpoint !== null, expected.checkpoint !== null);
  if (expected.checkpoint === null) return;
  equal('reason', ours.checkpoint.reason, expected.checkpoint.reason);
  sameText('summary', ours.checkpoint.summary, expected.checkpoint.summary);
  sameText('recent', ours.checkpoint.recent, expected.checkpoint.recent);
}

/** A prompt in which an unpaired surrogate may be in another place than in the original, whose wording was longer. */
function whole({ text, ...digest }) {
  return text === undefined ? digest : { text: wellFormed(text) };
}

function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
