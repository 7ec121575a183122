// `vigil observe` as a citizen of a pipe: exit codes, stdout and stderr.
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type RunOptions, runVigil, startVigil, vigilCommand, withFolder } from "../run_vigil.ts";

const HOOK = (event: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({ hook_event_name: event, session_id: "s1", cwd: "/w", ...more });
const PROMPT = HOOK("UserPromptSubmit");
const STOP = HOOK("Stop");

const CORPUS = new URL("../data/corpus/claude/", import.meta.url).pathname;

/** Runs `observe` with `input` on stdin. */
async function observe(input: string | Uint8Array, args: readonly string[] = [], options: RunOptions = {}) {
  const child = startVigil(["observe", ...args], { ...options, stdin: "piped" });
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  const fed = (async () => {
    const writer = child.stdin.getWriter();
    await writer.write(bytes);
    await writer.close();
  })().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  await fed;
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Runs a line of shell in which `$VIGIL` is the program. */
async function shell(line: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const quoted = vigilCommand().map((word) => `'${word}'`).join(" ");
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", `vigil() { ${quoted} "$@"; }; ${line}`],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

const json = (text: string) => text.trimEnd().split("\n").map((line) => JSON.parse(line));

Deno.test("json: one transition a line, its keys in their order", async () => {
  const { code, stdout, stderr } = await observe(`{"observed_at":1000}\n${PROMPT}\n${STOP}\n`, ["--format", "json"]);
  assertEquals([code, stderr], [0, ""]);
  const [first, second] = json(stdout);
  assertEquals(Object.keys(first), [
    "sessionId",
    "seq",
    "at",
    "from",
    "to",
    "activity",
    "entryId",
    "cause",
    "where",
    "correlationId",
    "entryOp",
  ]);
  assertEquals([first.at, first.from, first.to], ["1970-01-01T00:00:01.000Z", "spawning", "working"]);
  assertEquals([second.seq, second.from, second.to, second.where.cwd], [2, "working", "idle", "/w"]);
});

Deno.test("text: a summary on stderr, which --quiet leaves out", async () => {
  const { code, stdout, stderr } = await observe(`${PROMPT}\n`);
  assertEquals(code, 0);
  assertMatch(stdout, /^\S+Z s1 +spawning → working +- +hook\/UserPromptSubmit +a turn was submitted by a prompt\n$/);
  assertEquals(
    stderr,
    "vigil: 1 session, 1 transition, 0 rejected, no open entry, 1 value without a time has that of its arrival\n",
  );
  assertEquals((await observe(`${PROMPT}\n`, ["--quiet"])).stderr, "");
});

Deno.test("a snapshot ends a json run and is told by its openEntries key", async () => {
  const input = `{"observed_at":1000}\n${HOOK("PreToolUse", { tool_name: "Bash", tool_use_id: "t" })}\n`;
  const { stdout } = await observe(`${input}{"observed_at":4000}\n${PROMPT}\n`, ["--format", "json", "--snapshot"]);
  const snapshot = json(stdout)[2];
  assertEquals([snapshot.state, snapshot.openEntries[0].entryId, snapshot.openEntries[0].ageMs], [
    "working",
    "t",
    3000,
  ]);
});

Deno.test("what is broken is rejected by name, line, byte and reason; the rest goes on; exit 4", async () => {
  const { code, stdout, stderr } = await observe(`${PROMPT}\n{"hook_event_name":oops}\n[]\n{}\n${STOP}\n`, [
    "--format",
    "json",
  ]);
  assertEquals(code, 4);
  assertEquals(json(stdout).length, 2);
  const lines = stderr.trimEnd().split("\n");
  const at = PROMPT.length + 1;
  assertMatch(lines[0], new RegExp(`^vigil: stdin:2 \\(byte ${at}\\): not JSON: unexpected "o"`));
  assertMatch(lines[1], /^vigil: stdin:3 \(byte \d+\): a JSON array, not an object$/);
  assertMatch(lines[2], /^vigil: stdin:4 \(byte \d+\): no event name/);
  assertEquals(lines.length, 3);
});

Deno.test("a wired event without session id is rejected, a declined or unknown one needs none", async () => {
  const { code, stderr } = await observe(
    ['{"hook_event_name":"Stop"}', '{"hook_event_name":"MessageDisplay"}', '{"hook_event_name":"Tomorrow"}', ""].join(
      "\n",
    ),
    ["--format", "json"],
  );
  assertEquals(code, 4);
  assertStringIncludes(stderr, "vigil: stdin:1 (byte 0): Stop without session_id\n");
  assertStringIncludes(stderr, 'vigil: stdin:3: event "Tomorrow" is in no table: counted, not recorded\n');
});

Deno.test("no value at all is exit 0 and said: nothing, blanks, a closed or null stdin", async () => {
  for (const input of ["", "\n\r\n \t\n"]) {
    assertEquals(await observe(input), { code: 0, stdout: "", stderr: "vigil: no value in the input\n" });
  }
  for (const line of ["vigil observe <&-", "vigil observe </dev/null"]) {
    assertEquals(await shell(line), { code: 0, stdout: "", stderr: "vigil: no value in the input\n" });
  }
});

Deno.test("a missing or unreadable file is exit 5, the others are still read, and 5 beats 4", async () => {
  await withFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/good`, `${PROMPT}\noops\n`);
    const { code, stdout, stderr } = await runVigil(["observe", "--format", "json", "none", folder, "good"], {
      cwd: folder,
    });
    assertEquals([code, json(stdout).length], [5, 1]);
    assertStringIncludes(stderr, 'vigil: cannot read "none": no such file or directory\n');
    const isFolder = `vigil: cannot read "${folder}": is a directory\n`;
    assertStringIncludes(stderr, `${isFolder}hint: vigil observe --follow "${folder}" reads its *.jsonl\n`);
    assertStringIncludes(stderr, "vigil: good:2 (byte ");
  });
  const { code, stderr } = await shell("vigil observe </");
  assertEquals(code, 5);
  assertMatch(stderr, /^vigil: cannot read "stdin": is a directory\nvigil: /);
});

Deno.test("a name of stdin that the runtime refuses is answered with the one that works", async () => {
  const { code, stderr } = await runVigil(["observe", "/dev/stdin"]);
  assertEquals([code, stderr.split("\n").slice(0, 2)], [5, [
    `vigil: cannot read "/dev/stdin": vigil's runtime opens nothing below /dev, /proc and /sys`,
    "hint: pipe it into vigil observe, or give - for standard input",
  ]]);
});

