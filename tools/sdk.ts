// Holds the coverage table to the newest agent SDK: fetches its declarations from npm as text and compares the names.
// `deno task sdk [VERSION] [--write]`; --write stores the names in tests/data/sdk/. Nothing of the package is executed.
import { join } from "@std/path/join";
import { COVERAGE } from "../lib/session/coverage.ts";

const PACKAGE = "@anthropic-ai/claude-agent-sdk";

/** Where the list that was last seen is kept. */
export const SEEN_FILE = new URL("../tests/data/sdk/claude-agent-sdk.json", import.meta.url).pathname;

/** Every event that the SDK declares. */
export interface SdkEvents {
  readonly hookEvents: readonly string[];
  /** `type/subtype` for system messages, else `type`. */
  readonly messages: readonly string[];
  /** Lines of the output stream that are no messages. */
  readonly controlLines: readonly string[];
}

/** An SdkEvents with the package it was read from. */
export interface SeenSdk extends SdkEvents {
  readonly version: string;
  readonly integrity: string;
}

/** Type aliases by name: the text after the equals sign, up to the next declaration. */
function aliasesOf(declarations: string): Map<string, string> {
  const statements = declarations.split(/^(?=export |declare |\/\*\*)/m);
  const aliases = statements.map((text) => text.match(/^(?:export )?declare type (\w+) = ([^]*);/));
  return new Map(aliases.filter((alias) => alias !== null).map(([, name, body]) => [name, body]));
}

/** The names that a type of messages stands for; a union stands for those of its members. */
function discriminators(name: string, aliases: ReadonlyMap<string, string>): string[] {
  const body = aliases.get(name);
  if (body === undefined) throw new Error(`the declarations have no type ${name}`);
  if (!body.startsWith("{")) {
    const members = body.split("|").map((member) => member.trim().replace(/^coreTypes\./, ""));
    return members.flatMap((member) => discriminators(member, aliases));
  }
  const type = body.match(/^ {4}type: '([^']+)';/m)?.[1];
  if (type === undefined) throw new Error(`the type ${name} has no literal "type"`);
  if (type !== "system") return [type];
  const subtype = body.match(/^ {4}subtype: '([^']+)';/m)?.[1];
  if (subtype === undefined) throw new Error(`the system message ${name} has no literal "subtype"`);
  return [`system/${subtype}`];
}

/** The events in the text of the SDK's declarations. */
export function eventsOf(declarations: string): SdkEvents {
  const hooks = declarations.match(/declare const HOOK_EVENTS: readonly \[([^\]]*)\]/)?.[1];
  if (hooks === undefined) throw new Error("the declarations have no HOOK_EVENTS");
  const aliases = aliasesOf(declarations);
  const all = new Set(discriminators("StdoutMessage", aliases));
  const isControl = (name: string) => name.startsWith("control_") || name === "keep_alive";
  return {
    hookEvents: Array.from(hooks.matchAll(/'([^']+)'/g), ([, name]) => name),
    messages: [...all].filter((name) => !isControl(name)).sort(),
    controlLines: [...all].filter(isControl).sort(),
  };
}

/** What the coverage table lacks of an SDK, and what it has that the SDK has not; a sentence each. */
export function differences(sdk: SdkEvents, rows: readonly { lane: string; event: string }[] = COVERAGE): string[] {
  const declared = {
    hook: new Set(sdk.hookEvents),
    message: new Set([...sdk.messages, ...sdk.controlLines]),
  };
  return (["hook", "message"] as const).flatMap((lane) => {
    const tabled = new Set(rows.filter((row) => row.lane === lane).map((row) => row.event));
    return [
      ...[...declared[lane].difference(tabled)].map((name) => `the coverage table lacks the ${lane} "${name}"`),
      ...[...tabled.difference(declared[lane])].map((name) =>
        `the coverage table has the ${lane} "${name}", which the SDK has not`
      ),
    ];
  });
}

async function run(command: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args] }).output();
  if (!success) throw new Error(`${command} ${args.join(" ")} failed\n${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** Fetches one package, without what it depends on: its program alone is two hundred times the size of the declarations. */
async function fetchSdk(version: string): Promise<SeenSdk> {
  const folder = await Deno.makeTempDir();
  try {
    const args = ["pack", `${PACKAGE}@${version}`, "--json", "--ignore-scripts", "--pack-destination", folder];
    const [packed] = JSON.parse(await run("npm", args)) as { filename: string; version: string; integrity: string }[];
    const declarations = await run("tar", ["-xzOf", join(folder, packed.filename), "package/sdk.d.ts"]);
    return { version: packed.version, integrity: packed.integrity, ...eventsOf(declarations) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const write = Deno.args.includes("--write");
  const version = Deno.args.find((arg) => !arg.startsWith("--")) ?? "latest";
  const sdk = await fetchSdk(version);
  const { hookEvents, messages, controlLines } = sdk;
  console.log(`${PACKAGE} ${sdk.version} ${sdk.integrity}`);
  console.log(`${hookEvents.length} hook events, ${messages.length} messages, ${controlLines.length} control lines`);
  if (write) Deno.writeTextFileSync(SEEN_FILE, JSON.stringify(sdk, null, 2) + "\n");
  const found = differences(sdk);
  for (const line of found) console.error(line);
  if (found.length > 0) Deno.exit(1);
}
