// The heartbeat when the disk, the mount or the rights are against it: the right code, and the last beat intact.
import { assert, assertEquals } from "@std/assert";
import { FileError } from "../../lib/heartbeat/file_error.ts";
import { replaceFile } from "../../lib/heartbeat/replace_file.ts";
import { readHeartbeat } from "../../lib/heartbeat/read_heartbeat.ts";
import { AS_OTHERS, CAN_BE_REFUSED, CAN_MOUNT, IS_ROOT, mustSucceed, succeeds } from "../rights.ts";
import { names, type Outcome, runVigil, vigilCommand, withFolder } from "../run_vigil.ts";

const text = (): string => `ts=${Math.floor(Date.now() / 1000)}\npid=7\ncli=c\nsession=s\n`;

/** A test that needs the right to mount. */
function mountTest(name: string, test: (folder: string) => Promise<void>): void {
  Deno.test({
    name: `${name} (needs the right to mount)`,
    ignore: !CAN_MOUNT,
    fn: () =>
      withFolder(async (folder) => {
        try {
          await test(folder);
        } finally {
          // Mounts lie one above the other at most twice, and inner ones go first.
          for (const path of [`${folder}/mount/heartbeat`, `${folder}/mount`]) succeeds("umount", "--lazy", path);
        }
      }),
  });
}

/** A small file system of its own at `FOLDER/mount`, with a beat in it. */
function mountSmall(folder: string, options: string): string {
  Deno.mkdirSync(`${folder}/mount`);
  mustSucceed("mount", "-t", "tmpfs", "-o", options, "tmpfs", `${folder}/mount`);
  Deno.writeTextFileSync(`${folder}/mount/heartbeat`, text());
  return `${folder}/mount/heartbeat`;
}

/** Asserts that `command` fails with exit 5 and these words, and that it changed nothing in the file's folder. */
async function assertFails(command: string, file: string, reason: string, hint: string): Promise<void> {
  const folder = file.slice(0, file.lastIndexOf("/"));
  const [before, list] = [readHeartbeat(file), names(folder)];
  const verb = command === "write" ? "write" : "remove";
  const consequence = command === "write"
    ? "this beat is missing"
    : "the file is still there: readers will believe it runs";
  assertEquals(await runVigil(["heartbeat", command, "--file", file]), {
    code: 5,
    stdout: "",
    stderr: `vigil: cannot ${verb} "${file}": ${reason}; ${consequence}\nhint: ${hint}\n`,
  });
  assertEquals([readHeartbeat(file), names(folder)], [before, list]);
}

mountTest("a full disk costs the beat, not the last one", async (folder) => {
  const file = mountSmall(folder, "size=64k");
  const filler = Deno.openSync(`${folder}/mount/filler`, { write: true, create: true });
  try {
    for (;;) filler.writeSync(new Uint8Array(4096));
  } catch (error) {
    assertEquals((error as { code?: string }).code, "ENOSPC");
  } finally {
    filler.close();
  }
  await assertFails("write", file, "no space left on device", "free space on that file system (df)");
  assertEquals((await runVigil(["heartbeat", "check", "--file", file])).code, 0);
  assertEquals((await runVigil(["heartbeat", "clear", "--file", file])).code, 0);
});

mountTest("a disk without a free inode costs the beat, not the last one", async (folder) => {
  const file = mountSmall(folder, "size=1m,nr_inodes=16");
  try {
    for (let n = 0;; n++) Deno.writeTextFileSync(`${folder}/mount/${n}`, "");
  } catch (error) {
    assertEquals((error as { code?: string }).code, "ENOSPC");
  }
  const hint = "free inodes or space on that file system (df -i, df)";
  await assertFails("write", file, "no space left on device", hint);
  const inner = await runVigil(["heartbeat", "write", "--file", `${folder}/mount/new/heartbeat`]);
  assertEquals([inner.code, inner.stderr.split("\n")[1]], [5, `hint: ${hint}`]);
});

