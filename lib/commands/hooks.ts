// IO: stdout, stderr. The settings that wire an agent's hooks; where they go is said, and no file is touched.
import { hookAdvice, hookSettings } from "../dialects/hook_settings.ts";
import type { HookClient } from "../dialects/reading.ts";
import { EXIT, type ExitCode } from "../exit_codes.ts";
import type { Invocation } from "./table.ts";
import { writeStderr, writeStdout } from "./terminal.ts";

/** Prints the settings. */
export function run({ operands: [name] }: Invocation): ExitCode {
  const client = name as HookClient;
  writeStdout(hookSettings(client));
  const { place, hints } = hookAdvice(client);
  writeStderr(
    [`vigil: this goes into ${place}; no file was changed`, ...hints.map((hint) => `hint: ${hint}`), ""].join("\n"),
  );
  return EXIT.ok;
}
