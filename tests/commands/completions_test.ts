// The completion scripts, loaded into the real shells: what each offers at every place of a command line.
import { assert, assertEquals } from "@std/assert";
import { type Shell, SHELLS } from "../../lib/commands/shells.ts";
import { COMMANDS } from "../../lib/commands/table.ts";
import { installed } from "../installed.ts";
import { runVigil, withFolder } from "../run_vigil.ts";

const HERE = new URL(".", import.meta.url).pathname;

/** A command line with the cursor at its end, and all that may be there, in any order. */
type Case = readonly [line: string, words: readonly string[]];

const FIRST = [...new Set(COMMANDS.map((command) => command.path[0]))];
const HEARTBEAT = ["write", "check", "report", "clear"];

/** Those of `words` that start like the first of them. */
const startingAs = (words: readonly string[]) => words.filter((word) => word.startsWith(words[0].slice(0, 1)));

const CASES: readonly Case[] = [
  ["vigil heartb", ["heartbeat"]],
  ["vigil heartbeat ch", ["check"]],
  ["vigil --v", ["--version"]],
  ["vigil help ", FIRST],
  ["vigil help heartbeat ", HEARTBEAT],
  ["vigil hooks c", ["claude", "codex", "copilot"]],
  ["vigil completions ", SHELLS],
  ["vigil observe --snap", ["--snapshot"]],
  ["vigil observe --max-bytes ", []],
  ["vigil observe one", ["one.jsonl"]],
  ["vigil observe --snapshot --format json one", ["one.jsonl"]],
  ["vigil observe with", ["with space.jsonl"]],
  ["vigil sessions --dir f", ["folder"]],
  ["vigil nonsense ", []],
  ...COMMANDS.map((command): Case => [
    `vigil ${command.path.join(" ")} --`,
    [...command.options.map((option) => `--${option.name}`), "--help"],
  ]),
  ...COMMANDS.flatMap((command) =>
    command.options.flatMap((option): Case[] =>
      option.choices === undefined ? [] : [
        [`vigil ${command.path.join(" ")} --${option.name} `, option.choices],
        [
          `vigil ${command.path.join(" ")} --${option.name}=${option.choices[0].slice(0, 1)}`,
          startingAs(option.choices),
        ],
      ]
    )
  ),
];

const PROGRAMS: Readonly<Record<Shell, readonly string[]>> = {
  bash: ["bash", "--norc", `${HERE}complete.bash`],
  zsh: ["zsh", "-f", `${HERE}complete.zsh`],
  fish: ["fish", "--no-config", `${HERE}complete.fish`],
};

/** What \`shell\` offers at the end of each line, in a folder with two files and a folder. */
async function offers(shell: Shell, script: string, lines: readonly string[], folder: string): Promise<string[][]> {
  const [program, ...args] = PROGRAMS[shell];
  const output = await new Deno.Command(program, {
    args: [...args, script, ...lines],
    cwd: folder,
    clearEnv: true,
    signal: AbortSignal.timeout(120_000),
    env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", HOME: folder, TERM: "dumb", LC_ALL: "C.UTF-8" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  assertEquals(decoder.decode(output.stderr), "");
  return decoder.decode(output.stdout).split(/^\n/m).slice(0, lines.length).map(wordsOf);
}

/** One offer a line, some more than once; fish adds a summary after a tab, the option before its value, a slash to a folder. */
function wordsOf(text: string): string[] {
  const words = text.split("\n").filter((line) => line !== "").map((line) =>
    line.split("\t", 1)[0].replace(/^--[^=]+=/, "").replace(/\/$/, "").replaceAll("\\ ", " ")
  );
  return [...new Set(words)].sort();
}

for (const shell of SHELLS) {
  const missing = !(await installed(shell));
  Deno.test({
    name: `${shell} completes every command, option and value${missing ? ` (skipped: ${shell} is not installed)` : ""}`,
    ignore: missing,
    fn: () =>
      withFolder(async (folder) => {
        const script = `${folder}/script`;
        const { code, stdout, stderr } = await runVigil(["completions", shell]);
        assertEquals([code, stderr], [0, ""]);
        Deno.writeTextFileSync(script, stdout);
        Deno.mkdirSync(`${folder}/place/folder`, { recursive: true });
        for (const file of ["one.jsonl", "with space.jsonl"]) Deno.writeTextFileSync(`${folder}/place/${file}`, "");
        const offered = await offers(shell, script, CASES.map(([line]) => line), `${folder}/place`);
        for (const [at, [line, words]] of CASES.entries()) assertEquals(offered[at], [...words].sort(), line);
      }),
  });
}

Deno.test("a shell without a script is a usage error that names the nearest", async () => {
  const { code, stdout, stderr } = await runVigil(["completions", "fih"]);
  assertEquals([code, stdout], [6, ""]);
  assert(stderr.includes('SHELL cannot be "fih": it is one of bash, zsh, fish'), stderr);
  assert(stderr.includes('did you mean "vigil completions fish"?'), stderr);
});
