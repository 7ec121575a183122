// IO: stdout. Prints the manual page.
import config from "../../deno.json" with { type: "json" };
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { manualPage } from "./manual_page.ts";
import { COMMANDS } from "./table.ts";
import { writeStdout } from "./terminal.ts";

/** Prints the page. */
export function run(): ExitCode {
  writeStdout(manualPage(COMMANDS, config.version));
  return EXIT.ok;
}
