// Pure. What stands at a path, in words.

/** What the system tells of it. */
interface FileKind {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isFifo: boolean | null;
  readonly isSocket: boolean | null;
  readonly isCharDevice: boolean | null;
  readonly isBlockDevice: boolean | null;
}

/** What stands at a path when it is no regular file; null when it is one. */
export function oddKind(info: FileKind): string | null {
  if (info.isFile) return null;
  if (info.isDirectory) return "is a directory";
  if (info.isFifo) return "is a FIFO";
  if (info.isSocket) return "is a socket";
  if (info.isCharDevice || info.isBlockDevice) return "is a device";
  return "is not a regular file";
}
