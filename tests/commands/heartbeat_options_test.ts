// The options of the heartbeat commands: what they change, and what they refuse.
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Outcome, runVigil, startVigil, vigilCommand, withFolder } from "../run_vigil.ts";

/** Runs with `folder` as home. */
function inHome(folder: string, env: Readonly<Record<string, string>> = {}) {
  return (...args: string[]): Promise<Outcome> =>
    runVigil(["heartbeat", ...args], { env: { JSC_HOME: folder, ...env }, cwd: folder });
}

const silent = (code: number): Outcome => ({ code, stdout: "", stderr: "" });

/** Command lines that are wrong, and what is said about them. */
const REFUSED: readonly (readonly [args: readonly string[], message: string])[] = [
  [["check", "--ttl", "0"], '--ttl "0" is not above 0 and below 2^63 seconds'],
  [["check", "--ttl", "9223372036854775808"], '--ttl "9223372036854775808" is not above 0 and below 2^63 seconds'],
  [["check", "--ttl", "soon"], '--ttl "soon" is not a time span'],
  [["check", "--ttl", "500ms"], '--ttl "500ms" is not in whole seconds'],
  [["report", "--ttl", "1.5"], '--ttl "1.5" is not a time span'],
  [["check", "--max-skew=-1"], '--max-skew "-1" is not a time span'],
  [["check", "--wait", "forever"], '--wait "forever" is not a time span'],
  [["check", "--name", "a/b"], '--name "a/b" is not the name of a folder'],
  [["write", "--name", ".."], '--name ".." is not the name of a folder'],
  [["clear", "--name", "."], '--name "." is not the name of a folder'],
  [["report", "--name", "a", "--file", "b"], "--file and --name cannot be given together"],
  [["report", "--all", "--file", "b"], "--all and --file cannot be given together"],
  [["report", "--all", "--name", "b"], "--all and --name cannot be given together"],
  [["report", "--format", "xml"], 'option "--format" cannot be "xml": it is one of line, json, prometheus'],
  [["write", "--pid", "me"], '--pid "me" is not a process id'],
  [["write", "--every", "0"], "--every must be above 0"],
  [["write", "--clear-on-exit"], "--clear-on-exit needs --every"],
  [["write", "--no-parent-check"], "--no-parent-check needs --every"],
  [["write", "--file="], 'option "--file" needs a value: PATH'],
];

/** What ends a message -> the advice it has instead of a pointer to the command's help. */
const OWN_ADVICE: readonly (readonly [end: string, advice: string])[] = [
  ["is not a time span", "such as 90, 90s, 5m or 2h"],
  ["is not the name of a folder", "give a path with --file"],
];

Deno.test("a wrong option is a usage error that names it, with advice or the command's own help", async () => {
  await withFolder(async (folder) => {
    for (const [args, message] of REFUSED) {
      const { code, stdout, stderr } = await inHome(folder)(...args);
      const [said, hint] = stderr.split("\n");
      assertEquals([code, stdout, said], [6, "", `vigil: ${message}`], args.join(" "));
      const advice = OWN_ADVICE.find(([part]) => message.endsWith(part))?.[1];
      assertEquals(hint, `hint: ${advice ?? `see vigil heartbeat ${args[0]} --help`}`);
    }
    assertEquals([...Deno.readDirSync(folder)], []);
  });
});

Deno.test("--file and --name choose the heartbeat for all four commands", async () => {
  await withFolder(async (folder) => {
    const vigil = inHome(folder);
    for (const [place, file] of [[["--name", "night"], "night/heartbeat"], [["--file", "x/beat"], "x/beat"]] as const) {
      assertEquals(await vigil("write", ...place, "--pid", "7", "--cli", "mine", "--session", "a b"), silent(0));
      assertMatch(Deno.readTextFileSync(`${folder}/${file}`), /^ts=\d+\npid=7\ncli=mine\nsession=a%20b\n$/);
      assertEquals(await vigil("check", ...place), silent(0));
      const shown = place[0] === "--file" ? "x/beat" : `${folder}/night/heartbeat`;
      const { stdout } = await vigil("report", ...place);
      assert(stdout.endsWith(` pid=7 cli=mine session=a%20b file=${shown}\n`), stdout);
      assertEquals(await vigil("clear", ...place), silent(0));
      assertEquals(await vigil("check", ...place), silent(3));
    }
    assertEquals(await runVigil(["heartbeat", "write", "--file", "alone"], { cwd: folder }), silent(0));
  });
});

Deno.test("--ttl counts above the environment and is printed in seconds", async () => {
  await withFolder(async (folder) => {
    const vigil = inHome(folder, { JSC_ASSISTANT_HEARTBEAT_TTL: "100" });
    Deno.mkdirSync(`${folder}/assistant`);
    Deno.writeTextFileSync(`${folder}/assistant/heartbeat`, `ts=${Math.floor(Date.now() / 1000) - 1000}\n`);
    assertEquals(await vigil("check"), silent(1));
    assertEquals(await vigil("check", "--ttl", "2h"), silent(0));
    for (const [given, shown] of [["2h", "7200"], ["07200", "07200"], ["120m", "7200"], ["7200s", "7200"]]) {
      assertMatch((await vigil("report", "--ttl", given)).stdout, new RegExp(`^state=fresh .* ttl=${shown} `));
    }
  });
});

