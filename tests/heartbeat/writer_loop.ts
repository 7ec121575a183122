// Writes beats to a file as fast as it can, and says so every 25 beats: one of the writers that a test kills.
// Usage: writer_loop.ts FILE NAME
import { writeHeartbeat } from "../../lib/heartbeat/store.ts";

const [file, cli] = Deno.args;
const session = "x".repeat(300);
for (;;) {
  for (let n = 0; n < 25; n++) writeHeartbeat(file, { ts: 1800000000, pid: Deno.pid, cli, session });
  Deno.stdout.writeSync(Uint8Array.of(25));
}
