// Faults: a wall clock that jumps, or is nowhere near.
import { assert, assertEquals } from "@std/assert";
import { fakeClock, HAS_FAKETIME } from "../faketime.ts";
import {
  assertDense,
  assertWholeBeat,
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
import { type Ran, ran, Running, until } from "./running.ts";

const NEEDS = { faketime: HAS_FAKETIME };
const DAY_SECONDS = 86_400;

/** A clock that can be set, for processes with `env`. */
function clockIn(folder: string): { readonly env: Readonly<Record<string, string>>; set(offset: string): void } {
  const path = `${folder}/.clock`;
  const set = (offset: string) => {
    // In one go: a process may read it at any moment.
    Deno.writeTextFileSync(`${path}.new`, offset);
    Deno.renameSync(`${path}.new`, path);
  };
  set("+0");
  return { env: fakeClock(path), set };
}

const JUMPS = ["+1d", "-1d", "+0", "+400d", "-400d"];
const daysOf = (offset: string): number => parseInt(offset);
const nowSeconds = (): number => Date.now() / 1000;

const seenAt = (file: string): number => Number(/^ts=(\d+)\n/.exec(textOf(file))?.[1]);

/** Whether `seconds` is the time of a clock that is off by `offset`. */
const isOff = (seconds: number, offset: string): boolean =>
  Math.abs(seconds - nowSeconds() - daysOf(offset) * DAY_SECONDS) < 120;

const ageOf = ({ stdout }: Ran): number => Number(/ age=(-?\d+) /.exec(stdout)?.[1]);

/** A beat written now and asked for under another clock. */
async function askedAt(folder: string, offset: string, ...args: string[]): Promise<Ran> {
  const file = `${folder}/heartbeat`;
  const clock = clockIn(folder);
  told(await ran(writeArgs(file)), 0);
  clock.set(offset);
  return await ran([...args, "--file", file], null, { env: clock.env });
}

export const CLOCKS: readonly Fault[] = [
  {
    fault: "the clock jumps a day ahead",
    command: "heartbeat check",
    holds: "stale: the age is what the clock says",
    needs: NEEDS,
    run: async (folder) => told(await askedAt(folder, "+1d", "heartbeat", "check"), 1),
  },
  {
    fault: "the clock jumps a day back",
    command: "heartbeat check",
    holds: "fresh: a beat of the future is skew",
    needs: NEEDS,
    run: async (folder) => told(await askedAt(folder, "-1d", "heartbeat", "check"), 0),
  },
  {
    fault: "the clock jumps a day back",
    command: "heartbeat check --max-skew 60",
    holds: "invalid: the clocks disagree",
    needs: NEEDS,
    run: async (folder) => told(await askedAt(folder, "-1d", "heartbeat", "check", "--max-skew", "60"), 4),
  },
  {
    fault: "the clock jumps a day back",
    command: "heartbeat report",
    holds: "the age is printed with its sign",
    needs: NEEDS,
    run: async (folder) => {
      const end = await askedAt(folder, "-1d", "heartbeat", "report");
      const said = told(end, 0);
      assert(Math.abs(ageOf(end) + DAY_SECONDS) < 120, end.stdout);
      return `${said}: ${end.stdout.split(" ttl=")[0]}`;
    },
  },
  ...[["@1970-01-01 00:00:30", 0], ["@2400-01-01 00:00:00", 13_569_465_600]].map(([when, least]): Fault => ({
    fault: `the clock says ${`${when}`.slice(1, 5)}`,
    command: "heartbeat write, heartbeat check",
    holds: "the beat is fresh by the same clock",
    needs: NEEDS,
    run: async (folder) => {
      const clock = clockIn(folder);
      clock.set(`${when}`);
      const file = `${folder}/heartbeat`;
      const said = told(await ran(writeArgs(file), null, { env: { ...clock.env, TZ: "UTC" } }), 0);
      const ts = seenAt(file);
      assert(ts >= Number(least) && ts < Number(least) + 1000, `${ts}`);
      const env = { ...clock.env, TZ: "UTC" };
      return `${said}; check: ${told(await ran(["heartbeat", "check", "--file", file], null, { env }), 0)}`;
    },
  })),
  {
    fault: "the clock jumps days ahead and back",
    command: "heartbeat write --every",
    holds: "beats go on, each with the clock's time; exit 0",
    needs: NEEDS,
    run: async (folder) => {
      const clock = clockIn(folder);
      const file = `${folder}/beat/heartbeat`;
      const running = new Running(writeArgs(file, "--every", "20ms"), { env: clock.env });
      for (const offset of JUMPS) {
        clock.set(offset);
        await until(`a beat at ${offset}`, () => isOff(seenAt(file), offset));
        assertWholeBeat(file);
      }
      const said = told(await running.terminate(), 0);
      assertEquals(names(`${folder}/beat`), ["heartbeat"]);
      return `${JUMPS.length} jumps, a beat with the new time after each; ${said}, no litter`;
    },
  },
  {
    fault: "the clock jumps days ahead and back",
    command: "observe",
    holds: "each transition has the time of its arrival; order and number are those of the input",
    needs: NEEDS,
    run: async (folder) => {
      const clock = clockIn(folder);
      const running = new Running(OBSERVE, { env: clock.env, stdin: "piped" });
      const lines = hookLines(sessionIds(5), 1000);
      let written = 0;
      for (const offset of JUMPS) {
        clock.set(offset);
        for (let n = 0; n < 10; n++) await running.write(lines.next().value!);
        written += 10;
        await until("they are out", () => running.lineCount === written);
        const { at } = transitionsOf(running.stdout)[written - 1];
        assert(isOff(Date.parse(at) / 1000, offset), `${offset}: ${at}`);
      }
      const end = await running.close();
      assertEquals(assertDense(end.stdout), written);
      return `${JUMPS.length} jumps: ${written} lines in, as many out, in order; ${told(end, 0)}`;
    },
  },
  {
    fault: "the clock jumps days ahead and back",
    command: "observe --follow --state-dir --snapshot",
    holds: "lines come out and files are brought up to date as before; no entry's age is below 0",
    needs: NEEDS,
    run: async (folder) => {
      const clock = clockIn(folder);
      const [path, state] = [`${folder}/a.jsonl`, `${folder}/state`];
      const args = [...OBSERVE, "--follow", "--snapshot", "--state-dir", state, path];
      const lines = hookLines(["s1"], 1000);
      let written = 0;
      Deno.writeTextFileSync(path, "");
      const running = new Running(args, { env: clock.env });
      for (const offset of JUMPS) {
        clock.set(offset);
        // Ends with a call open.
        for (let n = 0; n < 2 || written % 4 !== 2; n++, written++) {
          Deno.writeTextFileSync(path, lines.next().value!, { append: true });
        }
        await until("they are out", () => running.lineCount === written);
        await until(
          "the file is up to date",
          () => transitionCountIn(`${state}/s1.json`) === written,
        );
      }
      clock.set("-800d");
      const end = await running.terminate();
      const said = told(end, 0);
      const all = transitionsOf(end.stdout);
      const snapshot = all.pop();
      assertEquals([all.length, snapshot.openEntries.length], [written, 1]);
      assert(snapshot.openEntries[0].ageMs >= 0, JSON.stringify(snapshot));
      return `${JUMPS.length} jumps: ${written} lines in, as many out, the file up to date after each; ${said}`;
    },
  },
];
