// Many writers, some of them killed, and a reader that must never see anything but a whole record.
import { assert, assertEquals } from "@std/assert";
import { readHeartbeat, writeHeartbeat } from "../../lib/heartbeat/store.ts";
import { startVigil, withFolder } from "../run_vigil.ts";

const WRITERS = 8;
const WRITES = 10_000;
const WHOLE = /^ts=1800000000\npid=\d+\ncli=w\d\nsession=x{300}\n$/;

/** Ages every temp in `folder`, as if its writer had died long ago, and answers how many there are. */
function ageLeftovers(folder: string): number {
  const old = new Date(Date.now() - 10_000);
  const temps = [...Deno.readDirSync(folder)].filter((entry) => entry.name.endsWith(".tmp"));
  for (const { name } of temps) Deno.utimeSync(`${folder}/${name}`, old, old);
  return temps.length;
}

const names = (folder: string): string[] => [...Deno.readDirSync(folder)].map((entry) => entry.name);

Deno.test("8 writers, one of them killed every now and then, and a reader: 10,000 whole beats and no litter", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/heartbeat`;
    writeHeartbeat(file, { ts: 1800000000, pid: 1, cli: "w0", session: "x".repeat(300) });
    let [writes, kills, reads, done] = [0, 0, 0, false];

    const writer = async (name: string): Promise<void> => {
      while (!done) {
        const child = new Deno.Command(Deno.execPath(), {
          args: [
            "run",
            "--quiet",
            "--no-lock",
            "--no-check",
            "--allow-read",
            "--allow-write",
            new URL("writer_loop.ts", import.meta.url).pathname,
            file,
            name,
          ],
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
        assertEquals(signal, "SIGKILL");
      }
    };
    const reader = async (): Promise<void> => {
      while (!done) {
        for (let n = 0; n < 20; n++) {
          const sighting = readHeartbeat(file);
          assert(sighting.kind === "file" && WHOLE.test(sighting.text), JSON.stringify(sighting));
          reads++;
        }
        done = writes >= WRITES;
        // Lets the writers' news in.
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    };
    await Promise.all([reader(), ...Array.from({ length: WRITERS }, (_, n) => writer(`w${n}`))]);

    assert(writes >= WRITES && kills > WRITERS && reads > 100, `${writes} writes, ${kills} kills, ${reads} reads`);
    assert(ageLeftovers(folder) <= kills);
    writeHeartbeat(file, { ts: 1800000000, pid: 1, cli: "w0", session: "" });
    assertEquals(names(folder), ["heartbeat"]);
  });
});

Deno.test("the program itself, started many times at once and killed half of the times", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/heartbeat`;
    const args = ["heartbeat", "write", "--file", file, "--session", "x".repeat(300)];
    for (let round = 0; round < 3; round++) {
      const children = Array.from({ length: WRITERS }, () => startVigil(args));
      // The first to end shows that the others are about to write.
      await Promise.race(children.map((child) => child.status));
      for (const child of children.filter((_, n) => n % 2 === 0)) {
        try {
          child.kill("SIGKILL");
        } catch {
          // It has ended already.
        }
      }
      const outcomes = await Promise.all(children.map((child) => child.output()));
      for (const { code, signal } of outcomes) assert(code === 0 || signal === "SIGKILL", `${code}`);
      const sighting = readHeartbeat(file);
      assert(sighting.kind === "file" && /^ts=\d+\npid=\d+\ncli=\nsession=x{300}\n$/.test(sighting.text));
    }
    ageLeftovers(folder);
    writeHeartbeat(file, { ts: 1800000000, pid: 1, cli: "", session: "" });
    assertEquals(names(folder), ["heartbeat"]);
  });
});
