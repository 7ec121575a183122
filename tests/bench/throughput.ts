// How many bytes a second `observe` takes, against a loop that only parses, and against jq.
import { join } from "@std/path/join";
import { installed } from "../installed.ts";
import { generateFile } from "./generate.ts";
import { type Program, timeInTurns, type Took } from "./measure.ts";
import { type Bench, EVEN, isQuick, MB, observe, ratioOf, row, skip, VIGIL } from "./table.ts";

export async function throughput({ programs, work }: Bench): Promise<void> {
  const path = join(work, "even.jsonl");
  const size = generateFile(path, EVEN, (isQuick ? 20 : 200) * MB);
  const rounds = isQuick ? 2 : 7;
  const parse: Program = [programs.get("parse_lines") as string];
  const hasJq = await installed("jq");
  const [json, text, bare] = (await timeInTurns([
    { program: observe(), inputPath: path },
    { program: [VIGIL, "observe", "--quiet"], inputPath: path },
    { program: parse, inputPath: path },
  ], rounds)).map(({ best }) => best);
  const rate = ({ wallMs }: Took) => `${(size / MB / (wallMs / 1000)).toFixed(0)} MB/s`;
  const byParse = ratioOf(bare, json);
  const goal = "at least 0.75 x, then 0.9 x";
  const measured = `${byParse.text}; ${rate(json)}, ${rate(bare)})`;
  row("observe --format json to a bare JSON.parse loop", goal, measured, byParse.wall >= 0.75);
  row("observe --format text to the same", "", `${ratioOf(bare, text).text}; ${rate(text)})`, null);
  const figure = "observe --format json to jq -c .session_id";
  if (hasJq) {
    const program: Program = ["jq", "-c", ".session_id"];
    const [{ best: jq }] = await timeInTurns([{ program, inputPath: path }], isQuick ? 1 : 3);
    const byJq = ratioOf(jq, json);
    row(figure, "at least 1.75 x", `${byJq.text}; ${rate(jq)})`, byJq.wall >= 1.75);
  } else skip(figure, "at least 1.75 x", "no jq");
  Deno.removeSync(path);
}
