import { walk } from './api.js';
import { policyOf } from './options.js';
import { HAS_USAGE, Kind, MESSAGE, PART_WORDS, Recorder } from './records.js';

/** How many images stand in messages. */
export function imagesIn(messages, format) {
  if (format === undefined) return 0;
  return walk(messages, { format }, policyOf({}), Recorder, (_, { records }) => {
    let images = 0;
    for (let at = 0; at < records.length; ) {
      if (records[at] >= MESSAGE) at += (records[at] & HAS_USAGE) === 0 ? 1 : 2;
      else {
        if ((records[at] & KINDS) === Kind.IMAGE) images += 1;
        at += PART_WORDS;
      }
    }
    return images;
  });
}

/** The bits of a part's kind in its first word. */
const KINDS = 0xf;
