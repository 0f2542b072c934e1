import * as core from './core.js';
import { formatNamed } from './catalog.js';
import { files } from './files.js';
import * as filesCore from './files-core.js';
import type { ReadReport } from './generated/reports.js';
import type { FormatName } from './generated/words.js';
import { guarded } from './guard.js';
import { detectLive, evidenceOf } from './live-format.js';
import { walk } from './live-plan.js';
import { checked } from './options.js';
import type { ReadOptions } from './plan-options.js';
import { policyOf } from './ready-policy.js';
import { type SessionInput, sourceOf } from './session-source.js';
import { readText } from './text-session.js';
import { putText } from './text-buffer.js';

/** A format, and the evidence for it. */
export interface Detection {
  format: FormatName;
  /** The format's name for people. */
  title: string;
  /** Whether it can be planned and compacted. */
  supported: boolean;
  /** What shows it, in words. */
  evidence: string;
}

/** What was found in a session. */
export interface Report extends ReadReport {
  format: FormatName;
  title: string;
  evidence: string;
}

/**
 * Finds out which format a session has. `supported` is false for an array in a format that is read as text only.
 *
 * @throws {@link EbblineError} `no_messages` if the input is not a session in any known format
 */
export const detect = guarded(function detect(input: SessionInput): Detection {
  const source = sourceOf(input);
  if (Array.isArray(source)) return detectLive(source);
  const { buffer, length } = putText(source, files);
  return filesCore.detect(buffer, length);
});

/**
 * Reads a session and reports its content: counts, what could not be read, every message with its parts.
 *
 * @throws {@link EbblineError}
 */
export const read = guarded(function read(input: SessionInput, options?: ReadOptions): Report {
  const given = checked(options);
  const policy = policyOf(given);
  const source = sourceOf(input);
  if (!Array.isArray(source)) return readText(source, given, policy, (session) => JSON.parse(session.report()));
  const measures = { placeholder: policy.placeholder, wide: true, classes: true, ofJson: true, notation: true };
  return walk(source, { ...given, countTokens: undefined }, { measures }, false, (found, recorder) => {
    const { format, title, reportedInput } = formatNamed(found.format.name);
    const evidence = evidenceOf(source, found, title);
    const report: Pick<Report, 'counts' | 'problems' | 'messages'> = JSON.parse(core.describeRecords(recorder.records, recorder.tools));
    return { format, title, evidence, ...(reportedInput && { reportedInput }), ...report };
  });
});
