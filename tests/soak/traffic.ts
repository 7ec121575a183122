// The traffic of five agents at once: captured sessions, played one after the other in a fixed number of lanes.
import { Random } from "../stream/mutate.ts";
import { corpusFiles } from "../stream/corpus.ts";

/** The agents whose captures are played. */
export const AGENTS = ["claude", "codex", "gemini", "qwen", "copilot"] as const;
export type Agent = typeof AGENTS[number];

/** How many sessions of each agent go on at once. */
const LANES_PER_AGENT = 16;
/** Longer payloads are left out, or a few would be most of the bytes. */
const MOST_BYTES = 32_768;

/** The next line, with the line feed, and the lane it belongs to: a session's lines all come in one lane, in order. */
export interface TrafficLine {
  readonly agent: Agent;
  readonly lane: number;
  readonly text: string;
}

/** A captured session's lines. */
type Capture = readonly string[];

function capturesOf(agent: Agent): Capture[] {
  return corpusFiles().filter(({ name }) => name.startsWith(`corpus/${agent}/`) && name.endsWith(".hooks.jsonl"))
    .map(({ bytes }) =>
      new TextDecoder().decode(bytes).split("\n").filter((line) => line !== "" && line.length <= MOST_BYTES)
    );
}

/** The session ids that a capture speaks of, at whatever depth. */
const idsOf = (capture: Capture): string[] => [
  ...new Set([...capture.join("\n").matchAll(/"session_?[iI]d":"([^"]+)"/g)].map(([, id]) => id)),
];

/** One lane's lines without end. Its sessions have the same ids in each capture, so that there are no more of them. */
function* laneLines(
  agent: Agent,
  lane: number,
  captures: readonly Capture[],
  random: Random,
): Generator<TrafficLine, never> {
  for (;;) {
    const capture = captures[random.below(captures.length)];
    const ids = idsOf(capture);
    for (const line of capture) {
      const text = ids.reduce((text, id, at) => text.replaceAll(id, `${agent}-${lane}-${at}`), line);
      yield { agent, lane, text: `${text}\n` };
    }
  }
}

/** Lines of all agents in lanes, mixed by `seed`, without end. */
export function* traffic(seed: number): Generator<TrafficLine, never> {
  const random = new Random(seed);
  const lanes = AGENTS.flatMap((agent, at) => {
    const captures = capturesOf(agent);
    return Array.from(
      { length: LANES_PER_AGENT },
      (_, n) => laneLines(agent, at * LANES_PER_AGENT + n, captures, random),
    );
  });
  for (;;) yield lanes[random.below(lanes.length)].next().value;
}
