// The binary where there is next to nothing: its libraries, /proc, a read-only root, a user without a name, no environment.
import { assertEquals, assertMatch } from "@std/assert";
import { existsSync } from "@std/fs/exists";
import { join } from "@std/path/join";
import { withFolder } from "../run_vigil.ts";
import { ROOT } from "../source_files.ts";
import { BINARY, needing, type Ran, runProgram } from "../binary.ts";

/** With the loader, all that the binary is linked against: glibc and libgcc, which Debian's slim images and distroless/cc hold. */
const LIBRARIES: readonly string[] = [
  "libc.so.6",
  "libdl.so.2",
  "libgcc_s.so.1",
  "libm.so.6",
  "libpthread.so.0",
  "librt.so.1",
];

const LOADER = "ld-linux-x86-64.so.2";

const CAPTURE = join(ROOT, "tests/data/corpus/claude/bash.hooks.jsonl");

/** Makes a container of the folder $1 with $2 on its /state, and runs the rest in it: user 12345, no environment. */
const ENTER = `
set -e
root=$1 state=$2
shift 2
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount --bind "$state" "$root/state"
exec env -i "$(command -v chroot)" --userspec=12345:12345 "$root" "$@"
`;

/** Runs vigil in a container made of `folder`, which holds `root` and `state`. */
const inside = (folder: string, args: readonly string[], input = ""): Promise<Ran> =>
  runProgram(
    ["unshare", "--mount", "sh", "-c", ENTER, "sh", join(folder, "root"), join(folder, "state"), "/vigil", ...args],
    input,
  );

/** A root with the binary, its libraries and two empty folders to mount on, and a folder any user may write. */
async function makeRoot(folder: string): Promise<void> {
  const libraries = "root/lib/x86_64-linux-gnu";
  for (const name of ["root/lib64", libraries, "root/proc", "root/state", "state"]) {
    Deno.mkdirSync(join(folder, name), { recursive: true });
  }
  Deno.chmodSync(join(folder, "state"), 0o1777);
  await Deno.copyFile(`/lib64/${LOADER}`, join(folder, "root/lib64", LOADER));
  for (const name of LIBRARIES) await Deno.copyFile(`/lib/x86_64-linux-gnu/${name}`, join(folder, libraries, name));
  await Deno.copyFile(BINARY, join(folder, "root/vigil"));
}

/** Whether this machine lets us mount and change the root at all. */
async function canEnter(): Promise<boolean> {
  if (BINARY === "" || !existsSync("/lib/x86_64-linux-gnu/libgcc_s.so.1")) return false;
  try {
    const probe = 'mount -t tmpfs tmpfs "$1" && mkdir "$1/proc" && mount -t proc proc "$1/proc"';
    const folder = await Deno.makeTempDir();
    const { code } = await runProgram(["unshare", "--mount", "sh", "-c", probe, "sh", folder]);
    await Deno.remove(folder);
    return code === 0;
  } catch {
    return false;
  }
}

const needs = { "VIGIL_BINARY": BINARY !== "", "root on x86_64 Debian with mounts and chroot": await canEnter() };

Deno.test({
  ...needing("write, check and observe work in a read-only root with nothing but the binary and its libraries", needs),
  fn: () =>
    withFolder(async (folder) => {
      await makeRoot(folder);
      const beat = ["--file", "/state/agent/heartbeat"];
      const run = async (args: string[], input?: string) => {
        const { code, stdout, stderr } = await inside(folder, args, input);
        return [code, stdout, stderr] as const;
      };
      assertEquals(await run(["heartbeat", "check", ...beat]), [3, "", ""]);
      assertEquals(await run(["heartbeat", "write", ...beat]), [0, "", ""]);
      assertEquals(await run(["heartbeat", "check", ...beat]), [0, "", ""]);

      const [code, transitions] = await run(["observe"], await Deno.readTextFile(CAPTURE));
      assertEquals(code, 0);
      assertMatch(transitions, /working → idle/);

      assertEquals((await run(["heartbeat", "write"]))[0], 6);
      const [readOnly, , complaint] = await run(["heartbeat", "write", "--file", "/heartbeat"]);
      assertEquals(readOnly, 5);
      assertMatch(complaint, /read-only file system/);
    }),
});

Deno.test({
  ...needing("without /proc the runtime ends in 1 before vigil runs, as the containers page says", needs),
  fn: () =>
    withFolder(async (folder) => {
      await makeRoot(folder);
      const { code, stderr } = await runProgram(["chroot", join(folder, "root"), "/vigil", "--version"]);
      assertEquals(code, 1);
      assertMatch(stderr, /\/proc/);
    }),
});

Deno.test({
  ...needing("an executable that may not be read ends in 1", needs),
  fn: () =>
    withFolder(async (folder) => {
      await makeRoot(folder);
      Deno.chmodSync(join(folder, "root/vigil"), 0o711);
      assertEquals((await inside(folder, ["--version"])).code, 1);
    }),
});

/** What README and the containers page say of limits. */
const LIMITS: readonly (readonly [limit: string, code: number])[] = [
  ["-n 8", 101],
  ["-n 10", 101],
  ["-n 16", 0],
  ["-s 64", 134],
  ["-s 256", 0],
  ["-v 32000000", 133],
  ["-v 52428800", 0],
];

Deno.test({
  ...needing("a limit on files, stack or address space ends in the code that is written down", {
    VIGIL_BINARY: BINARY !== "",
    "Linux on x86_64": Deno.build.target === "x86_64-unknown-linux-gnu",
  }),
  fn: () =>
    withFolder(async (folder) => {
      const file = join(folder, "heartbeat");
      await runProgram([BINARY, "heartbeat", "write", "--file", file]);
      for (const [limit, code] of LIMITS) {
        const line = `ulimit ${limit} && exec "$1" heartbeat check --file "$2"`;
        const ran = await runProgram(["sh", "-c", line, "sh", BINARY, file]);
        assertEquals(ran.code, code, `ulimit ${limit}: ${ran.stderr}`);
      }
    }),
});
