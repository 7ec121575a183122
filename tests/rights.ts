// What this machine lets a test do: run system programs, mount, be refused like anybody else.
import { assert } from "@std/assert";

/** Whether a program ends well. */
export function succeeds(program: string, ...args: string[]): boolean {
  try {
    return new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

export function mustSucceed(program: string, ...args: string[]): void {
  assert(succeeds(program, ...args), `${program} ${args.join(" ")}`);
}

export const CAN_MOUNT = succeeds("unshare", "--mount", "true");

export const IS_ROOT = succeeds("sh", "-c", 'test "$(id -u)" = 0');
/** What to put before a command so that root is subject to permissions, as another user is. */
export const AS_OTHERS: readonly string[] = IS_ROOT
  ? ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
  : [];
export const CAN_BE_REFUSED = !IS_ROOT || succeeds(AS_OTHERS[0], ...AS_OTHERS.slice(1), "true");