Deno.test("a dash among the files is stdin", async () => {
  await withFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/a`, PROMPT);
    const { code, stdout } = await observe(STOP, ["--format", "json", `${folder}/a`, "-"]);
    assertEquals([code, json(stdout).map((line) => line.to)], [0, ["working", "idle"]]);
  });
});

Deno.test("a value above --max-bytes is rejected without being held, and its neighbours are kept", async () => {
  const big = HOOK("UserPromptSubmit", { prompt: "x".repeat(5000) });
  const { code, stdout, stderr } = await observe(`${PROMPT}\n${big}\n${STOP}\n`, [
    "--format",
    "json",
    "--max-bytes",
    "1000",
  ]);
  assertEquals([code, json(stdout).map((line) => line.to)], [4, ["working", "idle"]]);
  assertMatch(stderr, /^vigil: stdin:2 \(byte \d+\): larger than --max-bytes/);
  for (const value of ["0", "1", "-1", "1e3", "x", "9".repeat(20)]) {
    const { code, stderr } = await observe("", [`--max-bytes=${value}`]);
    assertEquals([code, stderr.split("\n")[1]], [6, "hint: see vigil observe --help"], value);
  }
});

Deno.test("a reader that goes away ends it quietly with 0", async () => {
  const line = `vigil observe ${CORPUS}*.hooks.jsonl ${CORPUS}*.hooks.jsonl 2>&1 >&3 | head -c 200 >&2`;
  const { code, stderr } = await shell(
    `{ ${line}; } 3>&1 | head -1 >/dev/null; echo "\${PIPESTATUS[0]}"`,
  );
  assertEquals([code, stderr], [0, ""]);
  const { stdout } = await shell(`vigil observe ${CORPUS}*.hooks.jsonl | head -1 >/dev/null; echo "\${PIPESTATUS[0]}"`);
  assertEquals(stdout, "0\n");
});

Deno.test("a full output is exit 5 in words", async () => {
  const { code, stderr } = await shell(`vigil observe ${CORPUS}bash.hooks.jsonl >/dev/full`);
  assertEquals(code, 5);
  assertEquals(
    stderr,
    "vigil: cannot write to standard output: no space left on device\nhint: the output is incomplete\n",
  );
});

Deno.test("a transition is out before the next read blocks", async () => {
  const child = startVigil(["observe", "--format", "json"], { stdin: "piped" });
  const writer = child.stdin.getWriter();
  const reader = child.stdout.getReader();
  for (const value of [PROMPT, STOP, PROMPT]) {
    await writer.write(new TextEncoder().encode(`${value}\n`));
    const { value: bytes } = await reader.read();
    assertEquals(json(new TextDecoder().decode(bytes)).length, 1);
  }
  await writer.close();
  reader.releaseLock();
  assertEquals((await child.output()).code, 0);
});

Deno.test("stdin and stdout that another process made non-blocking are waited for", async () => {
  const python = await new Deno.Command("sh", { args: ["-c", "command -v python3"], stdout: "null" }).output();
  if (!python.success) return;
  const nonblocking = `python3 -c "
import os, sys, fcntl
for fd in (0, 1): fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_NONBLOCK)
os.execvp(sys.argv[1], sys.argv[1:])"`;
  const program = vigilCommand().map((word) => `'${word}'`).join(" ");
  const { code, stdout } = await shell(
    `{ read -r -t 0.3 x </dev/zero; cat ${CORPUS}*.hooks.jsonl; } | ${nonblocking} ${program} observe --format json 2>/dev/null ` +
      `| { read -r -t 0.3 x </dev/zero; wc -l; }`,
  );
  const whole = await shell(`cat ${CORPUS}*.hooks.jsonl | vigil observe --format json 2>/dev/null | wc -l`);
  assertEquals([code, stdout], [0, whole.stdout]);
});

