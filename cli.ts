// Entry of the binary: arguments in, exit code out. The only file that exits.
import { run } from "./lib/commands/run.ts";
import { installGuard } from "./lib/commands/guard.ts";

installGuard((code) => Deno.exit(code));
Deno.exit(await run(Deno.args));
