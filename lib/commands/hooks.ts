// IO: stdout, stderr. The settings that wire an agent's hooks; where they go is said, and no file is touched.
import { closestString } from "@std/text/closest-string";
import { HOOK_CLIENTS, hookAdvice, type HookClient, hookSettings } from "../dialects/hook_settings.ts";
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { usageFailure } from "../failure.ts";
import type { Invocation } from "./table.ts";
import { writeStderr, writeStdout } from "./terminal.ts";

const isClient = (name: string): name is HookClient => (HOOK_CLIENTS as readonly string[]).includes(name);

/** Prints the settings. */
export function run({ operands: [name] }: Invocation): ExitCode {
  if (!isClient(name)) {
    throw usageFailure(
      `no hooks for "${name}": it is one of ${HOOK_CLIENTS.join(", ")}`,
      `did you mean "vigil hooks ${closestString(name, HOOK_CLIENTS)}"?`,
    );
  }
  writeStdout(hookSettings(name));
  const { place, hints } = hookAdvice(name);
  writeStderr(
    [`vigil: this goes into ${place}; no file was changed`, ...hints.map((hint) => `hint: ${hint}`), ""].join("\n"),
  );
  return EXIT.ok;
}
