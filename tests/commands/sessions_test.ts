// `vigil sessions` as its users run it.
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sessionFileName, sessionFileText } from "../../lib/output/session_file.ts";
import { sampleSnapshot } from "../output/samples.ts";
import { installed } from "../installed.ts";
import { runVigil, withFolder } from "../run_vigil.ts";

/** Puts sessions into `folder`, one of each kind. */
function fill(folder: string): void {
  Deno.mkdirSync(folder, { recursive: true });
  const openedAt = Date.now() - 90_000;
  const sessions = [
    sampleSnapshot({ sessionId: "aaaaaaaa-1" }, { openedAt }),
    sampleSnapshot({ sessionId: "../b", state: "ended", openEntries: [], activity: null }),
  ];
  for (const snapshot of sessions) {
    Deno.writeTextFileSync(`${folder}/${sessionFileName(snapshot.sessionId!)}`, sessionFileText(snapshot));
  }
  Deno.writeTextFileSync(`${folder}/.vigil-${"0".repeat(32)}.tmp`, "half");
  Deno.writeTextFileSync(`${folder}/notes.txt`, "not a session");
}

Deno.test("text lists every session by its whole id, with ages against now", () =>
  withFolder(async (home) => {
    fill(`${home}/sessions`);
    const { code, stdout, stderr } = await runVigil(["sessions"], { env: { JSC_HOME: home } });
    assertEquals({ code, stderr }, { code: 0, stderr: "" });
    const [ended, working, entry, rest] = stdout.split("\n");
    assertMatch(
      ended,
      /^\.\.\/b {7}ended {7}- {25}7 transitions {2}last 2026-05-01T02:03:04\.005Z \(.+ ago\) {2}in \/w$/,
    );
    assertMatch(working, /^aaaaaaaa-1 working {5}tool Bash {17}7 transitions /);
    assertMatch(entry, /^ +tool Bash +foreground {2}open 1m \d+s$/);
    assertEquals(rest, "");
  }));

Deno.test("one session by its id, whatever the id is", () =>
  withFolder(async (folder) => {
    fill(folder);
    const { code, stdout, stderr } = await runVigil(["sessions", "../b", "--dir", folder, "--format", "json"]);
    assertEquals({ code, stderr }, { code: 0, stderr: "" });
    const { lastTransitionAgeMs, ...snapshot } = JSON.parse(stdout);
    assertEquals(snapshot, sampleSnapshot({ sessionId: "../b", state: "ended", openEntries: [], activity: null }));
    assert(lastTransitionAgeMs > 0 || Date.now() < Date.parse(snapshot.lastTransitionAt));
  }));

Deno.test("an unknown session is exit 3, an empty host is 0", () =>
  withFolder(async (home) => {
    const env = { HOME: home };
    const unknown = await runVigil(["sessions", "nobody"], { env });
    assertEquals(unknown, {
      code: 3,
      stdout: "",
      stderr: `vigil: no session "nobody" in "${home}/.jsc/sessions"\nhint: vigil sessions lists those there are\n`,
    });
    const empty = await runVigil(["sessions"], { env });
    assertEquals(empty, { code: 0, stdout: "", stderr: `vigil: no session in "${home}/.jsc/sessions"\n` });
  }));

Deno.test("one session by the beginning of its id, where it is the only one", () =>
  withFolder(async (folder) => {
    fill(folder);
    const long = `aaaaaaaa-1${"0".repeat(300)}`;
    for (const sessionId of ["aaaaaaaa-2", "b0b", "b0b0", `${long}1`, `${long}2`]) {
      Deno.writeTextFileSync(`${folder}/${sessionFileName(sessionId)}`, sessionFileText(sampleSnapshot({ sessionId })));
    }
    const found = async (id: string) => {
      const { code, stdout, stderr } = await runVigil(["sessions", id, "--dir", folder, "--format", "json"]);
      return code === 0 ? JSON.parse(stdout).sessionId : `${code} ${stderr}`;
    };
    assertEquals(await found("aaaaaaaa-2"), "aaaaaaaa-2");
    assertEquals(await found("aaaaaaaa-1"), "aaaaaaaa-1", "a whole id counts above the beginning of others");
    assertEquals(await found(".."), "../b");
    assertEquals(await found("b0b0"), "b0b0");
    assertEquals(await found(`${long}2`), `${long}2`);
    assertEquals(
      await found("b0"),
      '6 vigil: "b0" begins the ids of 2 sessions\nhint: give more of one: b0b, b0b0\n',
    );
    assertMatch(await found(long), /^6 vigil: "aaaaaaaa-10+" begins the ids of 2 sessions\n/);
    assertMatch(await found("aaa"), /^6 vigil: "aaa" begins the ids of 4 sessions\n/);
    for (const id of ["", "b0b00", "B0B"]) assertMatch(await found(id), /^3 vigil: no session /);
  }));

Deno.test("a folder that --dir names and that is not there is said, and exit 3", () =>
  withFolder(async (folder) => {
    for (const more of [[], ["id"], ["--format", "prometheus"]]) {
      assertEquals(await runVigil(["sessions", ...more, "--dir", `${folder}/mising`]), {
        code: 3,
        stdout: "",
        stderr: `vigil: there is no folder "${folder}/mising"\n` +
          "hint: vigil observe --state-dir makes it, or it is misspelt\n",
      });
    }
  }));

Deno.test("a broken file is named and exit 4, and the others are still listed", () =>
  withFolder(async (folder) => {
    fill(folder);
    Deno.writeTextFileSync(`${folder}/broken.json`, '{"sessionId":');
    const { code, stdout, stderr } = await runVigil(["sessions", "--dir", folder]);
    assertEquals({ code, stderr }, {
      code: 4,
      stderr: `vigil: cannot read "${folder}/broken.json": not a session's state\n`,
    });
    assertStringIncludes(stdout, "aaaaaaaa-1 working");
  }));