mountTest(
  "temps of killed writers that took the last inodes make room, those of living ones do not",
  async (folder) => {
    const file = mountSmall(folder, "size=1m,nr_inodes=16");
    const temp = (n: number) => `${folder}/mount/.vigil-${n.toString(16).padStart(32, "0")}.tmp`;
    let last = 0;
    try {
      for (;; last++) Deno.writeTextFileSync(temp(last), "");
    } catch (error) {
      assertEquals((error as { code?: string }).code, "ENOSPC");
    }
    const old = new Date(Date.now() - 3000);
    for (let n = 0; n < last; n++) Deno.utimeSync(temp(n), old, old);
    const living = Array.from({ length: last }, (_, n) => Deno.openSync(temp(n), { write: true }));
    for (const handle of living) handle.lockSync(true);
    const hint = "free inodes or space on that file system (df -i, df)";
    await assertFails("write", file, "no space left on device", hint);
    for (const handle of living) handle.close();

    Deno.writeTextFileSync(file, "ts=1\n");
    assertEquals(await runVigil(["heartbeat", "write", "--file", file]), { code: 0, stdout: "", stderr: "" });
    assertEquals((await runVigil(["heartbeat", "check", "--file", file])).code, 0);
    assertEquals(names(`${folder}/mount`), ["heartbeat"]);
  },
);

mountTest("a read-only file system refuses to write and to clear, and a file of output", async (folder) => {
  const file = mountSmall(folder, "size=64k");
  mustSucceed("mount", "-o", "remount,ro", `${folder}/mount`);
  const hint = "mount the directory writable, or choose another with --file or JSC_HOME";
  await assertFails("write", file, "read-only file system", hint);
  await assertFails("clear", file, "read-only file system", hint);
  const output = `${folder}/mount/output`;
  assertEquals(await runVigil(["heartbeat", "report", "--file", file, "--output", output]), {
    code: 5,
    stdout: "",
    stderr: `vigil: cannot write "${output}": read-only file system; what stood there still stands\n` +
      "hint: mount the directory writable, or choose another with --output\n",
  });
});

mountTest("a heartbeat that is itself a mount can be neither replaced nor removed", async (folder) => {
  const file = mountSmall(folder, "size=64k");
  Deno.writeTextFileSync(`${folder}/outside`, text());
  mustSucceed("mount", "--bind", `${folder}/outside`, file);
  const hint = "the file itself is a mount: mount the directory instead";
  await assertFails("write", file, "device or resource busy", hint);
  await assertFails("clear", file, "device or resource busy", hint);
});

mountTest("a file that opens and then cannot be read is invalid", async (folder) => {
  Deno.mkdirSync(`${folder}/mount`);
  mustSucceed("mount", "-t", "proc", "proc", `${folder}/mount`);
  const file = `${folder}/mount/${Deno.pid}/mem`;
  const { code, stdout, stderr } = await runVigil(["heartbeat", "check", "--explain", "--file", file]);
  assertEquals([code, stdout, stderr.split("\n")[1]], [4, "", "reading the file failed: input/output error"]);
});

