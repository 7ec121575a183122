// The inputs over which both translations are compared: captures by lane, field reports, and the cases of the rules.
import { type Arrival, merge, readLane } from "./replay.ts";

/** One input and what to call it. */
export interface NamedInput {
  readonly name: string;
  readonly from: "capture" | "report" | "case";
  readonly arrivals: readonly Arrival[];
}

const DATA = new URL("../data/", import.meta.url).pathname;
const namesIn = (folder: string) => [...Deno.readDirSync(`${DATA}${folder}`)].map(({ name }) => name).sort();
const dated = (values: readonly unknown[]): Arrival[] =>
  values.map((value, atMs) => ({ atMs, value: value as Record<string, unknown> }));

/** How late the stream comes in the last comparison of a capture. */
const LATE_MS = 2000;

function captures(): NamedInput[] {
  const folder = `${DATA}corpus/claude/`;
  const files = namesIn("corpus/claude").filter((name) => name.endsWith(".jsonl"));
  const scenarios = [...new Set(files.map((name) => name.split(".")[0]))];
  return scenarios.flatMap((name) => {
    const laneOf = (lane: string) =>
      files.includes(`${name}.${lane}.jsonl`) ? readLane(`${folder}${name}.${lane}.jsonl`) : [];
    const [hooks, stream] = [laneOf("hooks"), laneOf("stream")];
    return [hooks, stream, merge(hooks, stream), merge(hooks, stream, LATE_MS)].map((arrivals): NamedInput => ({
      name,
      from: "capture",
      arrivals,
    }));
  });
}

/** The lines of a report that are objects; what is done with the others is not the translation's business. */
function objectsIn(text: string): unknown[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value = JSON.parse(line);
      return typeof value === "object" && value !== null ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** Every input there is. */
export function inputsToCompare(): NamedInput[] {
  const reports = namesIn("oddities/observe").map((name): NamedInput => ({
    name,
    from: "report",
    arrivals: dated(objectsIn(Deno.readTextFileSync(`${DATA}oddities/observe/${name}`))),
  }));
  const cases = namesIn("cases/session").map((name): NamedInput => {
    const { steps } = JSON.parse(Deno.readTextFileSync(`${DATA}cases/session/${name}`));
    const inputs = steps.map(([input]: [object]) => ({ session_id: "s", ...input }));
    return { name, from: "case", arrivals: dated(inputs) };
  });
  return [...captures(), ...reports, ...cases];
}