Deno.test("--max-skew makes a beat too far in the future invalid, for check and for report", async () => {
  await withFolder(async (folder) => {
    const vigil = inHome(folder);
    Deno.mkdirSync(`${folder}/assistant`);
    Deno.writeTextFileSync(`${folder}/assistant/heartbeat`, `ts=${Math.floor(Date.now() / 1000) + 7200}\n`);
    assertEquals(await vigil("check"), silent(0));
    assertEquals(await vigil("check", "--max-skew", "3h"), silent(0));
    assertEquals(await vigil("check", "--max-skew", "1h"), silent(4));
    assertMatch((await vigil("report", "--max-skew", "60")).stdout, /^state=invalid ts= age= /);
  });
});

Deno.test("--explain says on stderr what was found and what it means", async () => {
  await withFolder(async (folder) => {
    const vigil = inHome(folder);
    assertEquals(await vigil("check", "--explain"), {
      code: 3,
      stdout: "",
      stderr: `state=absent ts= age= ttl=300 pid= cli= session= file=${folder}/assistant/heartbeat\n` +
        "there is no heartbeat to read: no such file or directory\n",
    });
    Deno.mkdirSync(`${folder}/assistant/heartbeat`, { recursive: true });
    assertMatch((await vigil("check", "--explain")).stderr, /\nthere is no heartbeat to read: it is a directory\n$/);
  });
});

Deno.test("--explain tells of a limit in the environment that does not count, and the verdict stays", async () => {
  await withFolder(async (folder) => {
    Deno.mkdirSync(`${folder}/assistant`);
    Deno.writeTextFileSync(`${folder}/assistant/heartbeat`, `ts=${Math.floor(Date.now() / 1000) - 400}\n`);
    const vigil = inHome(folder, { JSC_ASSISTANT_HEARTBEAT_TTL: "10m" });
    const { code, stderr } = await vigil("check", "--explain");
    assertEquals([code, stderr.split("\n").slice(2)], [
      1,
      ['JSC_ASSISTANT_HEARTBEAT_TTL "10m" is no number of seconds: 300 counts', ""],
    ]);
    assertEquals(await vigil("check"), silent(1));
    const { code: given, stderr: said } = await vigil("check", "--explain", "--ttl", "10m");
    assertEquals([given, said.split("\n").length], [0, 3]);
  });
});

Deno.test("--wait ends with 0 as soon as a beat is there, and with the state's own code when none comes", async () => {
  await withFolder(async (folder) => {
    assertEquals(await inHome(folder)("check", "--wait", "200ms"), silent(3));
    assertEquals(await inHome(folder)("check", "--wait", "0"), silent(3));
    const waiting = startVigil(["heartbeat", "check", "--wait", "2h"], { env: { JSC_HOME: folder } });
    assertEquals(await inHome(folder)("write"), silent(0));
    assertEquals((await waiting.output()).code, 0);
  });
});

Deno.test("report prints JSON and metrics, of one heartbeat or of all", async () => {
  await withFolder(async (folder) => {
    const vigil = inHome(folder);
    for (const format of ["line", "json", "prometheus"]) {
      assertEquals(await vigil("report", "--all", "--format", format), silent(0), format);
    }
    await vigil("write", "--name", "b", "--pid", "7", "--session", "s");
    Deno.mkdirSync(`${folder}/a/heartbeat`, { recursive: true });
    const { code, stdout } = await vigil("report", "--all", "--format", "json");
    const [a, b] = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(code, 0);
    assertEquals([a.state, a.file, a.reason], [
      "absent",
      `${folder}/a/heartbeat`,
      "there is no heartbeat to read: it is a directory",
    ]);
    assertEquals([b.state, b.pid, b.session, b.reason], ["fresh", 7, "s", null]);
    const metrics = (await vigil("report", "--name", "b", "--format", "prometheus")).stdout;
    assertMatch(metrics, /\nvigil_heartbeat_state\{name="b",cli="",state="fresh"\} 1\n/);
    const file = (await vigil("report", "--file", "b/heartbeat", "--format", "prometheus")).stdout;
    assertMatch(file, /\nvigil_heartbeat_ttl_seconds\{name="b\/heartbeat",cli=""\} 300\n/);
  });
});

