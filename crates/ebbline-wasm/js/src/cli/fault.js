/** An error that nobody has foreseen, in one line. It imports nothing: it must be there whatever else is not. */
export function faultOf(error) {
  const what = String(error?.message ?? error).split('\n')[0];
  return `a fault of ebbline itself: ${error?.name ?? 'Error'}: ${what}; please report it with the command that led to it`;
}
