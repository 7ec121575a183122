// Entry of the binary: arguments in, exit code out. The only file that exits.
import * as bare from "./lib/commands/bare.ts";

const { installGuard, run } = bare.isBare(Deno.args) ? bare : await import("./lib/commands/run.ts");
installGuard((code) => Deno.exit(code));
Deno.exit(await run(Deno.args));
