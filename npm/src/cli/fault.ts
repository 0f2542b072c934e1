/** An unexpected error in one line. This file imports nothing, so that it works even if other files are missing. */
export function faultOf(error: unknown): string {
  const { name, message } = (error ?? {}) as Partial<Error>;
  const what = String(message ?? error).split('\n')[0];
  return `a fault of ebbline itself: ${name ?? 'Error'}: ${what}; please report it with the command that led to it`;
}
