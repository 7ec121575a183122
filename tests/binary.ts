// The compiled binary under test, which VIGIL_BINARY names; tests that need one are skipped by name without it.

/** Its path, empty without one. */
export const BINARY = Deno.env.get("VIGIL_BINARY") ?? "";

/** `name` for a test that needs all of `needs`: a missing one is named and the test is skipped. */
export function needing(name: string, needs: Readonly<Record<string, boolean>>): { name: string; ignore: boolean } {
  const missing = Object.entries(needs).filter(([, there]) => !there).map(([what]) => what);
  return missing.length === 0
    ? { name, ignore: false }
    : { name: `${name} (skipped: needs ${missing.join(", ")})`, ignore: true };
}

/** What a program of the system did. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the system to its end, `input` on its stdin. */
export async function runProgram(
  [program, ...args]: readonly string[],
  input = "",
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ran> {
  const child = new Deno.Command(program, { args, ...options, stdin: "piped", stdout: "piped", stderr: "piped" })
    .spawn();
  const writer = child.stdin.getWriter();
  // A program that never reads its stdin may be gone before it is written.
  await writer.write(new TextEncoder().encode(input)).then(() => writer.close()).catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