/** Runs without the right to override permissions, which is root's only. */
async function runRefused(args: readonly string[]): Promise<Outcome> {
  const [program, ...rest] = [...AS_OTHERS, ...vigilCommand(), ...args];
  const { code, stdout, stderr } = await new Deno.Command(program, { args: rest, stdin: "null" }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test({
  name:
    "permissions: what cannot be read is absent, what cannot be written or looked for is loud (as root, needs setpriv)",
  ignore: !CAN_BE_REFUSED,
  fn: () =>
    withFolder(async (folder) => {
      const file = `${folder}/inner/heartbeat`;
      const of = (command: string, ...more: string[]) => runRefused(["heartbeat", command, "--file", file, ...more]);
      const hint = "hint: give this user write and search permission on the directory\n";
      Deno.mkdirSync(`${folder}/inner`);
      const beat = text();
      Deno.writeTextFileSync(file, beat);

      Deno.chmodSync(file, 0);
      const { code, stderr } = await of("check", "--explain");
      assertEquals([code, stderr.split("\n")[1]], [3, "there is no heartbeat to read: permission denied"]);
      Deno.chmodSync(file, 0o444);

      for (const mode of [0o555, 0o444, 0]) {
        Deno.chmodSync(`${folder}/inner`, mode);
        assertEquals(await of("write"), {
          code: 5,
          stdout: "",
          stderr: `vigil: cannot write "${file}": permission denied; this beat is missing\n${hint}`,
        });
        assertEquals(await of("clear"), {
          code: 5,
          stdout: "",
          stderr:
            `vigil: cannot remove "${file}": permission denied; the file is still there: readers will believe it runs\n${hint}`,
        });
        assertEquals((await of("check")).code, mode === 0o555 ? 0 : 3);
      }
      Deno.chmodSync(`${folder}/inner`, 0o755);
      assertEquals([Deno.readTextFileSync(file), names(`${folder}/inner`)], [beat, ["heartbeat"]]);
    }),
});

Deno.test({
  name: "a file of another user in a sticky folder can be neither replaced nor removed (needs root and setpriv)",
  ignore: !IS_ROOT || !CAN_BE_REFUSED,
  fn: () =>
    withFolder(async (folder) => {
      const file = `${folder}/inner/heartbeat`;
      Deno.mkdirSync(`${folder}/inner`);
      Deno.writeTextFileSync(file, text());
      for (const path of [file, `${folder}/inner`]) Deno.chownSync(path, 65534, 65534);
      Deno.chmodSync(`${folder}/inner`, 0o1777);
      for (const command of ["write", "clear"]) {
        const args = ["--bounding-set", "-fowner", ...vigilCommand(), "heartbeat", command, "--file", file];
        const { code, stderr } = await new Deno.Command("setpriv", { args, stdin: "null" }).output();
        assertEquals(code, 5);
        const [message, hint] = new TextDecoder().decode(stderr).split("\n");
        assert(message.includes("operation not permitted"), message);
        assertEquals(hint, "hint: the file or its directory is immutable, or sticky and the file another user's");
      }
      assertEquals(names(`${folder}/inner`), ["heartbeat"]);
    }),
});

Deno.test("a file of 5 GB without a line is invalid, at once", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/heartbeat`;
    Deno.writeTextFileSync(file, "");
    Deno.truncateSync(file, 5 * 2 ** 30);
    const { code, stderr } = await runVigil(["heartbeat", "check", "--explain", "--file", file]);
    assertEquals([code, stderr.split("\n")[1]], [4, "there is no ts line in the first 64 KiB, and no more is read"]);
  });
});

Deno.test("a parent that is a file, and a name too long, are named", async () => {
  await withFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "");
    const of = (file: string) => runVigil(["heartbeat", "write", "--file", file]);
    const below = await of(`${folder}/file/a/heartbeat`);
    assertEquals(below, {
      code: 5,
      stdout: "",
      stderr: `vigil: cannot write "${folder}/file/a/heartbeat": not a directory; this beat is missing\n` +
        "hint: a parent of that path is a file: remove it, or choose another path\n",
    });
    const long = `${folder}/${"n".repeat(256)}`;
    assertEquals(
      (await of(long)).stderr,
      `vigil: cannot write "${long}": file name too long; this beat is missing\nhint: choose a shorter path\n`,
    );
    assertEquals(names(folder), ["file"]);
  });
});

Deno.test("a link to a device is never opened", async () => {
  await withFolder(async (folder) => {
    Deno.symlinkSync("/dev/zero", `${folder}/heartbeat`);
    const of = (command: string) => runVigil(["heartbeat", command, "--file", `${folder}/heartbeat`]);
    assertEquals((await of("check")).code, 3);
    const { code, stderr } = await of("write");
    assertEquals([code, stderr.split("\n")[0]], [
      5,
      `vigil: cannot write "${folder}/heartbeat": is a device; this beat is missing`,
    ]);
  });
});

Deno.test({
  name: "a link below /dev is not removed (needs the right to mount)",
  ignore: !CAN_MOUNT,
  fn: () =>
    withFolder(async (folder) => {
      // A /dev of its own: were the refusal lost, this machine would lose no link of its own.
      const words = [...vigilCommand(), "heartbeat", "clear", "--file", "/dev/shm/link"].map((word) => `'${word}'`)
        .join(" ");
      const line =
        `mount -t tmpfs tmpfs /dev/shm && ln -s ${folder} /dev/shm/link && { ${words}; echo $?; ls /dev/shm; }`;
      const { stdout, stderr } = await new Deno.Command("unshare", { args: ["--mount", "sh", "-c", line] }).output();
      const decoder = new TextDecoder();
      assertEquals([decoder.decode(stdout), decoder.decode(stderr).split("\n")[0]], [
        "5\nlink\n",
        `vigil: cannot remove "/dev/shm/link": vigil's runtime opens nothing below /dev, /proc and /sys; ` +
        "the file is still there: readers will believe it runs",
      ]);
    }),
});

