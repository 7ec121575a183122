// Faults: disks that are full, read-only or forbidden, and what stands in a file's place.
import { assert, assertEquals } from "@std/assert";
import {
  assertWholeBeat,
  CLOCK_LINE,
  hookLines,
  OBSERVE,
  sessionIds,
  textOf,
  told,
  transitionCountIn,
  transitionsOf,
  writeArgs,
} from "./evidence.ts";
import { names } from "../run_vigil.ts";
import type { Fault } from "./fault.ts";
import { AS_OTHERS, CAN_BE_REFUSED, CAN_MOUNT, mustSucceed, succeeds } from "../rights.ts";
import { type Ran, ran, Running, throughShell, until } from "./running.ts";

const MOUNT = { "the right to mount": CAN_MOUNT };
const REFUSED = { "setpriv, as root": CAN_BE_REFUSED };

const INPUT = CLOCK_LINE + [...hookLines(["s1", "s2"], 1)].join("");
/** More than a small disk or a pipe takes. */
const LARGE_INPUT = CLOCK_LINE + [...hookLines(sessionIds(10), 100)].join("");

/** A small file system of its own, gone afterwards; `test` gets its folder, with a beat in it. */
async function onSmallDisk<T>(folder: string, options: string, test: (disk: string) => Promise<T>): Promise<T> {
  const disk = `${folder}/disk`;
  Deno.mkdirSync(disk);
  mustSucceed("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk);
  try {
    told(await ran(writeArgs(`${disk}/heartbeat`)), 0);
    return await test(disk);
  } finally {
    mustSucceed("umount", "--lazy", disk);
  }
}

/** Fills the disk to the last byte; undone by removing the file. */
function fill(disk: string): string {
  const path = `${disk}/filler`;
  using filler = Deno.openSync(path, { write: true, create: true });
  try {
    for (;;) filler.writeSync(new Uint8Array(4096));
  } catch (error) {
    assertEquals((error as { code?: string }).code, "ENOSPC");
  }
  return path;
}

/** Runs a command that must fail with 5 and leave the folder of `file` as it was; what it said. */
async function failing(file: string, command: () => Promise<Ran>, folder: string): Promise<string> {
  const inside = file.slice(0, file.lastIndexOf("/"));
  const before = [Deno.readTextFileSync(file), names(inside)];
  const said = told(await command(), 5, folder);
  assertEquals([Deno.readTextFileSync(file), names(inside)], before);
  return `${said}; the last beat byte for byte`;
}

/** Faults that cost a beat: what makes the disk fail, and which commands then do. */
const BEATS: readonly Fault[] = [
  {
    fault: "full disk (ENOSPC)",
    command: "heartbeat write",
    holds: "exit 5, the last beat intact, no temp left",
    needs: MOUNT,
    run: (folder) =>
      onSmallDisk(folder, "size=64k", (disk) => {
        fill(disk);
        const file = `${disk}/heartbeat`;
        return failing(file, () => ran(writeArgs(file)), folder);
      }),
  },
  {
    fault: "full disk, then space again",
    command: "heartbeat write --every",
    holds: "each missing beat is loud; with space it beats on and ends with 0",
    needs: MOUNT,
    run: (folder) =>
      onSmallDisk(folder, "size=64k", async (disk) => {
        const file = `${disk}/heartbeat`;
        const last = Deno.readTextFileSync(file);
        const filler = fill(disk);
        const running = new Running(writeArgs(file, "--every", "10ms"));
        await until("three beats are missed", () => running.stderr.split("this beat is missing").length > 3);
        assertEquals(Deno.readTextFileSync(file), last);
        Deno.removeSync(filler);
        await until("it beats again", () => textOf(file).includes(`pid=${running.pid}\n`));
        const said = told(await running.terminate(), 0, folder);
        assertWholeBeat(file);
        assertEquals(names(disk), ["heartbeat"]);
        return `${said}; beats again with space`;
      }),
  },
  {
    fault: "no free inode",
    command: "heartbeat write",
    holds: "exit 5, the last beat intact",
    needs: MOUNT,
    run: (folder) =>
      onSmallDisk(folder, "size=1m,nr_inodes=16", (disk) => {
        try {
          for (let n = 0;; n++) Deno.writeTextFileSync(`${disk}/${n}`, "");
        } catch (error) {
          assertEquals((error as { code?: string }).code, "ENOSPC");
        }
        const file = `${disk}/heartbeat`;
        return failing(file, () => ran(writeArgs(file)), folder);
      }),
  },
  ...["write", "clear"].map((command): Fault => ({
    fault: "read-only file system (EROFS)",
    command: `heartbeat ${command}`,
    holds: "exit 5, the last beat intact",
    needs: MOUNT,
    run: (folder) =>
      onSmallDisk(folder, "size=64k", (disk) => {
        mustSucceed("mount", "-o", "remount,ro", disk);
        const file = `${disk}/heartbeat`;
        return failing(file, () => ran(["heartbeat", command, "--file", file]), folder);
      }),
  })),
  ...["write", "clear"].map((command): Fault => ({
    fault: "the file itself is a mount (EBUSY)",
    command: `heartbeat ${command}`,
    holds: "exit 5, the last beat intact",
    needs: MOUNT,
    run: (folder) =>
      onSmallDisk(folder, "size=64k", async (disk) => {
        const file = `${disk}/heartbeat`;
        Deno.copyFileSync(file, `${folder}/outside`);
        mustSucceed("mount", "--bind", `${folder}/outside`, file);
        try {
          return await failing(file, () => ran(["heartbeat", command, "--file", file]), folder);
        } finally {
          mustSucceed("umount", file);
        }
      }),
  })),
  ...["write", "clear"].map((command): Fault => ({
    fault: "folder without permission (EACCES)",
    command: `heartbeat ${command}`,
    holds: "exit 5, the last beat intact",
    needs: REFUSED,
    run: async (folder) => {
      const file = `${folder}/closed/heartbeat`;
      told(await ran(writeArgs(file)), 0);
      Deno.chmodSync(`${folder}/closed`, 0o555);
      const command_ = () => ran(["heartbeat", command, "--file", file], null, { through: AS_OTHERS });
      const said = await failing(file, command_, folder);
      Deno.chmodSync(`${folder}/closed`, 0o755);
      return said;
    },
  })),
  {
    fault: "file without permission (EACCES)",
    command: "heartbeat check --explain",
    holds: "absent, and why; never a verdict about the agent",
    needs: REFUSED,
    run: async (folder) => {
      const file = `${folder}/heartbeat`;
      told(await ran(writeArgs(file)), 0);
      Deno.chmodSync(file, 0);
      const end = await ran(["heartbeat", "check", "--explain", "--file", file], null, { through: AS_OTHERS });
      told(end, 3);
      return `exit 3: ${end.stderr.split("\n")[1]}`;
    },
  },
  {
    fault: "a link planted at the path",
    command: "heartbeat write",
    holds: "the link is replaced; what it points to is left alone",
    run: async (folder) => {
      Deno.writeTextFileSync(`${folder}/precious`, "precious");
      Deno.symlinkSync(`${folder}/precious`, `${folder}/heartbeat`);
      const said = told(await ran(writeArgs(`${folder}/heartbeat`)), 0);
      assertEquals(Deno.readTextFileSync(`${folder}/precious`), "precious");
      assert(Deno.lstatSync(`${folder}/heartbeat`).isFile);
      assertWholeBeat(`${folder}/heartbeat`);
      return `${said}; the link is replaced, its target untouched`;
    },
  },
  ...[["check", 3], ["report", 0], ["write", 5], ["clear", 0]].map(([command, code]): Fault => ({
    fault: "a FIFO at the path, nobody at its other end",
    command: `heartbeat ${command}`,
    holds: "it is never opened: no hang",
    run: async (folder) => {
      mustSucceed("mkfifo", `${folder}/heartbeat`);
      const said = told(await ran(["heartbeat", `${command}`, "--file", `${folder}/heartbeat`]), Number(code), folder);
      assertEquals(names(folder), command === "clear" ? [] : ["heartbeat"]);
      return said;
    },
  })),
  {
    fault: "a file of 5 GB",
    command: "heartbeat check --explain",
    holds: "invalid at once: 64 KiB are read",
    run: async (folder) => {
      const file = `${folder}/heartbeat`;
      Deno.writeTextFileSync(file, "");
      Deno.truncateSync(file, 5 * 2 ** 30);
      const end = await ran(["heartbeat", "check", "--explain", "--file", file]);
      told(end, 4);
      return `exit 4: ${end.stderr.split("\n")[1]}`;
    },
  },
];

/** Faults that cost output. */
const OUTPUTS: readonly Fault[] = [
  ...[
    ["observe", [...OBSERVE]],
    ["observe --format text", ["observe", "--quiet"]],
    ["observe --format otlp", ["observe", "--format", "otlp"]],
    ["heartbeat report", ["heartbeat", "report"]],
    ["coverage", ["coverage"]],
    ["--help", ["--help"]],
  ].map(([command, args]): Fault => ({
    fault: "stdout is full (/dev/full)",
    command: `${command}`,
    holds: "exit 5, said on stderr",
    run: async (folder) => {
      const through = throughShell('exec "$@" >/dev/full');
      return told(await ran([...args], INPUT, { through, env: { JSC_HOME: folder } }), 5);
    },
  })),
  {
    fault: "stderr is full (/dev/full), and input is rejected",
    command: "observe",
    holds: "the verdict is the same: exit 4, the transitions out",
    run: async () => {
      const end = await ran(OBSERVE, `oops\n${INPUT}`, { through: throughShell('exec "$@" 2>/dev/full') });
      assertEquals(transitionsOf(end.stdout).length, 8);
      return `${told(end, 4)}; every transition out`;
    },
  },
  {
    fault: "the output file's disk is full",
    command: "observe",
    holds: "exit 5; no line out but the last is torn",
    needs: MOUNT,
    run: (folder) =>
      onSmallDisk(folder, "size=128k", async (disk) => {
        const through = throughShell(`exec "$@" >"${disk}/out"`);
        const said = told(await ran(OBSERVE, LARGE_INPUT, { through }), 5);
        const lines = Deno.readTextFileSync(`${disk}/out`).split("\n").slice(0, -1);
        assert(lines.length > 50, `${lines.length} lines`);
        lines.forEach((line) => JSON.parse(line));
        return `${said}; ${lines.length} lines out, all whole`;
      }),
  },
  {
    fault: "full disk",
    command: "heartbeat report --output",
    holds: "exit 5, the last report intact, no temp left",
    needs: MOUNT,
    run: (folder) =>
      onSmallDisk(folder, "size=64k", async (disk) => {
        const file = `${disk}/heartbeat`;
        const args = ["heartbeat", "report", "--format", "prometheus", "--file", file, "--output", `${disk}/out.prom`];
        told(await ran(args), 0);
        const before = Deno.readTextFileSync(`${disk}/out.prom`);
        fill(disk);
        const said = told(await ran(args), 5, folder);
        assertEquals(Deno.readTextFileSync(`${disk}/out.prom`), before);
        assertEquals(names(disk), ["filler", "heartbeat", "out.prom"]);
        return `${said}; the last report byte for byte`;
      }),
  },
];

/** Faults of the folder of session files. */
const STATES: readonly Fault[] = [
  {
    fault: "full disk, then space again",
    command: "observe --follow --state-dir",
    holds: "said once; transitions go on; the files that are there stay whole; with space they are brought up to date",
    needs: MOUNT,
    run: (folder) =>
      onSmallDisk(folder, "size=256k", async (disk) => {
        const [path, state] = [`${folder}/a.jsonl`, `${disk}/state`];
        const lines = hookLines(["s1"], 1000);
        let written = 0;
        const write = (count: number) => {
          for (let n = 0; n < count; n++) Deno.writeTextFileSync(path, lines.next().value!, { append: true });
          written += count;
        };
        const countIn = () => transitionCountIn(`${state}/s1.json`);
        Deno.writeTextFileSync(path, CLOCK_LINE);
        const running = new Running([...OBSERVE, "--follow", "--state-dir", state, path]);
        write(4);
        await until("the state is written", () => countIn() === 4);
        const filler = fill(disk);
        for (let round = 0; round < 3; round++) {
          write(4);
          await until("they are out", () => running.lineCount === written);
          if (round === 0) await until("it is said", () => running.stderr !== "");
        }
        assertEquals([countIn(), names(state)], [4, ["s1.json"]]);
        Deno.removeSync(filler);
        write(1);
        await until("the state is up to date", () => countIn() === written);
        const end = await running.terminate();
        assertEquals(end.stderr.split("\n").length, 2, end.stderr);
        return `${told(end, 0, folder)}; said once, up to date with space`;
      }),
  },
  {
    fault: "full disk",
    command: "observe --state-dir",
    holds: "exit 5 before anything is read",
    needs: MOUNT,
    run: (folder) =>
      onSmallDisk(folder, "size=64k,nr_inodes=8", async (disk) => {
        Deno.mkdirSync(`${disk}/state`);
        for (let n = 0; n < 8; n++) succeeds("touch", `${disk}/${n}`);
        const end = await ran([...OBSERVE, "--state-dir", `${disk}/state`], INPUT);
        assertEquals(end.stdout, "");
        return told(end, 5, folder);
      }),
  },
  {
    fault: "read-only file system (EROFS)",
    command: "observe --state-dir",
    holds: "exit 5 before anything is read",
    needs: MOUNT,
    run: (folder) =>
      onSmallDisk(folder, "size=64k", async (disk) => {
        mustSucceed("mount", "-o", "remount,ro", disk);
        const end = await ran([...OBSERVE, "--state-dir", `${disk}/state`], INPUT);
        assertEquals(end.stdout, "");
        return told(end, 5, folder);
      }),
  },
  {
    fault: "folder without permission (EACCES)",
    command: "observe --state-dir",
    holds: "exit 5 before anything is read",
    needs: REFUSED,
    run: async (folder) => {
      Deno.mkdirSync(`${folder}/state`);
      Deno.chmodSync(`${folder}/state`, 0o555);
      const end = await ran([...OBSERVE, "--state-dir", `${folder}/state`], INPUT, { through: AS_OTHERS });
      assertEquals(end.stdout, "");
      return told(end, 5, folder);
    },
  },
  {
    fault: "a followed file without permission (EACCES)",
    command: "observe --follow",
    holds: "it is named; the others are followed; exit 5",
    needs: REFUSED,
    run: async (folder) => {
      Deno.writeTextFileSync(`${folder}/a.jsonl`, INPUT);
      Deno.writeTextFileSync(`${folder}/b.jsonl`, [...hookLines(["s3", "s4"], 1)].join(""));
      Deno.chmodSync(`${folder}/a.jsonl`, 0);
      const running = new Running([...OBSERVE, "--follow", folder], { through: AS_OTHERS });
      await until("the other file is out", () => running.lineCount === 8);
      return `${told(await running.terminate(), 5, folder)}; the other file followed`;
    },
  },
];

export const DISKS: readonly Fault[] = [...BEATS, ...OUTPUTS, ...STATES];
