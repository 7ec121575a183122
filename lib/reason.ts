// Pure. A failed system call in the words people know.

/** The words for the codes that matter here; others keep the system's own. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBUSY: "device or resource busy",
  EDQUOT: "disk quota exceeded",
  EEXIST: "file exists",
  EFBIG: "file too large",
  EINVAL: "invalid argument",
  EIO: "input/output error",
  EISDIR: "is a directory",
  ELOOP: "too many levels of symbolic links",
  EMFILE: "too many open files",
  ENAMETOOLONG: "file name too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on device",
  ENOTDIR: "not a directory",
  EPERM: "operation not permitted",
  EROFS: "read-only file system",
  ESTALE: "stale file handle",
  EXDEV: "invalid cross-device link",
};

/** Why the runtime refuses a file, to any program. */
export const REFUSED_BY_RUNTIME = "vigil's runtime opens nothing below /dev, /proc and /sys";

/** The system's code of an IO error (`ENOSPC`), or null where it has none. */
export function codeOf(error: unknown): string | null {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : null;
}

/** The system's reason for an IO error in a few words, without Deno's wording around it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  if (code !== null && code in REASONS) return REASONS[code];
  if (error.name === "NotCapable") return REFUSED_BY_RUNTIME;
  // The system's sentence in the middle of ours; a name that is written in capitals stays.
  return error.message.replace(/ \(os error \d+\).*$/s, "").replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
}
