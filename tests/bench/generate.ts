// Deterministic input for the benchmark: captured hook sequences with new ids, grown to the sizes that real work has.
import { corpusFiles } from "../stream/corpus.ts";
import { Random } from "../stream/mutate.ts";

/** What to generate. Sizes are bytes of one payload, spread evenly on a logarithmic scale. */
export interface InputPlan {
  readonly seed: number;
  /** The sessions take turns; each lives through one captured sequence after another. */
  readonly sessions: number;
  readonly fewestBytes: number;
  readonly mostBytes: number;
  /** One payload in so many is of 1 to 4 MiB; 0 for none. */
  readonly largeEvery: number;
}

/** Hook payloads of 0.5 to 8 KB, now and then one of some MiB. */
export const USUAL: InputPlan = { seed: 1, sessions: 100, fewestBytes: 512, mostBytes: 8192, largeEvery: 4000 };

type Payload = Record<string, unknown>;

const isObject = (value: unknown): value is Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function* strings(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) yield* strings(member);
  }
}

/** The captured sequences of Claude Code's hooks. */
function sequences(): Payload[][] {
  const found: Payload[][] = [];
  for (const { name, bytes } of corpusFiles()) {
    if (!/corpus\/claude\/.*\.hooks\.jsonl$/.test(name)) continue;
    found.push(
      new TextDecoder().decode(bytes).split("\n").filter((line) => line !== "").map((line) => JSON.parse(line)),
    );
  }
  return found;
}

/** Captured text in one piece, with a word in another script every few lines, as terminals and prompts have it. */
function fillerText(all: readonly Payload[][], random: Random): string {
  const pool = [...new Set([...strings(all)].filter((text) => text.length >= 24))];
  const lines: string[] = [];
  for (let length = 0; length < 1 << 16;) {
    const text = pool[random.below(pool.length)].slice(0, 200);
    lines.push(text);
    length += text.length;
  }
  return lines.join("\n");
}

/** A little text that is not ASCII; one payload in eight has some. */
const FOREIGN = ["✓ fertig → weiter", "наступний крок", "テスト成功", "naïve café", "│ └─ …"];

/** Payloads as JSON without a line feed, without end. */
export function* payloads(plan: InputPlan): Generator<string> {
  const random = new Random(plan.seed);
  const all = sequences();
  const filler = fillerText(all, random);
  let count = 0;

  const pad = (bytes: number): string => {
    let text = random.below(8) === 0 ? FOREIGN[random.below(FOREIGN.length)] : "";
    while (text.length < bytes) {
      const at = random.below(filler.length - 1);
      text += filler.slice(at, at + Math.min(bytes - text.length, 1 + random.below(4000)));
    }
    return text;
  };
  const targetBytes = (): number => {
    if (plan.largeEvery > 0 && count % plan.largeEvery === plan.largeEvery - 1) return (1 + random.below(4)) << 20;
    const spread = Math.log(plan.mostBytes / plan.fewestBytes) * random.below(1 << 20) / (1 << 20);
    return Math.round(plan.fewestBytes * Math.exp(spread));
  };

  for (let round = 0;; round++) {
    for (let session = 0; session < plan.sessions; session++) {
      const sessionId = `00000000-0000-4000-8000-${session.toString(16).padStart(12, "0")}`;
      for (const captured of all[(session + round) % all.length]) {
        const { tool_input, ...rest } = captured;
        // A call's ids, new in each round; its input is the same in each of its events.
        const text = JSON.stringify({ ...rest, session_id: sessionId })
          .replaceAll(/toolu_(\d+)/g, (_, digits) => `toolu_${round}_${session}_${digits}`);
        const payload: Payload = JSON.parse(text);
        if (tool_input !== undefined) payload.tool_input = tool_input;
        grow(payload, targetBytes() - text.length - 40, pad);
        count++;
        yield JSON.stringify(payload);
      }
    }
  }
}

/** Puts text of about `bytes` where payloads of this kind carry theirs. */
function grow(payload: Payload, bytes: number, pad: (bytes: number) => string): void {
  if (bytes <= 0) return;
  const calls = payload.tool_calls;
  if (typeof payload.prompt === "string") payload.prompt += pad(bytes);
  else if (typeof payload.delta === "string") payload.delta += pad(bytes);
  else if (typeof payload.last_assistant_message === "string") payload.last_assistant_message += pad(bytes);
  else if (Array.isArray(calls) && isObject(calls[0])) calls[0].tool_response = pad(bytes);
  else if (isObject(payload.tool_response)) payload.tool_response = { ...payload.tool_response, stdout: pad(bytes) };
  else payload.context = pad(bytes);
}

/** At least `bytes` of payloads, with `separator` behind each, in chunks. */
export function* generate(plan: InputPlan, bytes: number, separator: string): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "";
  let made = 0;
  for (const payload of payloads(plan)) {
    text += payload + separator;
    if (text.length < 1 << 20 && made + text.length < bytes) continue;
    const chunk = encoder.encode(text);
    text = "";
    made += chunk.length;
    yield chunk;
    if (made >= bytes) return;
  }
}

/** Writes what {@linkcode generate} gives to `path`; the number of bytes. */
export function generateFile(path: string, plan: InputPlan, bytes: number, separator = "\n"): number {
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  let size = 0;
  for (const chunk of generate(plan, bytes, separator)) {
    for (let at = 0; at < chunk.length;) at += file.writeSync(chunk.subarray(at));
    size += chunk.length;
  }
  return size;
}
