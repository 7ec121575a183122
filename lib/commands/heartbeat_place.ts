// IO: environment. Where the heartbeat is and how old it may be, from the command line and the environment.
import { usageFailure } from "../failure.ts";
import { DEFAULT_TTL, parseTtl, type TimeToLive } from "../heartbeat/probe.ts";

/** A variable's text; null when it is unset, empty, or no UTF-8, where `onUnreadable` may have its say first. */
export function environmentText(name: string, onUnreadable: () => void = () => {}): string | null {
  try {
    return Deno.env.get(name) || null;
  } catch (error) {
    if (!(error instanceof Deno.errors.InvalidData)) throw error;
    onUnreadable();
    return null;
  }
}

/** A variable that names a folder: text that is no UTF-8 is refused, as any other folder would be the wrong one. */
function folderFrom(name: string): string | null {
  return environmentText(name, () => {
    throw usageFailure(`${name} is not valid UTF-8`, "give the file with --file PATH");
  });
}

/** The folder everything of ours lies in. */
export function jscHome(): string {
  const own = folderFrom("JSC_HOME");
  if (own !== null) return own;
  const home = folderFrom("HOME");
  if (home !== null) return `${home}/.jsc`;
  throw usageFailure(
    "no place for the heartbeat: neither JSC_HOME nor HOME is set",
    "set JSC_HOME, or give --file PATH",
  );
}

/** The heartbeat's path, as composed. */
export function heartbeatPath(): string {
  return `${jscHome()}/assistant/heartbeat`;
}

/** The limit from the environment; what is no positive whole number there is as good as unset. */
export function ttlFromEnvironment(): TimeToLive {
  const text = environmentText("JSC_ASSISTANT_HEARTBEAT_TTL");
  return (text === null ? null : parseTtl(text)) ?? DEFAULT_TTL;
}
