import type { ProfileName } from './generated/words.js';
import type { PolicyOptions } from './policy-options.js';

export interface ClassifyOptions extends PolicyOptions {
  /**
   * Whose rules decide: those of the system and version that the profile reproduces. ebbline's own profiles have the rules
   * of all systems without their known false positives; so has a policy with a name of its own. The limits of the policy's model
   * count if `model` or `policy` names them.
   */
  profile?: ProfileName | undefined;
  /** The provider, if the error does not name it; Cerebras answers with a bare status if the context is too large. */
  provider?: string | undefined;
  /**
   * The model's context window, in tokens; needed for an answer whose usage shows that its request did not fit. By default that of
   * `model`, if given.
   */
  contextWindow?: number | undefined;
  /** The requested output limit, before it was reduced to what was left of the window. By default that of `model`, if given. */
  desiredMaxOutput?: number | undefined;
}

/** What an error means, and why. */
export interface Classification {
  kind: FailureKind;
  /** `over_rate_limit`: the request is larger than a rate limit allows at once, so waiting does not help. */
  code?: 'over_rate_limit';
  /** The evidence for it; missing for `other`. */
  evidence?: FailureEvidence;
  /** Whether an answer stopped before its output limit, so that compacting and sending the request again may help. */
  recoverableLength: boolean;
}

export type FailureKind =
  /** The request has more tokens than the context window: compact, and send it again. */
  | 'context_overflow'
  /** The request has more bytes than the server accepts: remove images and large outputs. */
  | 'payload_too_large'
  /** Too many images or documents, or one that is too large: remove older ones. */
  | 'media_limit'
  /** Too many requests, an exhausted quota or an overloaded server: wait. */
  | 'rate_limit'
  /** Anything else. */
  | 'other';

export interface FailureEvidence {
  /** The kind of evidence. */
  sign: 'text' | 'code' | 'status' | 'usage';
  /** The regular expression that matches (with the flag `i`), the code, or the status. */
  pattern: string;
  /** The provider whose message it is. */
  provider?: string;
  /** Where it was found, for example `cause.responseBody.error.message`; empty if the error itself is a text. */
  at: string;
  /** The text in which it was found, shortened. */
  text?: string;
  /** The limit in tokens that the error names for the whole context. */
  window?: number;
}
