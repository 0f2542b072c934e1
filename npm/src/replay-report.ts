import type { CacheCheck, Loss, PointReport, PolicyOutcome, ReplayReport, SweepReport } from './generated/reports.js';

/** The life of a session under a policy. */
export interface Replay extends ReplayReport {
  /** The cost in money, if `prices` were given. */
  money?: number;
  /** What is lost, if `loss` was asked for. */
  loss?: Loss;
  /** How well `cache` predicts what was reported, if `cacheCheck` was asked for; `null` if nothing was reported. */
  cacheCheck?: CacheCheck | null;
}

/** What a policy does over the life of a session. */
export interface Outcome extends PolicyOutcome {
  /** The cost in money, if `prices` were given. */
  money?: number;
  /** What is lost, if `loss` was asked for, without the single findings. */
  loss?: Loss;
}

/** A grid of policies over many sessions. */
export interface Sweep extends Omit<SweepReport, 'points'> {
  /** Window by window: every combination of values, the last knob changing fastest, then the policies beside them. */
  points: SweepPoint[];
}

/** A policy over many sessions. Sums count each token and each request the same, so that long sessions weigh more. */
export interface SweepPoint extends PointReport {
  /** The cost in money, if `prices` were given. */
  money?: number;
}
