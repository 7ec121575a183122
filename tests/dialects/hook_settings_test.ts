// The settings name exactly the events that are used, and their shell line does what it says in a real shell.
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { coverageOf } from "../../lib/dialects/coverage.ts";
import { hookLine, hookSettings } from "../../lib/dialects/hook_settings.ts";
import { newScope, readValue } from "../../lib/dialects/read_value.ts";
import { HOOK_CLIENTS, type HookClient } from "../../lib/dialects/reading.ts";
import { installed } from "../installed.ts";
import { withFolder } from "../run_vigil.ts";

/** Every text below a value, wherever it stands. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

for (const client of HOOK_CLIENTS) {
  Deno.test(`the settings for ${client} name the wired events and no other`, () => {
    const settings = JSON.parse(hookSettings(client));
    const wired = coverageOf(client).filter((row) => row.lane === "hook" && row.status === "wired");
    assertEquals(Object.keys(settings.hooks).sort(), wired.map((row) => row.event).sort());
    for (const hooks of Object.values(settings.hooks)) {
      assertEquals(textsIn(hooks).filter((text) => text.includes("cat")), [hookLine(client)]);
    }
  });
}

Deno.test("the settings for claude leave out the events that change what the client does", () => {
  const { hooks } = JSON.parse(hookSettings("claude"));
  assert(!("WorktreeCreate" in hooks) && !("Interrupt" in hooks) && "StopFailure" in hooks);
});

Deno.test("a client that replaces variables in its settings leaves the line whole", () => {
  const own = ["vigil_dir", "vigil_name", "vigil_at", "JSC_HOME", "HOME", "PPID"];
  for (const client of HOOK_CLIENTS) {
    const line = hookLine(client);
    assert(!line.includes("${"), "no default that a client could take for the value");
    const names = [...line.matchAll(/\$(\w+)/g)].map(([, name]) => name);
    const others = new Set(names.filter((name) => !own.includes(name)));
    assert([...others].every((name) => name.endsWith("_SESSION_ID")), [...others].join());
    assert(!line.includes("'") || client === "codex");
  }
});

/** The shells that clients are known to start hooks with, where this machine has them. */
const SHELLS = ["dash", "bash", "busybox sh", "sh"] as const;

function hasShell(shell: string): boolean {
  try {
    const [program, ...first] = shell.split(" ");
    return new Deno.Command(program, { args: [...first, "-c", "exit 0"], stdin: "null", stderr: "null" })
      .outputSync().success;
  } catch {
    return false;
  }
}

interface HookRun {
  readonly code: number;
  readonly printed: string;
}

