// Peak memory: by the length of the input, and by what is left open.
import { generate, type InputPlan } from "./generate.ts";
import { peakMiB } from "./measure.ts";
import { type Bench, EVEN, isLong, isQuick, MB, observe, row, skip, times } from "./table.ts";

export async function memory({ programs }: Bench): Promise<void> {
  const peakOf = (plan: InputPlan, bytes: number) => peakMiB(observe(), generate(plan, bytes, "\n"));
  const [small, large, huge] = isQuick ? [2, 20, 80] : [10, 1000, 4000];
  const smallMiB = await peakOf(EVEN, small * MB);
  const largeMiB = await peakOf(EVEN, large * MB);
  const ratio = largeMiB / smallMiB;
  const measured = `${times(ratio)} (${largeMiB.toFixed(0)} MiB, ${smallMiB.toFixed(0)} MiB)`;
  row(`memory: ${large} MB of input to ${small} MB`, "at most 1.5 x", measured, ratio <= 1.5);
  const figure = `memory: ${huge} MB of input to ${large} MB`;
  if (isLong || isQuick) {
    const hugeMiB = await peakOf(EVEN, huge * MB);
    row(figure, "at most 1.1 x", `${times(hugeMiB / largeMiB)} (${hugeMiB.toFixed(0)} MiB)`, hugeMiB <= 1.1 * largeMiB);
  } else skip(figure, "at most 1.1 x", "only with --long");

  const emptyMiB = await peakMiB([programs.get("wait") as string], []);
  const sessions = isQuick ? 2000 : 100_000;
  const overMiB = await peakMiB(observe(), openSessions(sessions)) - emptyMiB;
  const held = `${overMiB.toFixed(0)} MiB (the empty program: ${emptyMiB.toFixed(0)} MiB)`;
  const open = `memory: ${sessions} open sessions, above an empty program`;
  row(open, "at most 180 MiB", held, overMiB <= 180);
}

/** Sessions that each have a turn and a call open. */
function* openSessions(count: number): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let session = 0; session < count; session++) {
    const common = {
      session_id: `00000000-0000-4000-8000-${session.toString(16).padStart(12, "0")}`,
      transcript_path: `/home/user/.claude/projects/-home-user-project/${session}.jsonl`,
      cwd: "/home/user/project",
    };
    const prompt_id = `10000000-0000-4000-8000-${session.toString(16).padStart(12, "0")}`;
    const tool_use_id = `toolu_${session}`;
    const tool_input = { command: `make test-${session}`, description: "run the tests" };
    yield encoder.encode(
      [
        { ...common, hook_event_name: "SessionStart", source: "startup" },
        { ...common, prompt_id, hook_event_name: "UserPromptSubmit", prompt: "go on" },
        { ...common, prompt_id, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input, tool_use_id },
      ].map((payload) => `${JSON.stringify(payload)}\n`).join(""),
    );
  }
}
