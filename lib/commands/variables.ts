// IO: environment. Variables as text, and the folder that everything of ours lies in.
import { usageFailure } from "../failure.ts";

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

/**
 * The folder everything of ours lies in. A variable that is no UTF-8 is refused, as any other folder would be the wrong
 * one.
 *
 * @param purpose what is looked for there, for the message
 * @param option how to name a place on the command line instead, for the hint
 * @throws {Failure} with exit 6 when no variable tells of a folder
 */
export function jscHome(purpose: string, option: string): string {
  const folderFrom = (name: string) =>
    environmentText(name, () => {
      throw usageFailure(`${name} is not valid UTF-8`, `give ${option}`);
    });
  const own = folderFrom("JSC_HOME");
  if (own !== null) return own;
  const home = folderFrom("HOME");
  if (home !== null) return `${home}/.jsc`;
  throw usageFailure(`no place for ${purpose}: neither JSC_HOME nor HOME is set`, `set JSC_HOME, or give ${option}`);
}
