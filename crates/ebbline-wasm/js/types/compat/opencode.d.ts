/** opencode */
export interface OpencodeCompat {
  /** Whether an error of this text means that the context was too large. */
  isContextOverflow(errorText: string): boolean;
  /** How OpenCode stores what a provider threw: an `Error`, or whatever a response stream throws. */
  fromError(thrown: unknown, options?: { providerID?: string }): OpencodeStoredError;
}

/** An error as OpenCode stores it with a message; `ContextOverflowError` leads to a compaction. */
export interface OpencodeStoredError {
  name: "ContextOverflowError" | "APIError" | "UnknownError";
  data: {
    message: string;
    statusCode?: number;
    isRetryable?: boolean;
    responseHeaders?: Record<string, string>;
    responseBody?: string;
    metadata?: { url: string };
  };
}
