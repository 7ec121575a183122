// Pure. Command line -> the command it names and what that command gets.
import { parseArgs } from "@std/cli/parse-args";
import { usageFailure } from "../failure.ts";
import { nearest } from "./nearest.ts";
import type { CommandRow, Invocation, OptionRow } from "./table.ts";

/** What a command line asks for. */
export type Request =
  | { readonly kind: "run"; readonly command: CommandRow; readonly invocation: Invocation }
  | { readonly kind: "help"; readonly topic: readonly string[] }
  | { readonly kind: "version" };

/**
 * Reads a command line against the table.
 *
 * @throws {Failure} with exit 6 that names the word that is wrong and the nearest one that is right
 */
export function parse(args: readonly string[], commands: readonly CommandRow[]): Request {
  const end = args.indexOf("--");
  const flags = end === -1 ? args : args.slice(0, end);
  const words = flags.filter((arg) => !arg.startsWith("-"));
  if (words[0] === "help") return { kind: "help", topic: words.slice(1) };

  const takesValue = (flag: string) =>
    commands.some(({ options }) => options.some((option) => isValued(option) && `--${option.name}` === flag));
  const asksHelp = flags.some((arg, at) => arg === "--help" || (arg === "-h" && !takesValue(flags[at - 1])));
  const command = commandNamedBy(args, commands);
  if (command === undefined) {
    if (asksHelp) return { kind: "help", topic: knownPrefix(words, commands) };
    if (args[0] === "--version" || args[0] === "-V") {
      if (args.length > 1) throw usageFailure(`unexpected argument "${args[1]}" for --version`);
      return { kind: "version" };
    }
    throw unknownCommand(args, commands);
  }
  if (asksHelp) return { kind: "help", topic: command.path };
  return { kind: "run", command, invocation: parseInvocation(args.slice(command.path.length), command) };
}

const isValued = (option: OptionRow): boolean => option.value !== undefined;

function commandNamedBy(args: readonly string[], commands: readonly CommandRow[]): CommandRow | undefined {
  return commands.find((command) => command.path.every((word, at) => args[at] === word));
}

/** As much of `words` as leads towards a command. */
function knownPrefix(words: readonly string[], commands: readonly CommandRow[]): readonly string[] {
  const leads = (length: number) =>
    commands.some((command) => words.slice(0, length).every((word, at) => command.path[at] === word));
  let length = words.length;
  while (length > 0 && !leads(length)) length--;
  return words.slice(0, length);
}

function unknownCommand(args: readonly string[], commands: readonly CommandRow[]): Error {
  const [first, second] = args;
  if (first === undefined) return usageFailure("no command given", "vigil --help lists the commands");
  if (first.startsWith("-")) {
    return usageFailure(
      `unknown option "${first}" before a command`,
      guess(first.replace(/^-+/, ""), ["help", "version"], (name) => `vigil --${name}`) ??
        "vigil --help lists the commands",
    );
  }
  const group = commands.filter((command) => command.path.length > 1 && command.path[0] === first);
  if (group.length > 0) {
    const names = group.map((command) => command.path[1]);
    if (second === undefined || second.startsWith("-")) {
      return usageFailure(`"${first}" needs one of ${names.join(", ")}`, `see vigil ${first} --help`);
    }
    return usageFailure(
      `unknown command "${first} ${second}"`,
      guess(second, names, (name) => `vigil ${first} ${name}`) ?? `it is one of ${names.join(", ")}`,
    );
  }
  const names = [...new Set(commands.map((command) => command.path[0])), "help"];
  return usageFailure(
    `unknown command "${first}"`,
    guess(first, [...names, "version"], (name) => name === "version" ? "vigil --version" : `vigil ${name}`) ??
      `it is one of ${names.join(", ")}`,
  );
}

/** What to do about a `topic` that help knows nothing of. */
export function helpHint(topic: readonly string[], commands: readonly CommandRow[]): string {
  const known = knownPrefix(topic, commands);
  const next = commands.filter(({ path }) => known.every((word, at) => path[at] === word))
    .flatMap(({ path }) => path.slice(known.length, known.length + 1));
  return guess(topic[known.length], next, (name) => ["vigil help", ...known, name].join(" ")) ??
    "vigil --help lists the commands";
}

/** Asks whether the nearest of `known` was meant, as `shown`; null where none is near. */
function guess(
  word: string,
  known: readonly string[],
  shown: (name: string) => string = (name) => name,
): string | null {
  const name = nearest(word, known);
  return name === null ? null : `did you mean "${shown(name)}"?`;
}

/** Options that any command has. */
export const COMMON_OPTIONS: readonly OptionRow[] = [{ name: "help", summary: "print this help" }];

function placeholderOf(flag: string, command: CommandRow): string {
  return command.options.find((option) => `--${option.name}` === flag)?.value ?? "";
}

function parseInvocation(args: readonly string[], command: CommandRow): Invocation {
  const [fewest, most] = command.operandCount ?? [0, 0];
  const name = command.path.join(" ");
  const hint = `see vigil ${name} --help`;
  const withHint = (meant: string | null) => meant === null ? hint : `${meant} ${hint}`;
  const valued = command.options.filter(isValued).map((option) => option.name);
  const switches = command.options.filter((option) => option.value === undefined).map((option) => option.name);
  const known = [...valued, ...switches, "help"].map((option) => `--${option}`);
  const parsed = parseArgs(args, {
    string: ["_", ...valued],
    boolean: switches,
    unknown: (arg, key) => {
      if (key === undefined) return true;
      const flag = arg.split("=", 1)[0];
      if (known.includes(flag)) {
        throw usageFailure(`option "${flag}" needs a value: ${placeholderOf(flag, command)}`, hint);
      }
      const meant = guess(flag.replace(/^-+/, ""), known.map((option) => option.slice(2)), (option) => `--${option}`);
      throw usageFailure(`unknown option "${flag}" for ${name}`, withHint(meant));
    },
  });
  const flagPart = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const odd = flagPart.find((arg) => switches.some((option) => arg.startsWith(`--${option}=`)));
  if (odd !== undefined) throw usageFailure(`option "${odd.split("=", 1)[0]}" takes no value`, hint);

  const options: Record<string, string | boolean | undefined> = {};
  for (const option of command.options) {
    if (option.value === undefined) {
      options[option.name] = parsed[option.name] === true;
      continue;
    }
    const value = parsed[option.name] as string | undefined;
    if (value === undefined) continue;
    if (value === "") throw usageFailure(`option "--${option.name}" needs a value: ${option.value}`, hint);
    if (option.choices !== undefined && !option.choices.includes(value)) {
      throw usageFailure(
        `option "--${option.name}" cannot be "${value}": it is one of ${option.choices.join(", ")}`,
        withHint(guess(value, option.choices)),
      );
    }
    options[option.name] = value;
  }

  const operands = parsed._.map(String);
  if (operands.length > most) throw usageFailure(`unexpected argument "${operands[most]}" for ${name}`, hint);
  if (operands.length < fewest) throw usageFailure(`${name} needs ${command.operands}`, hint);
  for (const operand of operands) {
    const choices = command.operandChoices;
    if (choices === undefined || choices.includes(operand)) continue;
    throw usageFailure(
      `${command.operands} cannot be "${operand}": it is one of ${choices.join(", ")}`,
      guess(operand, choices, (choice) => `vigil ${name} ${choice}`) ?? hint,
    );
  }
  return { options, operands };
}
