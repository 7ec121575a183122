import { EXIT, type ExitCode } from "../exit_codes.ts";
import type { Invocation } from "./table.ts";

export function run(_invocation: Invocation): ExitCode {
  return EXIT.ok;
}