/** Waits until `count` is above `least` and has stood still for a while. */
async function quietOnce(count: () => number, least: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let last = -1;
  let still = 0;
  const timer = setInterval(() => {
    still = count() === last && last > least ? still + 1 : 0;
    last = count();
    if (still === 3) resolve();
  }, 100);
  await promise;
  clearInterval(timer);
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal} ends it by the signal and leaves only whole lines, even where the reader is slow`, async () => {
    const child = startVigil(["observe", "--format", "json"], { stdin: "piped" });
    child.stderr.cancel();
    const writer = child.stdin.getWriter();
    const lines = new TextEncoder().encode(`${HOOK("Stop", { cwd: "/".repeat(500) })}\n`.repeat(10));
    // Nobody reads stdout: it fills until a write blocks, and then stdin fills too and no write of ours ends any more.
    let writtenBytes = 0;
    const feeding = (async () => {
      for (;;) {
        await writer.write(lines);
        writtenBytes += lines.length;
      }
    })().catch(() => {});
    await quietOnce(() => writtenBytes, 80_000);
    child.kill(signal);
    const status = await child.status;
    assertEquals([status.signal, status.code], [signal, signal === "SIGTERM" ? 143 : 130]);
    let text = "";
    for await (const bytes of child.stdout) text += new TextDecoder().decode(bytes);
    await feeding;
    assert(text.length > 4096, "something was written");
    assert(text.endsWith("}\n"), text.slice(-100));
    json(text);
  });
}

Deno.test("the state of every session is kept, whatever becomes of stdout", () =>
  withFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/in`, [PROMPT, STOP].join("\n"));
    for (const [sink, code] of [["| true", 0], [">/dev/full", 5]] as const) {
      const state = `${folder}/state-${code}`;
      const line = `vigil observe --quiet --state-dir ${state} ${folder}/in ${sink}; echo "\${PIPESTATUS[0]}"`;
      const { stdout } = await shell(`vigil observe --quiet ${folder}/in >/dev/null; ${line}`);
      assertEquals(Number(stdout), code);
      assertEquals(JSON.parse(Deno.readTextFileSync(`${state}/s1.json`)).state, "idle");
    }
  }));

