// `heartbeat write --every`: its pace, its ends, and what a failed beat costs.
import { assert, assertEquals, assertMatch } from "@std/assert";
import { fakeClock, HAS_FAKETIME } from "../faketime.ts";
import { runVigil, startVigil, vigilCommand, withFolder } from "../run_vigil.ts";

const decoder = new TextDecoder();

/** A test that waits longer than this for a beat has failed. */
const PATIENCE_MS = 30_000;

/** The text of the heartbeat in `folder` each time it is replaced from now on. */
async function* beats(folder: string): AsyncGenerator<string> {
  const watcher = Deno.watchFs(folder, { recursive: false });
  const timer = setTimeout(() => watcher.close(), PATIENCE_MS);
  let last = "";
  try {
    for await (const event of watcher) {
      const file = event.paths.find((path) => path.endsWith("/heartbeat"));
      const text = file === undefined ? null : readOrNull(file);
      if (file === undefined || text === null) continue;
      // One replacement is told more than once.
      const { ino, mtime } = Deno.statSync(file);
      const identity = `${ino} ${mtime?.getTime()}`;
      if (identity === last) continue;
      last = identity;
      yield text;
    }
  } finally {
    clearTimeout(timer);
    try {
      watcher.close();
    } catch {
      // Leaving the loop has closed it.
    }
  }
}

function readOrNull(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return null;
  }
}

/** Waits for `count` beats that say they were written by `pid`. */
async function waitForBeats(stream: AsyncGenerator<string>, count: number, pid?: number): Promise<void> {
  for (let seen = 0; seen < count;) {
    const { value, done } = await stream.next();
    assert(!done, "no beat came");
    if (pid === undefined || value.includes(`\npid=${pid}\n`)) seen++;
  }
}

async function withBeats(test: (folder: string, stream: AsyncGenerator<string>) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const stream = beats(folder);
    try {
      await test(folder, stream);
    } finally {
      await stream.return(undefined);
    }
  });
}

const every = (
  folder: string,
  ...more: string[]
) => ["heartbeat", "write", "--file", `${folder}/heartbeat`, "--every", ...more];

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`it beats until ${signal}, and then ends with 0 within 100 ms`, async () => {
    let best = Infinity;
    // A loaded machine may be late once; a program that waits for its next beat would be late every time.
    for (let attempt = 0; attempt < 5 && best > 100; attempt++) {
      await withBeats(async (folder, stream) => {
        const child = startVigil(every(folder, attempt === 0 ? "20ms" : "1h"));
        await waitForBeats(stream, attempt === 0 ? 5 : 1, child.pid);
        const start = performance.now();
        child.kill(signal);
        const { code, stdout, stderr } = await child.output();
        best = Math.min(best, performance.now() - start);
        assertEquals([code, decoder.decode(stdout), decoder.decode(stderr)], [0, "", ""]);
        assertMatch(Deno.readTextFileSync(`${folder}/heartbeat`), /^ts=\d+\n/);
      });
    }
    assert(best <= 100, `${best} ms`);
  });
}

Deno.test("--clear-on-exit removes the heartbeat at the end", async () => {
  await withBeats(async (folder, stream) => {
    const child = startVigil(every(folder, "1h", "--clear-on-exit"));
    await waitForBeats(stream, 1);
    child.kill("SIGTERM");
    assertEquals((await child.output()).code, 0);
    assertEquals([...Deno.readDirSync(folder)], []);
  });
});

Deno.test("a beat that fails is told, and the next one is tried; the last one decides the exit code", async () => {
  await withBeats(async (folder, stream) => {
    const file = `${folder}/heartbeat`;
    const line = `vigil: cannot write "${file}": is a directory; this beat is missing\n`;
    for (const mended of [true, false]) {
      Deno.mkdirSync(file);
      const child = startVigil(every(folder, "20ms"));
      let told = "";
      const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
      while (told.split(line).length <= 3) told += (await reader.read()).value ?? assert(false, told);
      if (mended) {
        Deno.removeSync(file);
        await waitForBeats(stream, 2, child.pid);
      }
      child.kill("SIGTERM");
      while (!(await reader.read()).done);
      assertEquals((await child.status).code, mended ? 0 : 5);
      await child.stdout.cancel();
      Deno.removeSync(file);
    }
  });
});

