// Pure. What went wrong with a file, and at which step: the advice depends on both.

/** The step of an operation that failed. */
export type FileStep = "look" | "make directory" | "create temp" | "fill temp" | "replace" | "remove";

/** A file operation that failed, with the system's error or our own reason as its cause. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly step: FileStep;
  readonly path: string;

  constructor(step: FileStep, path: string, cause: unknown) {
    super(`cannot ${step} "${path}"`, { cause });
    this.step = step;
    this.path = path;
  }
}
