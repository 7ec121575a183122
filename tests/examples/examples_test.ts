// docs/examples: each file is checked by what would read it, and every command line in them by vigil's own table.
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path/join";
import { parseAll } from "@std/yaml/parse";
// deno-lint-ignore no-import-prefix -- only this test needs it
import { validate } from "npm:dockerfile-utils@0.16.3";
import { parse } from "../../lib/commands/parse.ts";
import { COMMANDS } from "../../lib/commands/table.ts";
import { needing, runProgram } from "../binary.ts";
import { installed } from "../installed.ts";
import { vigilCommand, withFolder } from "../run_vigil.ts";
import { ROOT } from "../source_files.ts";

const EXAMPLES = join(ROOT, "docs/examples");
const FILES = [...Deno.readDirSync(EXAMPLES)].map((entry) => entry.name).sort();
const INSTALLED_AT = "/usr/local/bin/vigil";

const read = (name: string): string => Deno.readTextFileSync(join(EXAMPLES, name));

/** The vigil command lines of a file, whatever its way to write a list of words. */
function commandLines(text: string): string[][] {
  const starts = COMMANDS.map((command) => command.path.join(" ")).join("|");
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("#"));
  const plain = lines.map((line) => line.replace(/[[\]",]+/g, " ").replace(/ +/g, " ")).join("\n");
  return [...plain.matchAll(new RegExp(`(?<![\\w./-])(?:${starts})(?= |$)[^&|;\\n]*`, "gm"))]
    .map(([line]) => line.trim().split(" "));
}

for (const file of FILES) {
  Deno.test(`the command lines of docs/examples/${file} are ones that vigil takes`, () => {
    const lines = commandLines(read(file));
    if (!file.endsWith(".timer")) assert(lines.length > 0, file);
    for (const line of lines) assertEquals(parse(line, COMMANDS).kind, "run", line.join(" "));
  });
}

Deno.test("a Dockerfile linter finds nothing in the example, and finds what is wrong", () => {
  const text = read("Dockerfile");
  assertEquals(validate(text), []);
  assert(validate(text.replace("--interval=60s", "--interval=often")).length > 0);
});

/** Checks each object of a manifest against Kubernetes' types and returns what the checker says. */
async function manifestComplaints(text: string): Promise<string> {
  const objects = parseAll(text) as { kind: string }[];
  assert(objects.length > 0);
  let complaints = "";
  await withFolder(async (folder) => {
    const types = [...new Set(objects.map(({ kind }) => kind))];
    const lines = objects.map((object, at) => `export const _${at}: ${object.kind} = ${JSON.stringify(object)};\n`);
    const head = `import type { ${types.join(", ")} } from "${join(ROOT, "tests/examples/kubernetes.ts")}";\n`;
    const module = join(folder, "manifest.ts");
    Deno.writeTextFileSync(module, head + lines.join(""));
    const options = [`--config=${ROOT}deno.json`, `--lock=${ROOT}deno.lock`];
    const { code, stderr } = await runProgram([Deno.execPath(), "check", "--quiet", ...options, module], "", {
      env: { DENO_TLS_CA_STORE: "system,mozilla", NO_COLOR: "1" },
    });
    complaints = code === 0 ? "" : stderr;
  });
  return complaints;
}

Deno.test("the manifest is what Kubernetes' types allow, and a misspelt field is not", async () => {
  const text = read("kubernetes.yaml");
  assertEquals(await manifestComplaints(text), "");
  assert(
    (await manifestComplaints(text.replace("failureThreshold: 2\n", "failureTreshold: 1\n"))).includes(
      "failureTreshold",
    ),
  );
});

const UNITS = FILES.filter((file) => /\.(?:service|timer)$/.test(file));

Deno.test({
  ...needing("systemd finds nothing wrong with the units", { "systemd-analyze": await installed("systemd-analyze") }),
  fn: () =>
    withFolder(async (folder) => {
      const paths = UNITS.map((file) => join(folder, file));
      for (const [at, file] of UNITS.entries()) {
        Deno.writeTextFileSync(paths[at], read(file).replaceAll(INSTALLED_AT, "/bin/true"));
      }
      const verify = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no"];
      assertEquals(await runProgram([...verify, ...paths]), { code: 0, stdout: "", stderr: "" });
      Deno.writeTextFileSync(paths[0], read(UNITS[0]).replace("StateDirectory", "StateFolder"));
      assert((await runProgram([...verify, ...paths])).stderr.includes("StateFolder"));
    }),
});

/** Whether crontab can check a file without installing it, as Debian's can. */
async function cronChecks(): Promise<boolean> {
  return await installed("crontab") && (await runProgram(["crontab", "-n", "-"], "* * * * * true\n")).code === 0;
}

Deno.test({
  ...needing("cron takes the crontab", { "crontab -n": await cronChecks() }),
  fn: async () => {
    assertEquals((await runProgram(["crontab", "-n", join(EXAMPLES, "crontab")])).code, 0);
    assertEquals((await runProgram(["crontab", "-n", "-"], `${read("crontab")}61 * * * * true\n`)).code, 1);
  },
});

Deno.test("the commands of the crontab do what they say, under the little that cron sets", () =>
  withFolder(async (folder) => {
    const vigil = join(folder, "vigil");
    const quoted = vigilCommand().map((word) => `'${word}'`).join(" ");
    const cache = Deno.env.get("DENO_DIR") ??
      `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`;
    Deno.writeTextFileSync(vigil, `#!/bin/sh\nDENO_DIR='${cache}' exec ${quoted} "$@"\n`, { mode: 0o755 });
    const home = join(folder, "home");
    Deno.mkdirSync(join(home, ".jsc/hooks"), { recursive: true });
    for (const [name, days] of [["old", 15], ["new", 1]] as const) {
      const file = join(home, `.jsc/hooks/${name}.jsonl`);
      Deno.writeTextFileSync(file, "");
      const seconds = Deno.statSync(folder).mtime!.getTime() / 1000 - days * 86_400;
      Deno.utimeSync(file, seconds, seconds);
    }
    const commands = read("crontab").split("\n").filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split(" ").slice(5).join(" ").replaceAll(INSTALLED_AT, vigil));
    const outputs: string[] = [];
    for (const command of commands) {
      const output = await new Deno.Command("/bin/sh", {
        args: ["-c", command],
        clearEnv: true,
        env: { HOME: home, SHELL: "/bin/sh", PATH: "/usr/bin:/bin", LOGNAME: "agent" },
        stdin: "null",
      }).output();
      assertEquals([output.code, new TextDecoder().decode(output.stderr)], [0, ""], command);
      outputs.push(new TextDecoder().decode(output.stdout));
    }
    assertEquals(outputs, ["", "", "the job\n", "", ""]);
    assert(Deno.readTextFileSync(join(home, ".jsc/vigil.prom")).includes('state="fresh"'));
    assertEquals([...Deno.readDirSync(join(home, ".jsc/hooks"))].map((entry) => entry.name), ["new.jsonl"]);
  }));
