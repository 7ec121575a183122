// What it costs that values are welded together instead of standing on lines.
import { join } from "@std/path/join";
import { generateFile } from "./generate.ts";
import { timeInTurns } from "./measure.ts";
import { type Bench, EVEN, isQuick, MB, observe, ratioOf, row } from "./table.ts";

export async function framing({ work }: Bench): Promise<void> {
  const size = (isQuick ? 6 : 30) * MB;
  const kinds = [["welded", ""], ["on lines", "\n"]] as const;
  const inputs = kinds.map(([name, separator]) => {
    const inputPath = join(work, name);
    generateFile(inputPath, EVEN, size, separator);
    return { program: observe(), inputPath };
  });
  const [welded, onLines] = (await timeInTurns(inputs, isQuick ? 2 : 7)).map(({ best }) => best);
  const { wall, text } = ratioOf(welded, onLines);
  const figure = `framing: ${size / MB} MB of welded values to the same on lines`;
  row(figure, "at most 2 x", `${text}; ${welded.wallMs.toFixed(0)} ms)`, wall <= 2);
}
