// Whether damaged lines, in any number, cost anything but themselves.
import { Observation } from "../../lib/commands/observation.ts";
import { Running } from "../faults/running.ts";
import { DAMAGE_MAX_BYTES, damageInput, runDamage } from "../stream/damage_run.ts";
import { isLong, isQuick, row } from "./table.ts";

export async function input(): Promise<void> {
  const lines = isLong ? 1_000_000 : isQuick ? 10_000 : 100_000;
  const observation = new Observation({
    dialect: "auto",
    arrivalMs: Date.now,
    onTransition: () => {},
    onReject: () => {},
    onUnknown: () => {},
    onDropped: () => {},
  });
  const scope = Observation.input();
  const report = runDamage(lines, 1, { onValue: (value) => observation.take(value, scope) });
  const { counts } = observation;

  const args = ["observe", "--quiet", "--format", "json", "--max-bytes", `${DAMAGE_MAX_BYTES}`];
  const running = new Running(args, { stdin: "piped", keepsStdout: false });
  for (const { bytes } of damageInput(lines, 1)) await running.write(new Uint8Array(bytes));
  const { code, stderr } = await running.close();
  const named = stderr.split("\n").filter((line) => /^vigil: stdin:\d+ \(byte \d+\): ./.test(line)).length;

  const lost = report.lost.length + report.twice.length;
  const measured =
    `${lines} lines: ${lost} whole ones lost, ${named} of ${report.rejects + counts.rejected} rejections ` +
    `named, ${running.lineCount} of ${counts.transitions} transitions out, exit ${code}`;
  const isWhole = named === report.rejects + counts.rejected && running.lineCount === counts.transitions;
  row(
    "input: mutated lines",
    "no crash, no hang, all named, all good ones translated",
    measured,
    lost === 0 && code === 4 && isWhole,
  );
}
