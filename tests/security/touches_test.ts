// The binary touches what docs/security.md says and nothing else, by the system's own record.
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path/join";
import { COMMANDS } from "../../lib/commands/table.ts";
import { ENVIRONMENT_NAMES } from "../../lib/environment.ts";
import { COMPILE_FLAGS } from "../../tools/compile.ts";
import { BINARY, needing } from "../binary.ts";
import { installed } from "../installed.ts";
import { withFolder } from "../run_vigil.ts";
import { productFiles } from "../source_files.ts";
import { PERMISSIONS, RUNTIME_READS, type Touch, TOUCHES } from "./touches.ts";
import { type Deed, deedsOf } from "./trace.ts";

const TRACED = "trace=%file,%network,%process,inotify_add_watch";

/** Runs the binary in `folder` and answers what it did. */
async function deedsOfRun(words: readonly string[], folder: string): Promise<Deed[]> {
  const record = join(folder, "..", "record");
  const child = new Deno.Command("strace", {
    args: ["-f", "-qq", "-s", "65536", "-e", TRACED, "-o", record, BINARY, ...words],
    cwd: folder,
    clearEnv: true,
    env: { JSC_HOME: join(folder, "home") },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  child.stderr.cancel();
  for await (const _ of child.stdout) {
    // A follower ends when it is told to, once it has shown that it is there.
    if (words.includes("--follow")) Deno.kill(Number(/^\d+/.exec(Deno.readTextFileSync(record))?.[0]), "SIGTERM");
  }
  assertEquals((await child.status).code, 0, words.join(" "));
  return deedsOf(Deno.readTextFileSync(record), folder);
}

/** Whether `path` is one of those that a row of the table names. */
function isNamed(path: string, names: readonly string[], folder: string): boolean {
  return names.some((name) => {
    const pattern = join(folder, name.replace("$JSC_HOME", "home")).replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`^${pattern.replaceAll("*", "[^/]*")}$`).test(path);
  });
}

/** What was done that the row does not name. */
function unnamed(deeds: readonly Deed[], touch: Touch, folder: string): Deed[] {
  const isRuntimes = (path: string) => path === BINARY || RUNTIME_READS.some(({ path: known }) => known.test(path));
  return deeds.filter(({ kind, what }) => {
    switch (kind) {
      case "read":
        return !isRuntimes(what) && !isNamed(what, touch.reads, folder);
      case "write":
        return !isNamed(what, touch.writes, folder);
      case "watch":
        return !isNamed(what, touch.watches ?? [], folder);
      case "process":
      case "network":
        return true;
    }
  });
}

Deno.test({
  ...needing("no command touches more than its row says, starts a process or opens a socket", {
    VIGIL_BINARY: BINARY !== "",
    strace: await installed("strace"),
  }),
  fn: () =>
    withFolder(async (outer) => {
      const folder = join(outer, "work");
      Deno.mkdirSync(join(folder, "hooks"), { recursive: true });
      const line = `{"hook_event_name":"UserPromptSubmit","session_id":"s1"}\n`;
      for (const name of ["in.jsonl", "hooks/a.jsonl"]) Deno.writeTextFileSync(join(folder, name), line);
      for (const touch of TOUCHES) {
        const words = touch.words.map((word) => word.replace("$JSC_HOME", join(folder, "home")));
        // The first process is the program itself, started by strace.
        const [start, ...deeds] = await deedsOfRun(words, folder);
        assert(start.kind === "process" && start.what.startsWith("execve("), start.what);
        assertEquals(unnamed(deeds, touch, folder), [], touch.words.join(" "));
        const idle = [...touch.reads.map((name) => ["read", name]), ...touch.writes.map((name) => ["write", name])]
          .filter(([kind, name]) => !deeds.some((deed) => deed.kind === kind && isNamed(deed.what, [name], folder)));
        assertEquals(idle.filter(([, name]) => name !== "$JSC_HOME"), [], `${touch.words.join(" ")} does not touch`);
      }
    }),
});

Deno.test("the check sees a file, a process and a socket that no row names", () => {
  const record = `1 execve("/vigil", ["vigil"], 0x1 /* 1 var */) = 0
1 openat(AT_FDCWD, "/etc/passwd", O_RDONLY|O_CLOEXEC) = 3
2 openat(AT_FDCWD, "x", O_WRONLY|O_CREAT, 0666 <unfinished ...>
1 rename("/w/a", "/w/b") = 0
1 socket(AF_INET, SOCK_STREAM, IPPROTO_TCP) = 4
1 clone3({flags=CLONE_VM|CLONE_THREAD}, 88) = 2
1 clone(child_stack=NULL, flags=SIGCHLD) = 3
1 inotify_add_watch(5, "/w/hooks", IN_MODIFY) = 1
1 openat(AT_FDCWD, "/etc/localtime", O_RDONLY) = 3
`;
  const [, ...deeds] = deedsOf(record, "/w");
  const touch: Touch = { words: [], reads: [], writes: ["b"], watches: ["hooks"] };
  assertEquals(unnamed(deeds, touch, "/w").map(({ kind, what }) => `${kind} ${what.slice(0, 15)}`), [
    "read /etc/passwd",
    "write /w/x",
    "write /w/a",
    "network socket(AF_INET,",
    "process clone(child_sta",
  ]);
});

Deno.test("every command has a row", () => {
  for (const { path } of COMMANDS) {
    assert(TOUCHES.some(({ words }) => path.every((word, at) => words[at] === word)), path.join(" "));
  }
});

Deno.test("the binary is granted what the table says", () => {
  const flags = COMPILE_FLAGS.filter((flag) => /^--(?:allow|deny|ignore|no-prompt|no-code)/.test(flag));
  assertEquals(flags.map((flag) => flag.split("=")[0]).sort(), Object.keys(PERMISSIONS).sort());
  assert(flags.includes(`--allow-env=${ENVIRONMENT_NAMES.join(",")}`));
  assert(ENVIRONMENT_NAMES.every((name) => /^[A-Z][A-Z_]*$/.test(name)), "names, no patterns");
});

/** The parts of the runtime that the program uses; none of them starts a process, opens a socket or loads code. */
const DENO_PARTS =
  /^(?:FsFile|FileInfo|FsWatcher|SeekMode|Signal|addSignalListener|args|build|consoleSize|env|errors|exit|lstatSync|mkdirSync|openSync|pid|ppid|readDirSync|readTextFileSync|removeSignalListener|removeSync|renameSync|statSync|stderr|stdin|stdout|version|watchFs)$/;

/** Its Node modules: what kind of file stdout is, and bytes as text. */
const NODE_PARTS: ReadonlySet<string> = new Set(["node:fs", "node:buffer"]);

Deno.test("the source names no part of the runtime that could start, connect or evaluate", () => {
  const found: string[] = [];
  for (const { path, text } of productFiles()) {
    for (const [, part] of text.matchAll(/\bDeno\.(\w+)/g)) if (!DENO_PARTS.test(part)) found.push(`${path}: ${part}`);
    for (const [, part] of text.matchAll(/\bDeno\.env\.(\w+)/g)) if (part !== "get") found.push(`${path}: env.${part}`);
    const other = /\b(?:fetch|eval|WebSocket|EventSource|Worker|XMLHttpRequest)\(|\bnew Function\b|\bDeno\[/.exec(text);
    if (other !== null) found.push(`${path}: ${other[0]}`);
    for (const [, name] of text.matchAll(/"(node:[^"]+)"/g)) if (!NODE_PARTS.has(name)) found.push(`${path}: ${name}`);
  }
  assertEquals(found, []);
});
