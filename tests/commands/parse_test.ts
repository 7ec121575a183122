// Command lines against the table: what they run, what they get wrong and what is said about it.
import { assert, assertEquals, assertThrows } from "@std/assert";
import { EXIT } from "../../lib/exit_codes.ts";
import { Failure } from "../../lib/failure.ts";
import { parse } from "../../lib/commands/parse.ts";
import { type CommandRow, COMMANDS } from "../../lib/commands/table.ts";

const TABLE: readonly CommandRow[] = [
  {
    path: ["group", "go"],
    summary: "go",
    operands: "[FILE…]",
    operandCount: [0, 2],
    options: [
      { name: "speed", value: "N", summary: "how fast" },
      { name: "mode", value: "MODE", choices: ["slow", "fast"], summary: "how" },
      { name: "loud", summary: "say so" },
    ],
    exits: [0],
    examples: [],
    load: () => Promise.reject(new Error("not loaded here")),
  },
  {
    path: ["stay"],
    summary: "stay",
    options: [],
    exits: [0],
    examples: [],
    load: () => Promise.reject(new Error("no")),
  },
  {
    path: ["lift"],
    summary: "lift",
    operands: "WHAT",
    operandCount: [1, 1],
    operandChoices: ["stone", "feather"],
    options: [],
    exits: [0],
    examples: [],
    load: () => Promise.reject(new Error("no")),
  },
];

const invocation = (...args: string[]) => {
  const request = parse(args, TABLE);
  assert(request.kind === "run");
  return request.invocation;
};

Deno.test("options take their value apart or after an equals sign, in any order with operands", () => {
  const options = { speed: "9", mode: "fast", loud: true };
  assertEquals(invocation("group", "go", "--speed", "9", "a", "--mode=fast", "--loud"), { options, operands: ["a"] });
  assertEquals(invocation("group", "go", "--loud", "--mode", "fast", "--speed=9", "--", "--a"), {
    options,
    operands: ["--a"],
  });
});

Deno.test("operands stay text and a lone dash is one", () => {
  assertEquals(invocation("group", "go", "007", "-").operands, ["007", "-"]);
});

const WRONG: readonly (readonly [string, string, string])[] = [
  ["", "no command given", "vigil --help"],
  ["grup go", 'unknown command "grup"', '"vigil group"'],
  ["group g", 'unknown command "group g"', '"vigil group go"'],
  ["group og", 'unknown command "group og"', "it is one of go"],
  ["remove", 'unknown command "remove"', "it is one of group, stay, lift, help"],
  ["group", '"group" needs one of go', "vigil group --help"],
  ["--verson", 'unknown option "--verson" before a command', '"vigil --version"'],
  ["-help", 'unknown option "-help" before a command', '"vigil --help"'],
  ["version", 'unknown command "version"', '"vigil --version"'],
  ["hlep", 'unknown command "hlep"', '"vigil help"'],
  ["--loud", 'unknown option "--loud" before a command', "vigil --help"],
  ["group go --sped 1", 'unknown option "--sped" for group go', '"--speed"'],
  ["group go --volume 1", 'unknown option "--volume" for group go', "see vigil group go --help"],
  [
    "group go --mode reverse",
    'option "--mode" cannot be "reverse": it is one of slow, fast',
    "see vigil group go --help",
  ],
  ["lift iron", 'WHAT cannot be "iron": it is one of stone, feather', "see vigil lift --help"],
  ["group go -x", 'unknown option "-x" for group go', "see vigil group go --help"],
  ["group go --speed", 'option "--speed" needs a value: N', "see vigil group go --help"],
  ["group go --speed=", 'option "--speed" needs a value: N', "see vigil group go --help"],
  ["group go --mode fsat", 'option "--mode" cannot be "fsat": it is one of slow, fast', 'did you mean "fast"?'],
  ["group go --loud=yes", 'option "--loud" takes no value', "see vigil group go --help"],
  ["group go a b c", 'unexpected argument "c" for group go', "see vigil group go --help"],
  ["lift", "lift needs WHAT", "see vigil lift --help"],
  ["lift stoen", 'WHAT cannot be "stoen": it is one of stone, feather', '"vigil lift stone"'],
  ["group go --speed -h", 'unknown option "-h" for group go', "see vigil group go --help"],
  ["--version junk", 'unexpected argument "junk" for --version', "vigil --help"],
  ["stay here", 'unexpected argument "here" for stay', "see vigil stay --help"],
];

for (const [line, message, hint] of WRONG) {
  Deno.test(`"vigil ${line}" is a usage error that names the word and the remedy`, () => {
    const failure = assertThrows(() => parse(line.split(" ").filter((word) => word !== ""), TABLE), Failure);
    assertEquals([failure.code, failure.message], [EXIT.usage, message]);
    assert(failure.hint?.includes(hint), failure.hint ?? "no hint");
    if (!hint.includes('"')) assert(!failure.hint?.includes("did you mean"), failure.hint ?? "");
  });
}

Deno.test("help is asked for anywhere, even where the rest is wrong", () => {
  assertEquals(parse(["--help"], TABLE), { kind: "help", topic: [] });
  assertEquals(parse(["help", "group", "go"], TABLE), { kind: "help", topic: ["group", "go"] });
  assertEquals(parse(["group", "--help"], TABLE), { kind: "help", topic: ["group"] });
  assertEquals(parse(["group", "go", "--nonsense", "-h"], TABLE), { kind: "help", topic: ["group", "go"] });
  assertEquals(parse(["gruop", "--help"], TABLE), { kind: "help", topic: [] });
  assertEquals(parse(["--version"], TABLE), { kind: "version" });
});

Deno.test("every command of the binary has one path, an example that parses and the exit codes 0, 2 and 6", () => {
  assertEquals(new Set(COMMANDS.map((command) => command.path.join(" "))).size, COMMANDS.length);
  for (const command of COMMANDS) {
    const name = command.path.join(" ");
    assert(command.examples.length > 0, name);
    for (const code of [0, 2, 6] as const) assert(command.exits.includes(code), `${name} may exit ${code}`);
    for (const { line } of command.examples) assert(line.includes(`vigil ${name}`), line);
  }
});
