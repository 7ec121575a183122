// IO: environment. Variables as text, and the folder that everything of ours lies in.
import { usageFailure } from "../failure.ts";

/** A variable as it was found. */
export interface Variable {
  /** Null when it is unset, empty, or no UTF-8. */
  readonly text: string | null;
  readonly isUtf8: boolean;
}

/** Reads one variable. */
export function variable(name: string): Variable {
  try {
    return { text: Deno.env.get(name) || null, isUtf8: true };
  } catch (error) {
    if (!(error instanceof Deno.errors.InvalidData)) throw error;
    return { text: null, isUtf8: false };
  }
}

/** A variable's text; null when it has none. */
export const environmentText = (name: string): string | null => variable(name).text;

/**
 * The folder everything of ours lies in. A variable that is no UTF-8 is refused, as any other folder would be the wrong
 * one.
 *
 * @param purpose what is looked for there, for the message
 * @param option how to name a place on the command line instead, for the hint
 * @throws {Failure} with exit 6 when no variable tells of a folder
 */
export function jscHome(purpose: string, option: string): string {
  for (const [name, below] of [["JSC_HOME", ""], ["HOME", "/.jsc"]]) {
    const { text, isUtf8 } = variable(name);
    if (!isUtf8) throw usageFailure(`${name} is not valid UTF-8`, `give ${option}`);
    if (text !== null) return `${text}${below}`;
  }
  throw usageFailure(`no place for ${purpose}: neither JSC_HOME nor HOME is set`, `set JSC_HOME, or give ${option}`);
}
