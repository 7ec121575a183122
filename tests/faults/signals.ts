// Faults: a process killed or stopped at a moment that nobody chose.
import { assert, assertEquals } from "@std/assert";
import { parseSessionFile } from "../../lib/output/session_file.ts";
import { Random } from "../stream/mutate.ts";
import {
  ageTemps,
  assertDense,
  assertKilled,
  assertWholeBeat,
  CLOCK_LINE,
  hookLines,
  OBSERVE,
  sessionIds,
  textOf,
  told,
  transitionCountIn,
  transitionsOf,
  writeArgs,
} from "./evidence.ts";
import { names } from "../run_vigil.ts";
import type { Fault } from "./fault.ts";
import { moment, ran, Running, until } from "./running.ts";

const KILL = "kill -9 at random";
const STOP = "SIGSTOP and SIGCONT at random";

/** How long a beat takes here and now, from its start. */
async function beatMs(file: string): Promise<number> {
  const start = performance.now();
  told(await ran(writeArgs(file)), 0);
  return performance.now() - start;
}

const append = (path: string, text: string) => Deno.writeTextFileSync(path, text, { append: true });
const follow = (...args: string[]) => new Running([...OBSERVE, "--follow", ...args]);

/** Looks, without giving anything else a turn, until there is a temp in `folder` or `ms` are over. */
function untilTemp(folder: string, ms: number): void {
  for (const start = performance.now(); performance.now() - start < ms;) {
    for (const { name } of Deno.readDirSync(folder)) if (name.endsWith(".tmp")) return;
  }
}

/** Stops and continues it at random until `done`; how often. */
async function disturb(running: Running, random: Random, done: () => boolean): Promise<number> {
  let stops = 0;
  while (!done() && !running.hasEnded) {
    await moment(random, 30);
    if (!await running.stop()) break;
    stops++;
    await moment(random, 30);
    running.kill("SIGCONT");
  }
  return stops;
}

/** The session files of a folder, each of which must be whole. */
function sessionFiles(folder: string): string[] {
  const files = names(folder).filter((name) => name.endsWith(".json"));
  for (const name of files) {
    assert(parseSessionFile(Deno.readTextFileSync(`${folder}/${name}`)) !== null, `${name} is whole`);
  }
  return files;
}

