// Events of a stream of OpenAI's Responses API.

/** An event, as far as it is looked at. */
export interface ResponseEvent {
  type?: unknown;
  response?: { error?: unknown };
}

const OPENINGS: Set<unknown> = new Set(['response.created', 'response.queued', 'response.in_progress']);

/** Whether an event says no more than that the provider has begun. */
export function isOpening(event: ResponseEvent | undefined): boolean {
  return OPENINGS.has(event?.type);
}

/** What went wrong, if an event says that the response failed. */
export function failureOf(event: ResponseEvent | undefined): unknown {
  return event?.type === 'response.failed' ? (event.response?.error ?? event) : undefined;
}