/** Runs a client's line as the client would, with `payload` on its standard input. */
async function runHook(
  client: HookClient,
  shell: string,
  payload: string | Uint8Array,
  env: Readonly<Record<string, string>>,
): Promise<HookRun> {
  const [program, ...first] = shell.split(" ");
  const child = new Deno.Command(program, {
    args: [...first, "-c", hookLine(client)],
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  // A line that left its input unread would fail this with a broken pipe.
  await writer.write(typeof payload === "string" ? new TextEncoder().encode(payload) : payload);
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, printed: decoder.decode(stdout) + decoder.decode(stderr) };
}

const SILENT: HookRun = { code: 0, printed: "" };
const PAYLOAD = JSON.stringify({ hook_event_name: "Stop", session_id: "s1", text: `it's "quoted" $HOME \\n \u2028` });

/** The name of the file that a client's hooks of session `s1` go to, when this process is the client. */
function fileOf(client: HookClient): string {
  return { claude: "s1", gemini: "s1", qwen: "s1", codex: `codex-${Deno.pid}`, copilot: `copilot-${Deno.pid}` }[client];
}
const SESSION = { CLAUDE_CODE_SESSION_ID: "s1", GEMINI_SESSION_ID: "s1", QWEN_CODE_SESSION_ID: "s1" };

for (const shell of SHELLS) {
  Deno.test({
    name: `every client's line works in ${shell}${hasShell(shell) ? "" : " (not here: no such shell)"}`,
    ignore: !hasShell(shell),
    fn: () =>
      withFolder(async (home) => {
        for (const client of HOOK_CLIENTS) {
          const payload = client === "claude" ? `${PAYLOAD}\n` : PAYLOAD;
          for (let times = 0; times < 2; times++) {
            assertEquals(await runHook(client, shell, payload, { ...SESSION, JSC_HOME: home }), SILENT, client);
          }
          const path = `${home}/hooks/${fileOf(client)}.jsonl`;
          const lines = Deno.readTextFileSync(path).split("\n");
          assertEquals(lines.length, 5, `${client}: a time and a payload a line, twice, and a line feed at the end`);
          assertEquals([lines[1], lines[3], lines[4]], [PAYLOAD, PAYLOAD, ""], client);
          const clock = readValue(JSON.parse(lines[0]), newScope(), "auto");
          assert(clock.kind === "clock" && typeof clock.at === "string", lines[0]);
          assert(Math.abs(Date.parse(clock.at) - Date.now()) < 60_000, `${clock.at} is now`);
          assertEquals(Deno.statSync(path).mode! & 0o777, 0o600, "nobody else reads prompts");
          Deno.removeSync(path);
        }
        assertEquals(Deno.statSync(`${home}/hooks`).mode! & 0o777, 0o700);
      }),
  });
}

Deno.test("without JSC_HOME, or with an empty one, the files are below ~/.jsc, and only the folder of the hooks is closed to others", () =>
  withFolder(async (home) => {
    assertEquals(await runHook("claude", "sh", `${PAYLOAD}\n`, { ...SESSION, HOME: home, JSC_HOME: "" }), SILENT);
    assertEquals([...Deno.readDirSync(`${home}/.jsc/hooks`)].map((entry) => entry.name), ["s1.jsonl"]);
    assertEquals(Deno.statSync(`${home}/.jsc/hooks`).mode! & 0o777, 0o700);
    assertEquals(Deno.statSync(`${home}/.jsc`).mode! & 0o777, 0o777 & ~Deno.umask(), "the heartbeat is read by others");
  }));

Deno.test("a client that tells no session has a file of its own process", () =>
  withFolder(async (home) => {
    const env = { JSC_HOME: home, CLAUDE_CODE_SESSION_ID: "" };
    assertEquals(await runHook("claude", "sh", `${PAYLOAD}\n`, env), SILENT);
    assertEquals([...Deno.readDirSync(`${home}/hooks`)].map((entry) => entry.name), [`claude-${Deno.pid}.jsonl`]);
  }));

Deno.test("codex's line is one file a client whatever the login shell puts between", () =>
  withFolder(async (home) => {
    for (const shell of ["dash -l", "bash -l"].filter(hasShell)) {
      assertEquals(await runHook("codex", shell, PAYLOAD, { HOME: home }), SILENT, shell);
    }
    assertEquals([...Deno.readDirSync(`${home}/.jsc/hooks`)].map((entry) => entry.name), [`codex-${Deno.pid}.jsonl`]);
  }));

Deno.test("a date command without fractions gives whole seconds", () =>
  withFolder(async (home) => {
    Deno.mkdirSync(`${home}/bin`);
    const date = `#!/bin/sh\nPATH=/usr/bin:/bin; date "$@" | sed 's/\\.[0-9]*$/.3N/'\n`;
    Deno.writeTextFileSync(`${home}/bin/date`, date, { mode: 0o755 });
    const env = { ...SESSION, JSC_HOME: home, PATH: `${home}/bin:/usr/bin:/bin` };
    assertEquals(await runHook("claude", "sh", `${PAYLOAD}\n`, env), SILENT);
    const [clock] = Deno.readTextFileSync(`${home}/hooks/s1.jsonl`).split("\n");
    assertMatch(clock, /^\{"observed_at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"\}$/);
  }));

Deno.test("where nothing can be written the payload is read, nothing is said, and the tool goes on", () =>
  withFolder(async (home) => {
    const large = `${"x".repeat(1 << 20)}\n`;
    Deno.writeTextFileSync(`${home}/file`, "");
    assertEquals(
      await runHook("claude", "sh", large, { ...SESSION, JSC_HOME: `${home}/file/below` }),
      SILENT,
      "no folder",
    );
    Deno.mkdirSync(`${home}/hooks/s1.jsonl`, { recursive: true });
    assertEquals(await runHook("claude", "sh", large, { ...SESSION, JSC_HOME: home }), SILENT, "a folder in its place");
  }));

Deno.test("a hook that its client ends too early keeps its payload", () =>
  withFolder(async (home) => {
    const child = new Deno.Command("sh", {
      args: ["-c", hookLine("claude")],
      clearEnv: true,
      env: { PATH: "/usr/bin:/bin", JSC_HOME: home, ...SESSION },
      stdin: "piped",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const writer = child.stdin.getWriter();
    const half = new TextEncoder().encode("x".repeat(1 << 20));
    // More than a pipe holds: once it is written, the line is at work.
    await writer.write(half);
    child.kill("SIGTERM");
    await writer.write(half);
    await writer.close();
    assertEquals((await child.status).code, 0);
    assertEquals(Deno.readTextFileSync(`${home}/hooks/s1.jsonl`).split("\n")[1].length, 2 << 20);
  }));

const hasFull = (() => {
  try {
    return Deno.statSync("/dev/full").isCharDevice === true;
  } catch {
    return false;
  }
})();

Deno.test({
  name: `on a full disk the payload is read, nothing is said${hasFull ? "" : " (not here: no /dev/full)"}`,
  ignore: !hasFull,
  fn: () =>
    withFolder(async (home) => {
      Deno.mkdirSync(`${home}/hooks`);
      Deno.symlinkSync("/dev/full", `${home}/hooks/s1.jsonl`);
      const large = `${"x".repeat(1 << 20)}\n`;
      assertEquals(await runHook("claude", "sh", large, { ...SESSION, JSC_HOME: home }), SILENT);
    }),
});

const hasFlock = await installed("flock");

/** What a pipe holds: with less, an append is one piece even without a lock. */
const PIPE_BYTES = 1 << 16;

Deno.test(`payloads of parallel hooks stay whole${hasFlock ? "" : " (small ones only: no flock)"}`, () =>
  withFolder(async (home) => {
    const mostBytes = hasFlock ? 8 * PIPE_BYTES : PIPE_BYTES / 2;
    const payloads = Array.from({ length: 16 }, (_, at) => {
      const text = String.fromCharCode(0x61 + at).repeat(Math.floor(mostBytes * (at + 1) / 17));
      return JSON.stringify({ at, text });
    });
    const runs = payloads.map((payload) => runHook("claude", "sh", `${payload}\n`, { ...SESSION, JSC_HOME: home }));
    assertEquals(
      new Set((await Promise.all(runs)).map((run) => JSON.stringify(run))),
      new Set([JSON.stringify(SILENT)]),
    );
    const lines = Deno.readTextFileSync(`${home}/hooks/s1.jsonl`).split("\n").filter((line) => line.includes('"text"'));
    assertEquals(lines.sort(), payloads.sort());
    const kinds = Deno.readTextFileSync(`${home}/hooks/s1.jsonl`).split("\n").map((line) => line.slice(0, 5));
    assertEquals(new Set(kinds.filter((_, at) => at % 2 === 0)), new Set(['{"obs', ""]), "each after its own time");
  }));

Deno.test("a line whose lock is held elsewhere waits a second, and keeps its payload", async () => {
  if (!hasFlock) return;
  await withFolder(async (home) => {
    Deno.mkdirSync(`${home}/hooks`);
    const holder = new Deno.Command("flock", {
      args: [`${home}/hooks/s1.jsonl`, "sh", "-c", "echo held; cat"],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const said = holder.stdout.getReader();
    await said.read();
    assertEquals(await runHook("claude", "sh", `${PAYLOAD}\n`, { ...SESSION, JSC_HOME: home }), SILENT);
    assertEquals(Deno.readTextFileSync(`${home}/hooks/s1.jsonl`).split("\n")[1], PAYLOAD);
    await holder.stdin.close();
    await said.cancel();
    await holder.status;
  });
});

Deno.test("a session that is a path, or no home at all, makes no file elsewhere", () =>
  withFolder(async (home) => {
    const env = { JSC_HOME: `${home}/jsc`, CLAUDE_CODE_SESSION_ID: "../../evil" };
    assertEquals(await runHook("claude", "sh", `${PAYLOAD}\n`, env), SILENT);
    assertEquals([...Deno.readDirSync(home)].map((entry) => entry.name), ["jsc"]);
    assertEquals([...Deno.readDirSync(`${home}/jsc/hooks`)].map((entry) => entry.name), [`claude-${Deno.pid}.jsonl`]);
    assertEquals(await runHook("claude", "sh", `${PAYLOAD}\n`, SESSION), SILENT);
    assertThrows(() => Deno.statSync("/.jsc"), Deno.errors.NotFound);
  }));
