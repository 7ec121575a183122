// Shows the binary's main job on two captured sessions and the life of a heartbeat, as a user would type it.
import { join } from "@std/path/join";
import { recording } from "./recording.ts";

const ROOT = new URL("..", import.meta.url).pathname;
/** Two parallel tool calls and subagents; a permission, background work and an interrupted turn. */
const SCENARIOS = ["subagents2", "state_events"];

const write = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text));

/** Prints a command, runs it, and prints what it wrote and, where that is the answer, its exit code. */
async function show(folder: string, command: string, prints: { code: boolean }): Promise<void> {
  write(`$ ${command}${prints.code ? "; echo $?" : ""}\n`);
  const { code } = await new Deno.Command("sh", {
    args: ["-c", `${command} 2>&1`],
    cwd: folder,
    env: { PATH: `${join(ROOT, "dist")}:${Deno.env.get("PATH")}`, JSC_HOME: ".", NO_COLOR: "1" },
    stdin: "null",
  }).output().then(({ code, stdout }) => {
    Deno.stdout.writeSync(stdout);
    return { code };
  });
  if (prints.code) write(`${code}\n`);
  write("\n");
}

const folder = await Deno.makeTempDir({ prefix: "vigil-demo-" });
try {
  for (const scenario of SCENARIOS) Deno.writeTextFileSync(join(folder, `${scenario}.jsonl`), recording(scenario));
  await show(folder, "vigil observe subagents2.jsonl state_events.jsonl", { code: false });
  for (const command of ["check", "write", "check", "report", "clear", "check"]) {
    const line = `vigil heartbeat ${command}${command === "write" ? " --cli demo --session s1" : ""}`;
    await show(folder, line, { code: command === "check" });
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
