// Pure. A file that could not be written or removed -> the message and the advice for its cause.
import { EXIT } from "../exit_codes.ts";
import { Failure } from "../failure.ts";
import type { FileError, FileStep } from "../heartbeat/file_error.ts";
import { codeOf, reasonOf } from "../reason.ts";

/** What was being done to a file, and what follows when it cannot be. */
const PURPOSES = {
  beat: { verb: "write", consequence: "this beat is missing" },
  clear: { verb: "remove", consequence: "the file is still there: readers will believe it runs" },
  output: { verb: "write", consequence: "what stood there still stands" },
} as const;

interface Remedy {
  readonly code: string;
  readonly step?: FileStep;
  readonly purpose?: keyof typeof PURPOSES;
  readonly remedy: string;
}

/**
 * What to do, by the system's code, or the runtime's own refusal, and, where it matters, the step that met it and what
 * the file is for; the first row that fits holds.
 */
const REMEDIES: readonly Remedy[] = [
  { code: "ENOSPC", step: "create temp", remedy: "free inodes or space on that file system (df -i, df)" },
  { code: "ENOSPC", step: "make directory", remedy: "free inodes or space on that file system (df -i, df)" },
  { code: "ENOSPC", remedy: "free space on that file system (df)" },
  { code: "EDQUOT", remedy: "free space, or raise the user's quota" },
  { code: "EROFS", purpose: "output", remedy: "mount the directory writable, or choose another with --output" },
  { code: "EROFS", remedy: "mount the directory writable, or choose another with --file or JSC_HOME" },
  { code: "EACCES", remedy: "give this user write and search permission on the directory" },
  { code: "EPERM", remedy: "the file or its directory is immutable, or sticky and the file another user's" },
  { code: "EBUSY", remedy: "the file itself is a mount: mount the directory instead" },
  { code: "ENOTDIR", remedy: "a parent of that path is a file: remove it, or choose another path" },
  {
    code: "EEXIST",
    step: "make directory",
    remedy: "a parent of that path is a file: remove it, or choose another path",
  },
  { code: "ELOOP", remedy: "a parent of that path is a link to itself: mend it" },
  { code: "ENAMETOOLONG", remedy: "choose a shorter path" },
  { code: "EXDEV", remedy: "the directory spans file systems: mount it whole" },
  { code: "NotCapable", remedy: "choose a path that is not below one of them" },
  { code: "EIO", remedy: "the disk is failing: look at the kernel's log" },
];

const OTHER_REMEDY = "it must be a regular file, or none yet, in a directory that this user can write";

/** Says what `error` cost, with the remedy for its cause. */
export function fileFailure(error: FileError, purpose: keyof typeof PURPOSES): Failure {
  const { verb, consequence } = PURPOSES[purpose];
  const code = codeOf(error.cause) ?? (error.cause instanceof Error ? error.cause.name : null);
  const fits = (row: Remedy) =>
    row.code === code && (row.step ?? error.step) === error.step && (row.purpose ?? purpose) === purpose;
  return new Failure(
    EXIT.io,
    `cannot ${verb} "${error.path}": ${reasonOf(error.cause)}; ${consequence}`,
    REMEDIES.find(fits)?.remedy ?? OTHER_REMEDY,
  );
}
