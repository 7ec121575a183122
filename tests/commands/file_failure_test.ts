// What is said of a file that could not be written or removed: the words of its purpose, the advice for the cause.
import { assertEquals } from "@std/assert";
import { fileFailure } from "../../lib/commands/file_failure.ts";
import { FileError } from "../../lib/heartbeat/file_error.ts";

/** What was being done, the step and the code that it failed with, and what is said. */
const CASES = [
  {
    failed: ["beat", "create temp", "EROFS"],
    message: `cannot write "a/b": read-only file system; this beat is missing`,
    hint: "mount the directory writable, or choose another with --file or JSC_HOME",
  },
  {
    failed: ["clear", "remove", "EROFS"],
    message: `cannot remove "a/b": read-only file system; the file is still there: readers will believe it runs`,
    hint: "mount the directory writable, or choose another with --file or JSC_HOME",
  },
  {
    failed: ["output", "create temp", "EROFS"],
    message: `cannot write "a/b": read-only file system; what stood there still stands`,
    hint: "mount the directory writable, or choose another with --output",
  },
  {
    failed: ["output", "create temp", "ENOSPC"],
    message: `cannot write "a/b": no space left on device; what stood there still stands`,
    hint: "free inodes or space on that file system (df -i, df)",
  },
  {
    failed: ["output", "fill temp", "ENOSPC"],
    message: `cannot write "a/b": no space left on device; what stood there still stands`,
    hint: "free space on that file system (df)",
  },
  {
    failed: ["beat", "replace", "EEXIST"],
    message: `cannot write "a/b": file exists; this beat is missing`,
    hint: "it must be a regular file, or none yet, in a directory that this user can write",
  },
] as const;

for (const { failed: [purpose, step, code], message, hint } of CASES) {
  Deno.test(`${code} at "${step}" of ${purpose}: ${hint}`, () => {
    const failure = fileFailure(new FileError(step, "a/b", Object.assign(new Error("x"), { code })), purpose);
    assertEquals([failure.code, failure.message, failure.hint], [5, message, hint]);
  });
}