Deno.test("a file larger than any session's state is named and not read", () =>
  withFolder(async (folder) => {
    const file = Deno.openSync(`${folder}/huge.json`, { write: true, create: true });
    file.truncateSync(5_000_000_000);
    file.close();
    const { code, stderr } = await runVigil(["sessions", "--dir", folder]);
    assertEquals([code, stderr.split("\n")[0]], [4, `vigil: cannot read "${folder}/huge.json": not a session's state`]);
  }));

Deno.test("--output replaces a file as a whole and prints nothing, in every format", () =>
  withFolder(async (folder) => {
    fill(`${folder}/sessions`);
    Deno.writeTextFileSync(`${folder}/out`, "before");
    for (const [format, first] of [["text", /^\.\.\/b /], ["json", /^{/], ["prometheus", /^# HELP /]] as const) {
      const args = ["sessions", "--dir", `${folder}/sessions`, "--format", format];
      const { code, stdout, stderr } = await runVigil([...args, "--output", `${folder}/out`]);
      assertEquals({ code, stdout, stderr }, { code: 0, stdout: "", stderr: "" });
      assertMatch(Deno.readTextFileSync(`${folder}/out`), first);
    }
    assertEquals([...Deno.readDirSync(folder)].map((entry) => entry.name).sort(), ["out", "sessions"]);
    const onto = (path: string) => runVigil(["sessions", "--dir", `${folder}/sessions`, "--output", path]);
    assertEquals(await onto(`${folder}/sessions`), {
      code: 5,
      stdout: "",
      stderr: `vigil: cannot write "${folder}/sessions": is a directory; what stood there still stands\n` +
        "hint: it must be a regular file, or none yet, in a directory that this user can write\n",
    });
    const missing = await runVigil(["sessions", "nobody", "--dir", `${folder}/sessions`, "--output", `${folder}/out`]);
    assertEquals(missing.code, 3);
    assertMatch(Deno.readTextFileSync(`${folder}/out`), /^# HELP /, "no answer replaces nothing");
  }));

Deno.test("what is broken costs only its own line in the file of --output, and the exit code tells", () =>
  withFolder(async (folder) => {
    fill(folder);
    Deno.writeTextFileSync(`${folder}/broken.json`, "{");
    const { code, stdout } = await runVigil(["sessions", "--dir", folder, "--output", `${folder}/out`]);
    assertEquals([code, stdout], [4, ""]);
    assertStringIncludes(Deno.readTextFileSync(`${folder}/out`), "aaaaaaaa-1 working");
  }));

Deno.test("no place to look in is exit 6", async () => {
  const { code, stderr } = await runVigil(["sessions"]);
  assertEquals({ code, stderr }, {
    code: 6,
    stderr: "vigil: no place for sessions: neither JSC_HOME nor HOME is set\nhint: set JSC_HOME, or give --dir DIR\n",
  });
});

const exporter = await installed("prometheus-node-exporter");
Deno.test({
  name: `node_exporter's textfile collector serves the metrics${
    exporter ? "" : " (skipped: Debian's prometheus-node-exporter is not installed)"
  }`,
  ignore: !exporter,
  fn: () =>
    withFolder(async (folder) => {
      fill(`${folder}/sessions`);
      const { code, stdout } = await runVigil(["sessions", "--dir", `${folder}/sessions`, "--format", "prometheus"]);
      assertEquals(code, 0);
      Deno.writeTextFileSync(`${folder}/vigil.prom`, stdout);
      const child = new Deno.Command("prometheus-node-exporter", {
        args: [
          "--collector.disable-defaults",
          "--collector.textfile",
          `--collector.textfile.directory=${folder}`,
          "--web.listen-address=127.0.0.1:0",
        ],
        stdout: "null",
        stderr: "piped",
      }).spawn();
      try {
        const scraped = await scrape(child.stderr);
        const served = samplesOf(scraped);
        for (const [series, value] of samplesOf(stdout)) assertEquals(served.get(series), value, series);
        assertEquals(served.get("node_textfile_scrape_error"), 0);
      } finally {
        child.kill("SIGKILL");
        await child.status;
      }
    }),
});

/** Series and value of every sample: the same number is written in more than one way. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

/** What the exporter serves at the address that it names on its stderr. */
async function scrape(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let said = "";
  for await (const text of stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    const port = said.match(/127\.0\.0\.1:(\d+)/)?.[1];
    if (port === undefined || port === "0") continue;
    const curl = await new Deno.Command("curl", { args: ["-s", `http://127.0.0.1:${port}/metrics`] }).output();
    return new TextDecoder().decode(curl.stdout);
  }
  throw new Error(`the exporter named no address: ${said}`);
}

Deno.test("a folder that is none, and a file that cannot be read, are exit 5", () =>
  withFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "");
    for (const id of [[], ["s1"]]) {
      assertEquals(await runVigil(["sessions", ...id, "--dir", `${folder}/file`]), {
        code: 5,
        stdout: "",
        stderr: `vigil: cannot list "${folder}/file": it is no folder\n` +
          "hint: give the folder that vigil observe --state-dir writes to\n",
      });
    }
    Deno.symlinkSync("loop.json", `${folder}/loop.json`);
    assertEquals(await runVigil(["sessions", "--dir", folder]), {
      code: 5,
      stdout: "",
      stderr: `vigil: cannot read "${folder}/loop.json": too many levels of symbolic links\n` +
        `vigil: no session in "${folder}"\n`,
    });
  }));
