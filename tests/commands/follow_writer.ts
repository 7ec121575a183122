// A program that treats a folder of lines as badly as log rotation does: the other process of the follow test.
// Lines are {"n":…,"generation":…}; every file's content is one generation. It prints a JSON object when done, and
// disturbs a generation only after a line on stdin has said that the follower has seen it: what is created and removed
// before anybody could look cannot be read by anybody.
const [folder, seedText, countText] = Deno.args;
let seed = Number(seedText);
const count = Number(countText);

/** mulberry32: the same run for the same seed. */
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
}

const encoder = new TextEncoder();
const seenGenerations = new Set<number>();
let wake: (() => void) | null = null;

async function readSeen(): Promise<void> {
  let text = "";
  for await (const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split("\n");
    text = lines.pop()!;
    for (const line of lines) seenGenerations.add(Number(line));
    wake?.();
  }
}

let generation = 0;
let written = 0;
let rotated = 0;
/** The first line of this generation. */
let firstLine = 0;
/** From and to, of each generation that was cut away. */
const cutLines: [number, number][] = [];
const path = `${folder}/a.jsonl`;

const line = (n: number) => encoder.encode(`{"n":${n},"generation":${generation},"padding":"${"é".repeat(n % 50)}"}\n`);

/** Appends one line: in one write or in two, split anywhere. */
function append(file: Deno.FsFile): void {
  const bytes = line(written++);
  const at = random() < 0.2 ? Math.floor(random() * bytes.length) : 0;
  if (at > 0) file.writeSync(bytes.subarray(0, at));
  file.writeSync(bytes.subarray(at));
}

async function untilSeen(): Promise<void> {
  while (!seenGenerations.has(generation)) await new Promise<void>((done) => wake = done);
}

const disturbances: ((file: Deno.FsFile) => void)[] = [
  // Out of the follower's sight, the old handle used for some more lines.
  (file) => {
    Deno.renameSync(path, `${path}.${++rotated}`);
    for (let more = Math.floor(random() * 3); more > 0; more--) append(file);
  },
  // Within the folder.
  (file) => {
    Deno.renameSync(path, `${folder}/old-${++rotated}.jsonl`);
    append(file);
  },
  () => Deno.removeSync(path),
  // Cut, then at once longer than before or not.
  (file) => {
    file.truncateSync(0);
    cutLines.push([firstLine, written]);
  },
  (file) => {
    Deno.removeSync(folder, { recursive: true });
    append(file);
    Deno.mkdirSync(folder);
  },
];

readSeen();
for (let last = false; !last;) {
  generation++;
  firstLine = written;
  const file = Deno.openSync(path, { create: true, append: true, write: true });
  for (let more = 1 + Math.floor(random() * 200); more > 0; more--) append(file);
  last = written >= count;
  if (!last) {
    await untilSeen();
    for (let more = Math.floor(random() * 50); more > 0; more--) append(file);
    disturbances[Math.floor(random() * disturbances.length)](file);
  }
  file.close();
}
console.log(JSON.stringify({ written, cutLines }));
Deno.exit(0);
