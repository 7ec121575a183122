// The whole binary's manners: help, version, and the guard that keeps the runtime's own exit 1 from being seen.
import { assert, assertEquals, assertMatch } from "@std/assert";
import { EXIT_CODES } from "../../lib/exit_code_words.ts";
import { EXIT } from "../../lib/exit_codes.ts";
import { help } from "../../lib/commands/help.ts";
import { COMMANDS } from "../../lib/commands/table.ts";
import { runVigil, vigilCommand } from "../run_vigil.ts";
import { ROOT } from "../source_files.ts";

Deno.test("help is on stdout with exit 0 and names every command and every exit code", async () => {
  const { code, stdout, stderr } = await runVigil(["--help"]);
  assertEquals([code, stderr], [0, ""]);
  for (const command of COMMANDS) assert(stdout.includes(command.path.join(" ")), command.path.join(" "));
  for (const row of EXIT_CODES) assert(stdout.includes(row.meaning), row.name);
});

for (const command of COMMANDS) {
  Deno.test(`help of ${command.path.join(" ")} tells its options, exit codes and an example`, async () => {
    const { code, stdout, stderr } = await runVigil([...command.path, "--help"]);
    assertEquals([code, stderr], [0, ""]);
    for (const option of command.options) assert(stdout.includes(`--${option.name}`), option.name);
    for (const example of command.examples) assert(stdout.includes(example.line), example.line);
    for (const choice of [command.operandChoices, ...command.options.map(({ choices }) => choices)].flat()) {
      assert(choice === undefined || stdout.includes(choice), choice);
    }
    assertEquals((await runVigil(["help", ...command.path])).stdout, stdout);
  });
}

/** What a command's exit codes must not speak of: it has nothing to do with it. */
const FOREIGN: Readonly<Record<string, RegExp>> = {
  "heartbeat write": /fresh|session|input/,
  "heartbeat check": /done|session|input|a beat is missing/,
  "heartbeat report": /fresh|session|input|a beat is missing/,
  "heartbeat clear": /fresh|session|input|a beat is missing/,
  "observe": /beat|fresh|session/,
  "sessions": /beat|fresh|input/,
  "coverage": /beat|fresh|agent|session|input|verdict/,
  "hooks": /beat|fresh|agent|session|input|verdict/,
  "completions": /beat|fresh|agent|session|input|verdict/,
  "man": /beat|fresh|agent|session|input|verdict/,
};

Deno.test("help of a command tells its exit codes in words of its own", () => {
  for (const command of COMMANDS) {
    const [, exits] = help(command.path, COMMANDS).split("Exit codes:");
    const [rows] = exits.split("Example");
    assertEquals(rows.match(FOREIGN[command.path.join(" ")])?.[0], undefined, rows);
  }
  assert(Object.keys(FOREIGN).length === COMMANDS.length);
});

Deno.test("the version names the program, its version and the runtime", async () => {
  const { code, stdout, stderr } = await runVigil(["--version"]);
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^vigil \d+\.\d+\.\d+ \(\S+\) deno \d+\.\d+\.\d+ \S+\n$/);
});

Deno.test("a wrong command line is exit 6 with one line and a hint on stderr", async () => {
  const { code, stdout, stderr } = await runVigil(["obsrve"]);
  assertEquals([code, stdout], [EXIT.usage, ""]);
  assertEquals(stderr, 'vigil: unknown command "obsrve"\nhint: did you mean "vigil observe"?\n');
});

Deno.test("-h behind any command's option is that option's value, for the heartbeat's commands as well", async () => {
  const { code, stdout, stderr } = await runVigil(["heartbeat", "check", "--max-bytes", "-h"]);
  assertEquals([code, stdout], [EXIT.usage, ""]);
  assertMatch(stderr, /^vigil: unknown option "--max-bytes" for heartbeat check\n/);
});

Deno.test("no character of a command line acts on the terminal that shows the message", async () => {
  const { stderr } = await runVigil(["ob\u001b[31m\u202e\u200bserve"]);
  assertEquals(stderr.split("\n")[0], 'vigil: unknown command "ob [31m serve"');
});

/** Runs a program that uses the real entry points with one command whose code does `body`. */
async function runWith(body: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const program = `
    import { run } from "${ROOT}lib/commands/run.ts";
    import { installGuard } from "${ROOT}lib/commands/guard.ts";
    import { COMMANDS } from "${ROOT}lib/commands/table.ts";
    installGuard((code) => Deno.exit(code));
    const broken = COMMANDS.map((command) => ({ ...command, load: () => Promise.resolve({ run: async () => { ${body} } }) }));
    Deno.exit(await run(Deno.args, broken));`;
  const output = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-check",
      `--config=${ROOT}deno.json`,
      "--no-lock",
      "--ext=ts",
      "-",
      ...["observe"],
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = output.stdin.getWriter();
  await writer.write(new TextEncoder().encode(program));
  await writer.close();
  const { code, stdout, stderr } = await output.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

const BROKEN: Readonly<Record<string, string>> = {
  "throws": `throw new Error("boom\\nsecond line")`,
  "throws no error": `throw "boom"`,
  "leaves a rejection behind": `Promise.reject(new TypeError("boom")); await new Promise(() => {})`,
  "throws in a callback": `queueMicrotask(() => { throw new Error("boom"); }); await new Promise(() => {})`,
  "lacks a permission": `Deno.readTextFileSync("/boom")`,
  "overflows the stack": `const f = () => f() + 1; f()`,
};

for (const [what, body] of Object.entries(BROKEN)) {
  Deno.test(`a command that ${what} ends in exit 2 with one line`, async () => {
    const { code, stdout, stderr } = await runWith(body);
    assertEquals([code, stdout], [EXIT.failed, ""]);
    assertMatch(stderr, /^vigil: failed to run, no verdict: [^\n]+\n$/);
  });
}

Deno.test("every command refuses to guess when it may not read", async () => {
  if (Deno.env.get("VIGIL_BINARY") !== undefined) return;
  const [program, ...first] = vigilCommand();
  const args = first.filter((arg) => !arg.startsWith("--allow-"));
  const { code, stderr } = await new Deno.Command(program, {
    args: [...args, "heartbeat", "check"],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  assertEquals(code, EXIT.failed);
  assertMatch(new TextDecoder().decode(stderr), /^vigil: failed to run, no verdict: NotCapable: [^\n]+\n$/);
});

/** What there is no help for -> what is said to do about it. */
const NO_HELP: readonly (readonly [topic: string, hint: string])[] = [
  ["nonsense", "vigil --help lists the commands"],
  ["observ", 'did you mean "vigil help observe"?'],
  ["hartbeat check", 'did you mean "vigil help heartbeat"?'],
  ["heartbeat chek", 'did you mean "vigil help heartbeat check"?'],
  ["observe nonsense", "vigil --help lists the commands"],
];

Deno.test("help for what is no command is exit 6, with the nearest there is", async () => {
  for (const [topic, hint] of NO_HELP) {
    assertEquals(await runVigil(["help", ...topic.split(" ")]), {
      code: EXIT.usage,
      stdout: "",
      stderr: `vigil: no help for "${topic}"\nhint: ${hint}\n`,
    });
  }
});