/** A shell that starts the program in the background and lives until its stdin ends. */
function startUnderShell(args: readonly string[]): Deno.ChildProcess {
  return new Deno.Command("sh", {
    args: ["-c", '"$@" & read line', "sh", ...vigilCommand(), ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

Deno.test("it ends by itself when the process that started it is gone", async () => {
  await withBeats(async (folder, stream) => {
    const shell = startUnderShell(every(folder, "1h", "--clear-on-exit"));
    await waitForBeats(stream, 1);
    await shell.stdin.close();
    // The pipes end when the last process that holds them does: the writer.
    const { stdout, stderr } = await shell.output();
    assertEquals(decoder.decode(stdout), "");
    assertMatch(decoder.decode(stderr), /^vigil: process \d+, which started this writer, is gone: no more beats\n$/);
    assertEquals([...Deno.readDirSync(folder)], []);
  });
});

Deno.test("--no-parent-check goes on beating alone", async () => {
  await withBeats(async (folder, stream) => {
    const shell = startUnderShell(every(folder, "20ms", "--no-parent-check"));
    await waitForBeats(stream, 1);
    await shell.stdin.close();
    await shell.status;
    // More than a second's worth: the parent is looked at once a second.
    await waitForBeats(stream, 100);
    const pid = Number(/\npid=(\d+)\n/.exec(Deno.readTextFileSync(`${folder}/heartbeat`))?.[1]);
    Deno.kill(pid, "SIGTERM");
    assertEquals(decoder.decode((await shell.output()).stderr), "");
  });
});

Deno.test("stopped and continued, it beats again at once", async () => {
  await withBeats(async (folder, stream) => {
    const child = startVigil(every(folder, "50ms"));
    await waitForBeats(stream, 2);
    child.kill("SIGSTOP");
    assertEquals((await runVigil(["heartbeat", "write", "--file", `${folder}/heartbeat`])).code, 0);
    child.kill("SIGCONT");
    await waitForBeats(stream, 2, child.pid);
    child.kill("SIGTERM");
    assertEquals((await child.output()).code, 0);
  });
});

Deno.test({
  name: "when the clock jumps, as after a suspension, it beats within a second (needs faketime)",
  ignore: !HAS_FAKETIME,
  fn: () =>
    withBeats(async (folder, stream) => {
      Deno.writeTextFileSync(`${folder}/clock`, "+0");
      const [program, ...first] = vigilCommand();
      const child = new Deno.Command(program, {
        args: [...first, ...every(folder, "1h")],
        env: fakeClock(`${folder}/clock`),
        stdout: "null",
        stderr: "null",
      }).spawn();
      await waitForBeats(stream, 1);
      for (const jump of ["+5h", "-5h"]) {
        Deno.writeTextFileSync(`${folder}/clock`, jump);
        await waitForBeats(stream, 1);
        const ts = Number(/^ts=(\d+)\n/.exec(Deno.readTextFileSync(`${folder}/heartbeat`))?.[1]);
        const hours = (ts - Date.now() / 1000) / 3600;
        assert(Math.abs(hours - parseInt(jump)) < 0.1, `${jump}: ${hours}`);
      }
      child.kill("SIGTERM");
      assertEquals((await child.status).code, 0);
    }),
});

const canUnshare = await (async () => {
  try {
    return (await new Deno.Command("unshare", { args: ["--pid", "--fork", "true"] }).output()).success;
  } catch {
    return false;
  }
})();

Deno.test({
  name: "as process 1 of a container it beats, and ends on SIGTERM (needs the right to unshare)",
  ignore: !canUnshare,
  fn: () =>
    withBeats(async (folder, stream) => {
      const child = new Deno.Command("unshare", {
        args: ["--pid", "--fork", ...vigilCommand(), ...every(folder, "20ms")],
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      await waitForBeats(stream, 3, 1);
      const children = `/proc/${child.pid}/task/${child.pid}/children`;
      const { stdout } = await new Deno.Command("cat", { args: [children] }).output();
      Deno.kill(Number(decoder.decode(stdout)), "SIGTERM");
      const { code, stderr } = await child.output();
      assertEquals([code, decoder.decode(stderr)], [0, ""]);
    }),
});
