// Many writers, some of them killed, and a reader that must never see anything but a whole record: for tests and benchmark.
import { readHeartbeat } from "../../lib/heartbeat/read_heartbeat.ts";
import { writeHeartbeat } from "../../lib/heartbeat/store.ts";
import { withFolder } from "../run_vigil.ts";

const WRITERS = 8;
const WHOLE = /^ts=1800000000\npid=\d+\ncli=w\d\nsession=x{300}\n$/;

/** What a run came to. */
export interface AtomicityReport {
  readonly writes: number;
  readonly kills: number;
  readonly reads: number;
  /** Reads that were no whole record. */
  readonly torn: number;
  /** Temps that a later write did not remove. */
  readonly litter: number;
}

/** Ages every temp in `folder`, as if its writer had died long ago, and answers how many there are. */
export function ageLeftovers(folder: string): number {
  const old = new Date(Date.now() - 10_000);
  const temps = [...Deno.readDirSync(folder)].filter((entry) => entry.name.endsWith(".tmp"));
  for (const { name } of temps) Deno.utimeSync(`${folder}/${name}`, old, old);
  return temps.length;
}

export const names = (folder: string): string[] => [...Deno.readDirSync(folder)].map((entry) => entry.name);

/** Runs eight writers until they have written `enough` beats; each is killed now and then, and another one started. */
export async function runAtomicity(enough: number): Promise<AtomicityReport> {
  let [writes, kills, reads, torn, litter, done] = [0, 0, 0, 0, 0, false];
  await withFolder(async (folder) => {
    const file = `${folder}/heartbeat`;
    writeHeartbeat(file, { ts: 1800000000, pid: 1, cli: "w0", session: "x".repeat(300) });

    const writer = async (name: string): Promise<void> => {
      while (!done) {
        const program = new URL("writer_loop.ts", import.meta.url).pathname;
        const flags = ["--quiet", "--no-lock", "--no-check", "--allow-read", "--allow-write"];
        const child = new Deno.Command(Deno.execPath(), {
          args: ["run", ...flags, program, file, name],
          stdin: "null",
          stdout: "piped",
          stderr: "inherit",
        }).spawn();
        for await (const chunk of child.stdout) {
          writes += chunk.reduce((sum, count) => sum + count, 0);
          if (!done && Math.random() > 0.05) continue;
          kills++;
          child.kill("SIGKILL");
          break;
        }
        const { signal } = await child.status;
        if (signal !== "SIGKILL") throw new Error(`a writer ended by itself: ${signal}`);
      }
    };
    const reader = async (): Promise<void> => {
      while (!done) {
        for (let n = 0; n < 20; n++) {
          const sighting = readHeartbeat(file);
          if (sighting.kind !== "file" || !WHOLE.test(sighting.text)) torn++;
          reads++;
        }
        done = writes >= enough;
        // Lets the writers' news in.
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    };
    await Promise.all([reader(), ...Array.from({ length: WRITERS }, (_, n) => writer(`w${n}`))]);

    ageLeftovers(folder);
    writeHeartbeat(file, { ts: 1800000000, pid: 1, cli: "w0", session: "" });
    litter = names(folder).length - 1;
  });
  return { writes, kills, reads, torn, litter };
}
