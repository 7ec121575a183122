// How soon a line on a quiet pipe comes out.
import { payloads } from "./generate.ts";
import { latencies, median } from "./measure.ts";
import { EVEN, isQuick, observe, row } from "./table.ts";

export async function latency(): Promise<void> {
  const lines: string[] = [];
  for (const payload of payloads(EVEN)) {
    if (payload.includes('"hook_event_name":"UserPromptSubmit"')) lines.push(`${payload}\n`);
    if (lines.length === (isQuick ? 40 : 400)) break;
  }
  const sorted = await latencies(observe(), lines);
  const p99 = sorted[Math.floor(sorted.length * 0.99)];
  const measured = `${median(sorted).toFixed(2)} ms median, ${p99.toFixed(2)} ms in 99 of 100`;
  row("latency: a line on a quiet pipe", "at most 1 ms median", measured, median(sorted) <= 1);
}
