// Whether every read of a heartbeat is a whole record, whoever writes and dies meanwhile.
import { runAtomicity } from "../heartbeat/atomicity_run.ts";
import { isQuick, row } from "./table.ts";

export async function atomicity(): Promise<void> {
  const { writes, kills, reads, torn, litter } = await runAtomicity(isQuick ? 1000 : 10_000);
  const measured =
    `${writes} writes, ${kills} of their writers killed, ${reads} reads: ${torn} torn, ${litter} temps left`;
  const figure = "atomicity: 8 writers, a reader, kill -9 at random";
  row(figure, "10,000 writes, no read torn, no litter", measured, torn + litter === 0);
}