const canMakeDevices = await (async () => {
  let made = false;
  await withFolder((folder) => {
    made = succeeds("mknod", `${folder}/null`, "c", "1", "3");
  });
  return made;
})();

Deno.test({
  name: "a device is not removed (needs the right to make one)",
  ignore: !canMakeDevices,
  fn: () =>
    withFolder(async (folder) => {
      const device = `${folder}/null`;
      mustSucceed("mknod", device, "c", "1", "3");
      const { code, stderr } = await runVigil(["heartbeat", "clear", "--file", device]);
      assertEquals([code, stderr.split("\n")[0]], [
        5,
        `vigil: cannot remove "${device}": is a device; the file is still there: readers will believe it runs`,
      ]);
      assert(Deno.lstatSync(device).isCharDevice);
    }),
});

Deno.test("a writer whose temp was taken for abandoned writes once more", async () => {
  await withFolder((folder) => {
    const real = Deno.renameSync;
    let swept = 0;
    Deno.renameSync = (from, to) => {
      if (swept++ === 0) Deno.removeSync(from);
      real(from, to);
    };
    try {
      const beat = text();
      replaceFile(`${folder}/heartbeat`, new TextEncoder().encode(beat));
      assertEquals([Deno.readTextFileSync(`${folder}/heartbeat`), names(folder), swept], [beat, ["heartbeat"], 2]);
    } finally {
      Deno.renameSync = real;
    }
  });
});

Deno.test("a link planted under the temp's name, were it known, is not followed", async () => {
  await withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/victim`, "precious");
    const real = crypto.getRandomValues;
    crypto.getRandomValues = (array) => array;
    try {
      for (const target of ["victim", "nowhere"]) {
        const planted = `${folder}/.vigil-${"0".repeat(32)}.tmp`;
        Deno.symlinkSync(target, planted);
        try {
          replaceFile(`${folder}/heartbeat`, new TextEncoder().encode(text()));
          throw new Error("the planted link was followed or replaced");
        } catch (error) {
          assert(error instanceof FileError && error.cause instanceof Deno.errors.AlreadyExists, String(error));
        }
        assert(Deno.lstatSync(planted).isSymlink);
        Deno.removeSync(planted);
      }
    } finally {
      crypto.getRandomValues = real;
    }
    assertEquals(Deno.readTextFileSync(`${folder}/victim`), "precious");
    assertEquals(names(folder), ["victim"]);
  });
});

Deno.test("a socket, and a path that ends in a slash, are no place for a heartbeat", async () => {
  await withFolder(async (folder) => {
    using _socket = Deno.listen({ transport: "unix", path: `${folder}/heartbeat` });
    for (const [file, reason] of [[`${folder}/heartbeat`, "is a socket"], [`${folder}/`, "is a directory"]]) {
      const { code, stderr } = await runVigil(["heartbeat", "write", "--file", file]);
      assertEquals([code, stderr.split("\n")[0]], [
        5,
        `vigil: cannot write "${file}": ${reason}; this beat is missing`,
      ]);
    }
    assertEquals(names(folder), ["heartbeat"]);
  });
});
