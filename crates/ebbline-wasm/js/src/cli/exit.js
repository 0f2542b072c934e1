/** The exit codes, as documented in `ebbline --help`. */
export const Exit = Object.freeze({ OK: 0, INPUT: 1, USAGE: 2, WORK: 3, FAULT: 4, INTERRUPTED: 130 });

/** Of several files' exit codes, an error outranks work to do, which outranks success. */
export function worse(first, second) {
  const order = [Exit.OK, Exit.WORK, Exit.INPUT, Exit.USAGE, Exit.FAULT, Exit.INTERRUPTED];
  return order.indexOf(second) > order.indexOf(first) ? second : first;
}

/** A mistake on the command line. */
export class UsageError extends Error {}

/** A file that cannot be read or written, or whose content is not what was expected. */
export class FileError extends Error {}

/** Somebody ended the program while it waited. */
export class Interrupted extends Error {}

const ABOUT_OPTIONS = new Set(['invalid_option', 'invalid_policy', 'unknown_profile', 'unknown_format']);

/** The exit code of an error: a mistake on the command line, in a file, or in ebbline. */
export function exitCodeOf(error) {
  if (error instanceof Interrupted) return Exit.INTERRUPTED;
  if (error instanceof UsageError || ABOUT_OPTIONS.has(error?.code)) return Exit.USAGE;
  return error instanceof FileError || error?.name === 'EbblineError' ? Exit.INPUT : Exit.FAULT;
}

const REASONS = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'it is not allowed',
  EPERM: 'it is not allowed',
  EROFS: 'the file system can only be read',
  ENOSPC: 'no space is left',
  EDQUOT: 'the quota is used up',
  EFBIG: 'it would be larger than a file may be',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
  EBUSY: 'it is in use, or mounted by itself',
  ELOOP: 'its links go round in a circle',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the device failed',
  ENXIO: 'it cannot be opened',
  EMFILE: 'too many files are open',
  EPIPE: 'nobody reads it any more',
};

/** Why the operating system refused something, in words. */
export function whyOf(error) {
  return REASONS[error?.code] ?? String(error?.message ?? error).split('\n')[0];
}
