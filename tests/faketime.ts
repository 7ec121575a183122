// Debian's faketime: a library that sets the wall clock of one process, by a file that may change while it runs.

function libraryPath(): string | undefined {
  for (const { name } of Deno.readDirSync("/usr/lib")) {
    const path = `/usr/lib/${name}/faketime/libfaketime.so.1`;
    try {
      Deno.statSync(path);
      return path;
    } catch {
      // Not in this one.
    }
  }
}

const library = libraryPath();

/** Whether it is installed. */
export const HAS_FAKETIME = library !== undefined;

/** The environment of a process whose wall clock is what `clockPath` says (`+5h`, `-1d`, `@2100-01-01 00:00:00`). */
export const fakeClock = (clockPath: string): Readonly<Record<string, string>> => ({
  LD_PRELOAD: library ?? "",
  FAKETIME_TIMESTAMP_FILE: clockPath,
  FAKETIME_NO_CACHE: "1",
  // Both names: the variable was renamed between versions. A jump of the wall clock does not move the steady one.
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
  DONT_FAKE_MONOTONIC: "1",
});