Deno.test("--output replaces a file as a whole and prints nothing", async () => {
  await withFolder(async (folder) => {
    const vigil = inHome(folder);
    assertEquals(await vigil("report", "--output", "out/vigil.prom", "--format", "prometheus"), silent(0));
    assertMatch(Deno.readTextFileSync(`${folder}/out/vigil.prom`), /^# HELP /);
    assertEquals([...Deno.readDirSync(`${folder}/out`)].map((entry) => entry.name), ["vigil.prom"]);
    assertEquals(await vigil("report", "--output", "out"), {
      code: 5,
      stdout: "",
      stderr: 'vigil: cannot write "out": is a directory; what stood there still stands\n' +
        "hint: it must be a regular file, or none yet, in a directory that this user can write\n",
    });
  });
});

Deno.test("a home that cannot be listed is no empty one", async () => {
  await withFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "");
    const { code, stderr } = await runVigil(["heartbeat", "report", "--all"], { env: { JSC_HOME: `${folder}/file` } });
    assertEquals(code, 5);
    assertEquals(stderr.split("\n")[0], `vigil: cannot list "${folder}/file": not a directory`);
  });
});

Deno.test("a file's mode is 0666 less the umask, whatever stood there before", async () => {
  await withFolder(async (folder) => {
    for (const [umask, mode] of [["022", 0o644], ["077", 0o600], ["027", 0o640], ["000", 0o666]] as const) {
      const { success } = await new Deno.Command("sh", {
        args: ["-c", `umask ${umask}; exec "$@"`, "sh", ...vigilCommand(), "heartbeat", "write", "--file", "heartbeat"],
        cwd: folder,
        stdin: "null",
      }).output();
      assert(success);
      assertEquals((Deno.statSync(`${folder}/heartbeat`).mode ?? 0) & 0o777, mode, umask);
    }
  });
});

/** Runs under a shell that sets `variable` to bytes that are no UTF-8. */
async function withBadBytes(variable: string, folder: string, ...args: readonly string[]): Promise<Outcome> {
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: [
      "-c",
      `${variable}=$(printf '\\377\\376'); export ${variable}; exec "$@"`,
      "sh",
      ...vigilCommand(),
      "heartbeat",
      ...args,
    ],
    env: { JSC_HOME: folder },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("a variable that is no UTF-8 is as good as unset, but a folder of that name is refused", async () => {
  await withFolder(async (folder) => {
    for (const variable of ["JSC_CLI", "JSC_SESSION", "CLAUDE_CODE_SESSION_ID", "JSC_ASSISTANT_HEARTBEAT_TTL"]) {
      assertEquals(await withBadBytes(variable, folder, "write"), silent(0), variable);
      assertEquals(await withBadBytes(variable, folder, "check"), silent(0), variable);
    }
    const { code, stderr } = await withBadBytes("JSC_ASSISTANT_HEARTBEAT_TTL", folder, "check", "--explain");
    assertEquals([code, stderr.split("\n").slice(2)], [
      0,
      ["JSC_ASSISTANT_HEARTBEAT_TTL is not valid UTF-8: 300 counts", ""],
    ]);
    for (const command of ["write", "check", "report", "clear"]) {
      const { code, stderr } = await withBadBytes("JSC_HOME", folder, command);
      assertEquals([code, stderr.split("\n")[0]], [6, "vigil: JSC_HOME is not valid UTF-8"]);
    }
  });
});

Deno.test("what the runtime does not let us look at is no verdict, and no beat", async () => {
  const file = "/proc/self/status";
  const reason = "vigil's runtime opens nothing below /dev, /proc and /sys";
  const check = await runVigil(["heartbeat", "check", "--file", file]);
  assertEquals([check.code, check.stderr.split("\n")[0]], [2, `vigil: cannot look at "${file}": ${reason}`]);
  const write = await runVigil(["heartbeat", "write", "--file", "/dev/shm/heartbeat"]);
  assertEquals([write.code, write.stderr.split("\n")[0]], [
    5,
    `vigil: cannot write "/dev/shm/heartbeat": ${reason}; this beat is missing`,
  ]);
  assertEquals(write.stderr.split("\n")[1], "hint: choose a path that is not below one of them");
});

Deno.test("bytes on stdin are left for who reads next", async () => {
  await withFolder(async (folder) => {
    const script =
      `printf left | { for c in write check report clear; do "$@" heartbeat $c >/dev/null || exit; done; cat; }`;
    const { stdout } = await new Deno.Command("sh", {
      args: ["-c", script, "sh", ...vigilCommand()],
      env: { JSC_HOME: folder },
      stdin: "null",
    }).output();
    assertEquals(new TextDecoder().decode(stdout), "left");
  });
});

Deno.test("of all heartbeats, one that the runtime refuses to look at costs only its own report", () =>
  withFolder(async (folder) => {
    const vigil = inHome(folder);
    for (const name of ["a", "c"]) assertEquals(await vigil("write", "--name", name), silent(0));
    Deno.mkdirSync(`${folder}/b`);
    Deno.symlinkSync("/proc/version", `${folder}/b/heartbeat`);
    const { code, stdout, stderr } = await vigil("report", "--all", "--format", "json");
    const files = stdout.trimEnd().split("\n").map((line) => JSON.parse(line).file);
    assertEquals([code, files], [2, [`${folder}/a/heartbeat`, `${folder}/c/heartbeat`]]);
    assert(stderr.startsWith(`vigil: cannot look at "${folder}/b/heartbeat": `), stderr);
  }));
