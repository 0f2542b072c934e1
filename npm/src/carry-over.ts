import { MADE } from './apply.js';
import { files } from './files.js';
import { carriedOfRecords } from './files-core.js';
import type { Plan } from './generated/plan.js';
import type { LiveFormatName } from './generated/words.js';
import { walk } from './live-plan.js';
import type { Pins } from './pins.js';
import { policyOf } from './ready-policy.js';
import { type TextRecorder, WordsRecorder } from './text-recorder.js';
import type { View } from './view.js';

/** A summary with what it has to carry behind it. */
interface CarriedSummary {
  summary: string;
  /** How many standing orders, and how many pinned texts. */
  orders: number;
  pins: number;
}

/**
 * A summary with what it has to carry behind it: the user's standing orders that are in force, and what the caller pinned, of all
 * messages of the log that are no longer sent as they are.
 *
 * @param plan of what is sent now
 */
export function carryOver(
  { log, origins }: View,
  format: LiveFormatName,
  plan: Plan,
  pins: Pins | undefined,
  summary: string,
): CarriedSummary {
  const isGone = new Uint8Array(log.length).fill(1);
  origins.forEach((origin, at) => {
    if (origin !== MADE && plan.messages[at]?.fate !== 'summarized') isGone[origin] = 0;
  });
  const carried = (recorder: TextRecorder, pinned: number[]): CarriedSummary => {
    const { places, messages, records, tools } = recorder;
    const gone = Uint8Array.from({ length: messages }, (_, at) => isGone[places?.[at] ?? at]);
    return carriedOfRecords(records, tools, ...recorder.put(files), gone, Uint32Array.from(pinned), summary);
  };
  const policy = policyOf({});
  if (pins === undefined) return walk(log, { format }, policy, WordsRecorder, (_, recorder) => carried(recorder, []));
  return walk(log, { format }, policy, pins.recorderOf(log), (_, recorder) => carried(recorder, recorder.pinned));
}

/** The calls whose outputs must stay. */
export function sealedCalls(pins: Pins, log: unknown[], format: LiveFormatName | undefined): ReadonlySet<string> {
  return walk(log, { format }, policyOf({}), pins.recorderOf(log), (_, { sealing }) => sealing);
}
