// Entry of the binary: arguments in, exit code out. The only file that exits.
import { isBare, runBare } from "./lib/commands/bare.ts";

// Nothing of these goes on behind our back, so that there is nothing to guard against.
if (isBare(Deno.args)) Deno.exit(runBare(Deno.args));
const { installGuard, run } = await import("./lib/commands/run.ts");
installGuard((code) => Deno.exit(code));
Deno.exit(await run(Deno.args));
