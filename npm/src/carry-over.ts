import { walk } from './live-plan.js';
import { MADE } from './apply.js';
import { files } from './files.js';
import { carriedOfRecords } from './files-core.js';
import { policyOf } from './ready-policy.js';
import { WordsRecorder } from './texts.js';

/**
 * A summary with what it has to carry behind it: the user's standing orders that are in force, and what the caller pinned, of all
 * messages of the log that are no longer sent as they are.
 *
 * @param plan of what is sent now
 */
export function carryOver(
  { log, origins }: import('./view.js').View,
  format: string,
  plan: import('../types/plan.js').Plan,
  pins: import('./pins.js').Pins | undefined,
  summary: string,
): { summary: string; orders: number; pins: number } {
  const isGone = new Uint8Array(log.length).fill(1);
  origins.forEach((origin, at) => {
    if (origin !== MADE && plan.messages[at]?.fate !== 'summarized') isGone[origin] = 0;
  });
  const Recorder = pins?.recorderOf(log) ?? WordsRecorder;
  return walk(log, { format }, policyOf({}), Recorder, (_, recorder) => {
    const { places, messages, records, tools, pinned = [] } = recorder;
    const gone = Uint8Array.from({ length: messages }, (_, at) => isGone[places?.[at] ?? at]);
    return JSON.parse(carriedOfRecords(records, tools, ...recorder.put(files), gone, Uint32Array.from(pinned), summary));
  });
}

/** The calls whose outputs must stay, as a set. */
export function sealedCalls(pins, log, format) {
  return walk(log, { format }, policyOf({}), pins.recorderOf(log), (_, { sealing }) => sealing);
}