export const SIGNALS: readonly Fault[] = [
  {
    fault: `${KILL}, and as soon as its temp is there`,
    command: "heartbeat write",
    holds: "every read is a whole beat; the next write leaves no litter",
    run: async (folder) => {
      const file = `${folder}/heartbeat`;
      const random = new Random(1);
      let [kills, leftovers] = [0, 0];
      for (let round = 0; round < 10; round++) {
        const span = await beatMs(file);
        const running = new Running(writeArgs(file));
        if (round % 2 === 0) await moment(random, span, span / 2);
        else untilTemp(folder, 10 * span);
        running.kill("SIGKILL");
        if ((await running.ended).signal === "SIGKILL") kills++;
        assertWholeBeat(file);
        leftovers += ageTemps(folder);
      }
      assert(kills > 3 && leftovers <= kills, `${kills} kills, ${leftovers} leftovers`);
      told(await ran(writeArgs(file)), 0);
      assertEquals(names(folder), ["heartbeat"]);
      return `10 writes, ${kills} of them killed, the beat always whole; ${leftovers} temps left, removed by the next`;
    },
  },
  {
    fault: STOP,
    command: "heartbeat write",
    holds: "another writer is not held up, whatever the temp of the stopped one looks like; both write",
    run: async (folder) => {
      const file = `${folder}/heartbeat`;
      const random = new Random(2);
      let stops = 0;
      for (let round = 0; round < 6; round++) {
        const span = await beatMs(file);
        const running = new Running(writeArgs(file));
        await moment(random, span, span / 2);
        if (await running.stop()) stops++;
        ageTemps(folder);
        told(await ran(writeArgs(file)), 0);
        assertWholeBeat(file);
        running.kill("SIGCONT");
        told(await running.ended, 0);
        assertWholeBeat(file);
        assertEquals(names(folder), ["heartbeat"]);
      }
      assert(stops > 0, `${stops} stops`);
      return `6 writes, ${stops} of them stopped while another wrote: exit 0 each, no litter`;
    },
  },
  {
    fault: KILL,
    command: "heartbeat write --every",
    holds: "the last beat stays, whole; the next writer leaves no litter",
    run: async (folder) => {
      const file = `${folder}/heartbeat`;
      const random = new Random(3);
      let leftovers = 0;
      for (let round = 0; round < 10; round++) {
        const running = new Running(writeArgs(file, "--every", "1ms"));
        await until("its first beat", () => textOf(file).includes(`pid=${running.pid}\n`));
        await moment(random, 40);
        running.kill("SIGKILL");
        assertKilled(await running.ended);
        assert(assertWholeBeat(file).includes(`pid=${running.pid}\n`));
        leftovers += ageTemps(folder);
      }
      told(await ran(writeArgs(file)), 0);
      assertEquals(names(folder), ["heartbeat"]);
      return `10 writers killed, the last beat of each whole; ${leftovers} temps left, removed by the next`;
    },
  },
  {
    fault: STOP,
    command: "heartbeat write --every",
    holds: "it beats on when it is continued, and ends with 0",
    run: async (folder) => {
      const file = `${folder}/heartbeat`;
      const random = new Random(4);
      const running = new Running(writeArgs(file, "--every", "10ms"));
      const isBeating = () => textOf(file).includes(`pid=${running.pid}\n`);
      await until("its first beat", isBeating);
      for (let round = 0; round < 10; round++) {
        await moment(random, 40);
        assert(await running.stop());
        ageTemps(folder);
        told(await ran(writeArgs(file)), 0);
        running.kill("SIGCONT");
        await until("it beats again", isBeating);
        assertWholeBeat(file);
      }
      const end = told(await running.terminate(), 0);
      assertEquals(names(folder), ["heartbeat"]);
      return `stopped and continued 10 times: beats on; ${end}, no litter`;
    },
  },
  {
    fault: KILL,
    command: "observe",
    holds: "every line that came out is whole, and none is missing before the last",
    run: async () => {
      const random = new Random(5);
      let lines = 0;
      for (let round = 0; round < 5; round++) {
        const running = new Running(OBSERVE, { stdin: "piped" });
        const enough = 20_000 + random.below(200_000);
        const feeding = (async () => {
          let batch = CLOCK_LINE;
          for (const line of hookLines(sessionIds(50), 1e6)) {
            batch += line;
            if (batch.length < 30_000) continue;
            if (!await running.write(batch)) return;
            batch = "";
          }
        })();
        await until("some output", () => running.stdoutBytes > enough);
        await moment(random, 5);
        running.kill("SIGKILL");
        const end = await running.ended;
        await feeding;
        assertKilled(end);
        lines += assertDense(end.stdout);
      }
      return `killed 5 times: ${lines} lines out, all whole, none missing in between`;
    },
  },
  {
    fault: STOP,
    command: "observe",
    holds: "every transition once, in order; exit 0",
    run: async () => {
      const running = new Running(OBSERVE, { stdin: "piped" });
      const lines = [...hookLines(sessionIds(50), 200)];
      let isFed = false;
      const feeding = (async () => {
        for (let at = 0; at < lines.length; at += 200) await running.write(lines.slice(at, at + 200).join(""));
        isFed = true;
      })();
      const stops = await disturb(running, new Random(6), () => isFed);
      await feeding;
      const end = await running.close();
      const code = told(end, 0);
      assertEquals(assertDense(end.stdout), lines.length);
      return `stopped ${stops} times: ${lines.length} lines in, as many out, in order; ${code}`;
    },
  },
  {
    fault: KILL,
    command: "observe --follow",
    holds: "every line out is whole; started again, it tells every line once",
    run: async (folder) => {
      const random = new Random(7);
      const path = `${folder}/a.jsonl`;
      let written = 0;
      append(path, CLOCK_LINE);
      const lines = hookLines(sessionIds(20), 1e6);
      for (let life = 0; life < 4; life++) {
        const running = follow(folder);
        const enough = written + random.below(2000);
        while (running.lineCount < enough || running.lineCount === 0) {
          append(path, Array.from({ length: 20 }, () => lines.next().value).join(""));
          written += 20;
          await moment(random, 2);
        }
        running.kill("SIGKILL");
        const end = await running.ended;
        assertKilled(end);
        assertDense(end.stdout);
      }
      const running = follow(folder);
      await until("every line is out", () => running.lineCount >= written);
      const end = await running.terminate();
      assertEquals(assertDense(end.stdout), written);
      return `killed 4 times: all lines whole; then ${written} lines in, as many out; ${told(end, 0)}`;
    },
  },
  {
    fault: STOP,
    command: "observe --follow",
    holds: "a file that is rotated meanwhile is read to its end, its successor from its start; every line once",
    run: async (folder) => {
      const random = new Random(8);
      const path = `${folder}/a.jsonl`;
      const lines = hookLines(sessionIds(20), 1e6);
      let written = 0;
      const write = (count: number) => {
        append(path, Array.from({ length: count }, () => lines.next().value).join(""));
        written += count;
      };
      const running = follow(folder);
      for (let generation = 0; generation < 8; generation++) {
        append(path, CLOCK_LINE);
        write(1 + random.below(50));
        // Nobody can read a file that came and went while it was not looking.
        await until("this file is seen", () => running.lineCount >= written);
        await moment(random, 10);
        assert(await running.stop());
        write(1 + random.below(500));
        Deno.renameSync(path, `${path}.${generation}`);
        running.kill("SIGCONT");
      }
      await until("every line is out", () => running.lineCount >= written);
      const end = await running.terminate();
      assertEquals(assertDense(end.stdout), written);
      return `stopped during 8 rotations: ${written} lines in, as many out, in order; ${told(end, 0)}`;
    },
  },
  {
    fault: `${KILL}, and as soon as a temp is there`,
    command: "observe --state-dir",
    holds: "every session file is whole; the next run brings them up to date and removes what was left over",
    run: async (folder) => {
      const random = new Random(9);
      const state = `${folder}/state`;
      Deno.mkdirSync(state);
      const lines = [...hookLines(sessionIds(30), 20)];
      const input = CLOCK_LINE + lines.join("");
      let leftovers = 0;
      for (let round = 0; round < 4; round++) {
        const running = new Running([...OBSERVE, "--state-dir", state], { stdin: "piped" });
        // What fits into a pipe is written at once, before it has even started.
        await running.write(round % 2 === 0 ? input : lines.slice(0, 120).join(""));
        if (round % 2 === 0) {
          await until("it has read", () => running.lineCount === lines.length);
          await moment(random, 20);
        } else untilTemp(state, 1000);
        running.kill("SIGKILL");
        assertKilled(await running.ended);
        sessionFiles(state);
        leftovers += ageTemps(state);
      }
      const end = await ran([...OBSERVE, "--state-dir", state], input);
      const files = sessionFiles(state);
      assertEquals([files.length, names(state).length], [30, 30]);
      for (const name of files) {
        assertEquals(transitionCountIn(`${state}/${name}`), 80);
      }
      const after = `the next run: 30 files up to date, no litter, ${told(end, 0)}`;
      return `killed 4 times: every file whole, ${leftovers} temps left; ${after}`;
    },
  },
  {
    fault: STOP,
    command: "observe --state-dir",
    holds: "a reader sees whole files only; at the end they are up to date",
    run: async (folder) => {
      const state = `${folder}/state`;
      const lines = [...hookLines(sessionIds(30), 60)];
      const running = new Running([...OBSERVE, "--state-dir", state], { stdin: "piped" });
      let isFed = false;
      let reads = 0;
      const feeding = (async () => {
        await running.write(CLOCK_LINE);
        for (let at = 0; at < lines.length; at += 600) {
          await running.write(lines.slice(at, at + 600).join(""));
          await until("they are read", () => running.lineCount >= Math.min(at + 600, lines.length));
          reads += sessionFiles(state).length;
        }
        isFed = true;
      })();
      const stops = await disturb(running, new Random(10), () => isFed);
      await feeding;
      const end = await running.close();
      const code = told(end, 0);
      assertEquals(transitionsOf(end.stdout).length, lines.length);
      assertEquals([sessionFiles(state).length, names(state).length], [30, 30]);
      return `stopped ${stops} times: ${reads} reads of session files, all whole; 30 files at the end, no litter; ${code}`;
    },
  },
];
