// The README is true: every command in it is run, every output in it compared, its tables are the code's.
import { assert, assertEquals, assertMatch } from "@std/assert";
import { dirname } from "@std/path/dirname";
import { OBSERVE_FORMATS } from "../lib/commands/formats.ts";
import { DIALECTS, HOOK_CLIENTS } from "../lib/dialects/reading.ts";
import { EXIT_CODES } from "../lib/exit_code_words.ts";
import { installed } from "./installed.ts";
import { vigilCommand, withFolder } from "./run_vigil.ts";
import { ROOT } from "./source_files.ts";

const README = Deno.readTextFileSync(`${ROOT}README.md`);
const AGENTS = Deno.readTextFileSync(`${ROOT}docs/agents.md`);

interface Block {
  readonly language: string;
  readonly text: string;
}

const blocks: readonly Block[] = [...README.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map((
  [, indent, language, text],
) => ({ language, text: text.replaceAll(new RegExp(`^${indent}`, "gm"), "") }));
const textsIn = (language: string) => blocks.filter((block) => block.language === language).map((block) => block.text);

/** What differs from run to run. */
const steady = (text: string) => text.replaceAll(/\b(ts|age|pid)=\d+/g, "$1=N");

/** What a user has in ~/.claude/settings.json. */
const OWN_SETTINGS = { model: "m", hooks: { Stop: [{ hooks: [{ type: "command", command: "mine" }] }] } };

/** Where a run from source finds its modules, whatever its HOME. */
const denoCache = () =>
  Deno.env.get("DENO_DIR") ?? `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`;

/** A folder as a user's, with `vigil` and stand-ins for agents on the PATH, a beat, and one recorded session. */
async function withMachine(test: (sh: (line: string) => Promise<string>, folder: string) => Promise<void>) {
  await withFolder(async (folder) => {
    const program = (name: string, text: string) =>
      Deno.writeTextFileSync(`${folder}/bin/${name}`, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    Deno.mkdirSync(`${folder}/bin`);
    Deno.mkdirSync(`${folder}/hooks`);
    program("vigil", `exec ${vigilCommand().map((word) => `'${word}'`).join(" ")} "$@"`);
    program("deno", `cd '${ROOT}' && exec '${Deno.execPath()}' "$@"`);
    program("claude", `case "$*" in *stream-json*) cat '${ROOT}tests/data/corpus/claude/bash.stream.jsonl';; esac`);
    // It lives until the beats beside it have begun.
    program("my-agent", `while cmp -s assistant/heartbeat first; do sleep 0.05; done`);
    Deno.copyFileSync(`${ROOT}tests/data/corpus/claude/bash.hooks.jsonl`, `${folder}/hooks/bash.jsonl`);
    Deno.mkdirSync(`${folder}/.claude`);
    Deno.writeTextFileSync(`${folder}/.claude/settings.json`, JSON.stringify(OWN_SETTINGS));
    const path = `${folder}/bin:${Deno.env.get("PATH")}`;
    const env = { PATH: path, HOME: folder, DENO_DIR: denoCache(), JSC_HOME: ".", NO_COLOR: "1" };
    const sh = async (line: string) => {
      const { stdout } = await new Deno.Command("sh", {
        args: ["-c", line],
        cwd: folder,
        env,
        stdin: "null",
        stderr: "inherit",
      }).output();
      return new TextDecoder().decode(stdout);
    };
    await sh("vigil heartbeat write && cp assistant/heartbeat first");
    await test(sh, folder);
  });
}

/** Runs a line to its end and tells its exit code; one that follows is ended by SIGTERM once it has put out something. */
function ending(line: string): string {
  if (!line.includes("--follow")) return `{ ${line}\n} && echo "exit $?"`;
  const command = line.replace(/ > \/dev\/null$/, "");
  return `${command} > out & while [ ! -s out ]; do sleep 0.05; done; kill -TERM $!; wait $!; echo "exit $?"`;
}

/** Lines that another test runs, or that would run this one. */
const ELSEWHERE: readonly RegExp[] = [
  /^npx -y deno@2\.7\.11 task (demo|test|compile|release)$/,
  /^deno compile /,
];

const hasJq = await installed("jq");

for (const text of textsIn("sh")) {
  for (const line of text.trimEnd().split("\n")) {
    const elsewhere = ELSEWHERE.find((pattern) => pattern.test(line));
    const ignore = / jq /.test(line) && !hasJq;
    Deno.test({ name: `README: ${line}`, ignore }, async () => {
      if (elsewhere !== undefined) {
        const task = line.match(/task (\w+)$/)?.[1];
        const { tasks } = JSON.parse(Deno.readTextFileSync(`${ROOT}deno.json`));
        if (task !== undefined) assert(Object.hasOwn(tasks, task), `deno.json has the task ${task}`);
        return;
      }
      await withMachine(async (sh, folder) => {
        const stdout = await sh(ending(line));
        assertMatch(stdout, line.includes("exec ") ? /^$/ : /exit 0\n$/);
        for (const [, target] of line.matchAll(/> (\w[\w.-]*\.\w+)/g)) {
          assert(Deno.statSync(`${folder}/${target}`).size > 0, `${target} was written`);
        }
      });
    });
  }
}

Deno.test(
  { name: "README: the merge with jq keeps the user's settings and hooks (needs jq)", ignore: !hasJq },
  () =>
    withMachine(async (sh, folder) => {
      const [line] = textsIn("sh").filter((text) => / jq /.test(text));
      await sh(line);
      const { model, hooks } = JSON.parse(Deno.readTextFileSync(`${folder}/merged.json`));
      const printed = JSON.parse(await sh("vigil hooks claude 2>/dev/null")).hooks;
      assertEquals(model, "m");
      assertEquals(hooks, { ...printed, Stop: [...OWN_SETTINGS.hooks.Stop, ...printed.Stop] });
    }),
);

const [demo, ...consoles] = textsIn("console");
for (const text of consoles) {
  Deno.test(`README: ${text.split("\n", 1)[0].slice(0, 100)}`, async () => {
    await withMachine(async (sh) => {
      for (const step of text.split(/^\$ /m).slice(1)) {
        const [command] = step.split("\n", 1);
        const expected = step.slice(command.length + 1);
        assertEquals(steady(await sh(`{ ${command}\n} 2>&1`)), steady(expected), command);
      }
    });
  });
}

const binary = Deno.env.get("VIGIL_BINARY");
Deno.test({
  name: `README: the demo prints what the first screen shows${
    binary === undefined ? " (run with the binary only)" : ""
  }`,
  ignore: binary === undefined || dirname(binary) !== `${ROOT}dist`,
  fn: async () => {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", `--config=${ROOT}deno.json`, `--lock=${ROOT}deno.lock`, "-A", `${ROOT}tools/demo.ts`],
      stderr: "inherit",
    }).output();
    assertEquals(steady(new TextDecoder().decode(stdout)).trimEnd(), steady(demo).trimEnd());
  },
});

