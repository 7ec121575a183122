// Faults: pipes that are slow, narrow, closed or never closed.
import { assertEquals } from "@std/assert";
import { assertDense, CLOCK_LINE, hookLines, OBSERVE, sessionIds, told, transitionsOf } from "./evidence.ts";
import type { Fault } from "./fault.ts";
import { ran, Running, throughShell, until } from "./running.ts";

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Lines that come to about so many bytes. */
function linesOf(bytes: number): string[] {
  const lines: string[] = [];
  for (const line of hookLines(sessionIds(20), 1e6)) {
    lines.push(line);
    bytes -= line.length;
    if (bytes <= 0) break;
  }
  return lines;
}

/** Passes once `done` bytes may have gone through a pipe of one MB a second that was opened at `start`. */
const atOneMB = (start: number, done: number): Promise<void> => pause(done / 1000 - (performance.now() - start));

export const PIPES: readonly Fault[] = [
  {
    fault: "stdin of 1 MB/s",
    command: "observe",
    holds: "each piece's transitions are out before the next piece comes; every one once",
    run: async () => {
      const running = new Running(OBSERVE, { stdin: "piped" });
      const lines = linesOf(1e6);
      const start = performance.now();
      await running.write(CLOCK_LINE);
      let bytes = 0;
      for (let at = 0; at < lines.length; at += 100) {
        const piece = lines.slice(at, at + 100).join("");
        await running.write(piece);
        bytes += piece.length;
        await atOneMB(start, bytes);
        await until("all of the piece is out", () => running.lineCount >= Math.min(at + 100, lines.length));
      }
      const end = await running.close();
      assertEquals(assertDense(end.stdout), lines.length);
      return `${lines.length} lines in ${(performance.now() - start) / 1000 | 0} s: as many out, in order; ${
        told(end, 0)
      }`;
    },
  },
  {
    fault: "stdin of 1 byte a write",
    command: "observe",
    holds: "the output is byte for byte that of the same input in one piece",
    run: async () => {
      const input = new TextEncoder().encode(
        `\ufeff${CLOCK_LINE}${linesOf(8000).join("").replaceAll("go on", "さあ 🚀")}`,
      );
      const whole = await ran(OBSERVE, input);
      const running = new Running(OBSERVE, { stdin: "piped" });
      for (let at = 0; at < input.length; at++) await running.write(input.slice(at, at + 1));
      const end = await running.close();
      assertEquals(end, whole);
      return `${input.length} writes: the same ${transitionsOf(end.stdout).length} lines; ${told(end, 0)}`;
    },
  },
  {
    fault: "stdin and stdout of 1 byte at a time",
    command: "observe",
    holds: "the output is byte for byte that of the same input in one piece",
    run: async () => {
      const input = CLOCK_LINE + linesOf(5000).join("");
      const whole = await ran(OBSERVE, input);
      const through = throughShell('dd bs=1 status=none | "$@" | dd bs=1 status=none');
      const end = await ran(OBSERVE, input, { through });
      assertEquals(end, whole);
      return `the same ${transitionsOf(end.stdout).length} lines; ${told(end, 0)}`;
    },
  },
  {
    fault: "a reader of 1 MB/s",
    command: "observe",
    holds: "it waits for the reader; nothing is lost",
    run: async () => {
      const lines = linesOf(1e6);
      const start = performance.now();
      let bytes = 0;
      const running = new Running(OBSERVE, {
        stdin: "piped",
        onStdout: (piece) => atOneMB(start, bytes += piece.length),
      });
      await running.write(CLOCK_LINE + lines.join(""));
      const end = await running.close();
      assertEquals(assertDense(end.stdout), lines.length);
      return `${bytes} bytes read slowly: ${lines.length} lines in, as many out, in order; ${told(end, 0)}`;
    },
  },
  {
    fault: "a reader that stops reading, and goes on",
    command: "observe --follow",
    holds: "it waits for the reader; nothing is lost, SIGTERM ends it with 0",
    run: async (folder) => {
      const path = `${folder}/a.jsonl`;
      const lines = linesOf(1e6);
      Deno.writeTextFileSync(path, CLOCK_LINE + lines.slice(0, -1).join(""));
      const { promise, resolve } = Promise.withResolvers<void>();
      let isBlocked = false;
      const running = new Running([...OBSERVE, "--follow", path], {
        onStdout: () => {
          isBlocked = true;
          return promise;
        },
      });
      await until("something came", () => isBlocked);
      Deno.writeTextFileSync(path, lines[lines.length - 1], { append: true });
      resolve();
      await until("every line is out", () => running.lineCount === lines.length);
      const end = await running.terminate();
      assertEquals(assertDense(end.stdout), lines.length);
      return `${lines.length} lines in, as many out, in order; ${told(end, 0)}`;
    },
  },
  ...[["observe", ""], ["observe --follow", "--follow"]].map(([command, option]): Fault => ({
    fault: "the reader goes away (head -1)",
    command,
    holds: "a quiet end with 0",
    run: async (folder) => {
      Deno.writeTextFileSync(`${folder}/a.jsonl`, CLOCK_LINE + linesOf(1e6).join(""));
      const args = [...OBSERVE, ...option === "" ? [] : [option], `${folder}/a.jsonl`];
      const line = '{ "$@"; echo $? >&3; } 3>"$CODE" | head -1';
      const end = await ran(args, null, { through: throughShell(line), env: { CODE: `${folder}/code` } });
      assertEquals([end.stderr, transitionsOf(end.stdout).length], ["", 1]);
      assertEquals(Deno.readTextFileSync(`${folder}/code`), "0\n");
      return "exit 0, nothing on stderr";
    },
  })),
  {
    fault: "stdin, stdout and stderr closed",
    command: "observe, heartbeat check",
    holds: "the exit code is the verdict all the same",
    run: async (folder) => {
      const through = throughShell('exec "$@" <&- >&- 2>&-');
      const observed = told(await ran(OBSERVE, null, { through }), 0);
      const checked = told(await ran(["heartbeat", "check"], null, { through, env: { JSC_HOME: folder } }), 3);
      return `observe: ${observed}; heartbeat check: ${checked}`;
    },
  },
  ...[["write", 0], ["check", 0], ["report", 0], ["clear", 0]].map(([command, code]): Fault => ({
    fault: "stdin is a pipe that nobody closes",
    command: `heartbeat ${command}`,
    holds: "it is not read: no hang",
    run: async (folder) => {
      const env = { JSC_HOME: folder };
      told(await ran(["heartbeat", "write"], null, { env }), 0);
      const running = new Running(["heartbeat", `${command}`], { stdin: "piped", env });
      return told(await running.ended, Number(code));
    },
  })),
];