Deno.test("with --state-dir a file that blocks does not keep the state from being written", () =>
  withFolder(async (folder) => {
    const [fifo, state] = [`${folder}/fifo`, `${folder}/state`];
    Deno.mkdirSync(state);
    await new Deno.Command("mkfifo", { args: [fifo] }).output();
    const watcher = Deno.watchFs(state);
    const child = startVigil(["observe", "--quiet", "--state-dir", state, fifo]);
    const writer = Deno.openSync(fifo, { write: true });
    writer.writeSync(new TextEncoder().encode(`${STOP}\n`));
    for await (const { paths } of watcher) if (paths.includes(`${state}/s1.json`)) break;
    writer.close();
    assertEquals((await child.output()).code, 0);
  }));

Deno.test("--follow: what a signal finds unwritten of a session's state is written", () =>
  withFolder(async (folder) => {
    const [path, state] = [`${folder}/a.jsonl`, `${folder}/state`];
    const append = (line: string) => Deno.writeTextFileSync(path, `${line}\n`, { append: true });
    append(PROMPT);
    const child = startVigil(["observe", "--follow", "--quiet", "--format", "json", "--state-dir", state, path]);
    const reader = child.stdout.getReader();
    const decoder = new TextDecoder();
    // Each event comes within the tenth of a second in which the one before was written.
    let stdout = "";
    for (let seq = 1; seq <= 20; seq++) {
      while (!stdout.includes(`"seq":${seq},`)) stdout += decoder.decode((await reader.read()).value);
      append(seq % 2 === 1 ? STOP : PROMPT);
    }
    while (!stdout.includes('"seq":21,')) stdout += decoder.decode((await reader.read()).value);
    child.kill("SIGTERM");
    reader.releaseLock();
    assertEquals((await child.output()).code, 0);
    const { state: last, transitionCount } = JSON.parse(Deno.readTextFileSync(`${state}/s1.json`));
    assertEquals([last, transitionCount], ["working", 21]);
  }));

Deno.test("--follow says what it cannot read, --quiet or not", () =>
  withFolder(async (folder) => {
    await new Deno.Command("mkfifo", { args: [`${folder}/pipe.jsonl`] }).output();
    Deno.writeTextFileSync(`${folder}/read.jsonl`, `${STOP}\n`);
    const child = startVigil(["observe", "--follow", "--quiet", folder]);
    const reader = child.stdout.getReader();
    assert(!(await reader.read()).done);
    reader.releaseLock();
    child.kill("SIGTERM");
    const { code, stderr } = await child.output();
    assertEquals([code, new TextDecoder().decode(stderr)], [
      5,
      `vigil: cannot read "${folder}/pipe.jsonl": not a regular file\n`,
    ]);
  }));

Deno.test("--follow names a file that the runtime refuses, and follows the others", () =>
  withFolder(async (folder) => {
    Deno.symlinkSync("/proc/version", `${folder}/a.jsonl`);
    Deno.writeTextFileSync(`${folder}/b.jsonl`, `${STOP}\n`);
    const child = startVigil(["observe", "--follow", "--quiet", folder]);
    const reader = child.stdout.getReader();
    assert(!(await reader.read()).done);
    reader.releaseLock();
    child.kill("SIGTERM");
    const { code, stderr } = await child.output();
    assertEquals([code, new TextDecoder().decode(stderr)], [
      5,
      `vigil: cannot read "${folder}/a.jsonl": vigil's runtime opens nothing below /dev, /proc and /sys\n`,
    ]);
  }));

Deno.test("options that do not go together are usage errors", async () => {
  for (const args of [["--follow"], ["--follow", "-"], ["--from-now"], ["--format", "xml"], ["--dialect", "klingon"]]) {
    const { code, stdout, stderr } = await observe("", args);
    assertEquals([code, stdout], [6, ""], args.join(" "));
    assertStringIncludes(stderr, "\nhint: see vigil observe --help\n");
  }
});

Deno.test("every capture goes through with exit 0, seq dense and from the previous to", async () => {
  for (const lane of ["hooks", "stream"]) {
    const names = [...Deno.readDirSync(CORPUS)].map(({ name }) => name).filter((name) =>
      name.endsWith(`.${lane}.jsonl`)
    );
    assert(names.length > 80, lane);
    const { code, stdout } = await runVigil(["observe", "--format", "json", ...names.sort()], { cwd: CORPUS });
    assertEquals(code, 0, lane);
    const last = new Map<string, { seq: number; to: string }>();
    for (const { sessionId, seq, from, to } of json(stdout)) {
      const { seq: lastSeq, to: lastTo } = last.get(sessionId) ?? { seq: 0, to: "spawning" };
      assertEquals([seq, from], [lastSeq + 1, lastTo], sessionId);
      last.set(sessionId, { seq, to });
    }
  }
});