Deno.test("README: the library's example runs", async () => {
  const [example] = textsIn("ts");
  await withFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/example.ts`, example.replace(`"./mod.ts"`, `"file://${ROOT}mod.ts"`));
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--check", "--no-lock", `--config=${ROOT}deno.json`, `${folder}/example.ts`],
      stderr: "inherit",
    }).output();
    assertEquals(code, 0);
    assertEquals(
      new TextDecoder().decode(stdout),
      "spawning working a turn was submitted by a prompt\nworking idle clean end of the turn\n",
    );
  });
});

Deno.test("README: Docker's health check answers 0 or 1 alone", async () => {
  const [check] = textsIn("dockerfile").map((text) => text.match(/ CMD (.*)$/m)?.[1]);
  await withMachine(async (sh) => {
    const code = (before: string) => sh(`${before}; (${check}); echo $?`);
    assertEquals(await code(":"), "0\n");
    assertEquals(await code("vigil heartbeat clear"), "1\n");
    assertEquals(await code("export JSC_HOME= HOME="), "1\n");
  });
});

Deno.test("README: the exit codes are the table's", () => {
  for (const { code, name, meaning, remedy } of EXIT_CODES) {
    assert(README.includes(`| ${code} | ${name} | ${meaning} | ${remedy} |`), name);
  }
});

Deno.test("README: what each agent tells is what docs/agents.md says", () => {
  const table = AGENTS.match(/(?:^\|.*\n)+/m)?.[0] ?? "";
  assert(table.includes("Claude Code"));
  assert(README.includes(table), "the table of README.md and that of docs/agents.md differ");
  const columns = table.split("\n", 1)[0].split("|").slice(2, -1).map((name) => name.trim());
  assertEquals(columns.length, DIALECTS.length, `${columns.join(", ")}: one column for each of ${DIALECTS.join(", ")}`);
});

Deno.test("README: every format of observe is shown", () => {
  const [standard, ...others] = Object.keys(OBSERVE_FORMATS);
  assertEquals(standard, "text");
  for (const format of others) {
    const example = `vigil observe --format ${format}`;
    assert(README.includes(example), `README.md has no line with: ${example}`);
  }
});

Deno.test("docs/agents.md names the clients with hook settings", () => {
  const command = `vigil hooks ${HOOK_CLIENTS.join("|")}`;
  assert(AGENTS.includes(`\`${command}\``), `docs/agents.md has no line with: ${command}`);
});

Deno.test("README and docs: every link leads to a file", () => {
  for (const path of ["README.md", ...[...Deno.readDirSync(`${ROOT}docs`)].map(({ name }) => `docs/${name}`)]) {
    if (!path.endsWith(".md")) continue;
    const text = Deno.readTextFileSync(ROOT + path);
    for (const [, target] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
      assert(Deno.statSync(`${ROOT}${dirname(path)}/${target}`), `${path} links to ${target}`);
    }
  }
});
