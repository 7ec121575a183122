// The manual page: complete, and without a complaint from the programs that render it.
import { assert, assertEquals } from "@std/assert";
import { COMMANDS } from "../../lib/commands/table.ts";
import { OWN_VARIABLES } from "../../lib/environment.ts";
import { EXIT_CODES } from "../../lib/exit_code_words.ts";
import { installed } from "../installed.ts";
import { runVigil, withFolder } from "../run_vigil.ts";

/** The text of the page as it is read, on lines too long to be broken. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  mandoc: ["mandoc", "-T", "utf8", "-O", "width=400"],
  groff: ["groff", "-man", "-T", "utf8", "-rLL=400n", "-ww", "-P-cbou"],
};

/** Runs a program of the system on `page` and returns all it says. */
async function read(
  page: string,
  [program, ...args]: readonly string[],
): Promise<{ text: string; complaints: string }> {
  let said = { text: "", complaints: "" };
  await withFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/vigil.1`, page);
    const command = new Deno.Command(program, { args: [...args, `${folder}/vigil.1`], stdin: "null" });
    const { stdout, stderr } = await command.output();
    const decoder = new TextDecoder();
    // deno-lint-ignore no-control-regex -- mandoc prints bold by overstriking
    said = { text: decoder.decode(stdout).replace(/.\u0008/gu, ""), complaints: decoder.decode(stderr) };
  });
  return said;
}

for (const [name, command] of Object.entries(READERS)) {
  const missing = !(await installed(name));
  Deno.test({
    name: `the manual page read by ${name} tells everything${missing ? ` (skipped: ${name} is not installed)` : ""}`,
    ignore: missing,
    fn: async () => {
      const { code, stdout, stderr } = await runVigil(["man"]);
      assertEquals([code, stderr], [0, ""]);
      const { text, complaints } = await read(stdout, command);
      assertEquals(complaints, "");
      const expected = [
        ...COMMANDS.flatMap((command) => [
          `vigil ${command.path.join(" ")}`,
          command.summary,
          ...command.options.flatMap((option) => [`--${option.name}`, option.value ?? "", option.summary]),
          ...command.operandChoices ?? [],
          ...command.examples.map((example) => example.line),
        ]),
        ...EXIT_CODES.map((row) => `${row.meaning}: ${row.remedy}`),
        ...OWN_VARIABLES.flatMap((row) => [row.name, row.summary]),
      ];
      for (const part of expected) assert(text.includes(part), `${part}\n${text}`);
    },
  });
}

const missing = !(await installed("mandoc"));
Deno.test({
  name: `mandoc finds nothing wrong with the manual page${missing ? " (skipped: mandoc is not installed)" : ""}`,
  ignore: missing,
  fn: async () => {
    const { stdout } = await runVigil(["man"]);
    const { text } = await read(stdout, ["mandoc", "-T", "lint", "-W", "warning"]);
    const lines = text.split("\n").filter((line) => line !== "").map((line) => line.replace(/^\S+ \S+ /, ""));
    assertEquals(lines, ['WARNING: missing date, using "": TH']);
  },
});