Deno.test("--follow: a writer killed in mid line and its successor lose nothing but that line, which is named", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/a.jsonl`;
    const writer = (from: number) =>
      new Deno.Command("sh", {
        args: [
          "-c",
          `n=$2; while :; do printf '{"hook_event_name":"UserPromptSubmit",' >> "$1"; ` +
          `printf '"session_id":"s%d"}\\n' $n >> "$1"; n=$((n + 1)); echo $n; done`,
          "sh",
          path,
          `${from}`,
        ],
        stdin: "null",
        stdout: "piped",
      }).spawn();
    const child = startVigil(["observe", "--follow", "--format", "json", folder]);
    let written = 0;
    for (let life = 0; life < 4; life++) {
      const process = writer(written);
      let said = "";
      for await (const bytes of process.stdout) {
        said += new TextDecoder().decode(bytes);
        if (said.split("\n").length > 50) break;
      }
      process.kill("SIGKILL");
      await process.status;
      const whole = Deno.readTextFileSync(path).split("\n").slice(0, -1);
      written = Number(whole[whole.length - 1].match(/"s(\d+)"/)?.[1]) + 1;
    }
    Deno.writeTextFileSync(path, '\n{"hook_event_name":"Stop","session_id":"last"}\n', { append: true });
    let stdout = "";
    const decoder = new TextDecoder();
    const reader = child.stdout.getReader();
    while (!stdout.includes('"sessionId":"last"')) stdout += decoder.decode((await reader.read()).value);
    reader.releaseLock();
    child.kill("SIGTERM");
    const { code, stderr } = await child.output();
    const seen = json(stdout).map(({ sessionId }) => sessionId as string).filter((id) => id !== "last");
    const there = Deno.readTextFileSync(path).split("\n").flatMap((line) => {
      try {
        return [JSON.parse(line).session_id as string];
      } catch {
        return [];
      }
    }).filter((id) => id !== "last");
    for (const id of there) assert(seen.includes(id), `${id} was seen`);
    assertEquals(new Set(seen).size, seen.length, "nothing twice");
    const torn = decoder.decode(stderr).split("\n").filter((line) => line.includes("(byte "));
    assertEquals(code, torn.length === 0 ? 0 : 4);
    for (const line of torn) assertMatch(line, /^vigil: \S+a\.jsonl:\d+ \(byte \d+\): /);
  });
});

Deno.test("--follow --from-now: the past is read in silence and counts, what is new is printed", () =>
  withFolder(async (folder) => {
    const path = `${folder}/a.jsonl`;
    Deno.writeTextFileSync(path, `${PROMPT}\noops\n{"hook_event_name":"Tomorrow"}\n`);
    const child = startVigil([
      "observe",
      "--follow",
      "--from-now",
      "--format",
      "json",
      "--state-dir",
      `${folder}/state`,
      path,
    ]);
    // The state of the past is written once it has been read.
    for await (const { paths } of Deno.watchFs(folder)) if (paths.some((path) => path.endsWith("/s1.json"))) break;
    Deno.writeTextFileSync(path, `${STOP}\n`, { append: true });
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    reader.releaseLock();
    assertEquals(json(new TextDecoder().decode(value)).map(({ seq, from, to }) => [seq, from, to]), [[
      2,
      "working",
      "idle",
    ]]);
    child.kill("SIGTERM");
    const { code, stderr } = await child.output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  }));

Deno.test("a line longer than any buffer comes out whole", async () => {
  const { code, stdout } = await observe(`${HOOK("Stop", { cwd: `/${"é".repeat(100_000)}` })}\n${PROMPT}\n`, [
    "--format",
    "json",
  ]);
  assertEquals([code, json(stdout).map(({ to }) => to)], [0, ["idle", "working"]]);
  assertEquals(json(stdout)[0].where.cwd.length, 100_001);
});
