// Asks the shell script that the heartbeat's contract comes from, where it is at hand, what it answers to many files,
// limits and places, and keeps the answers in tests/data/heartbeat/facts.json.
// Usage: deno task facts PATH_OF_THE_SCRIPT
import { join } from "@std/path/join";
import { kindAt, PLACES } from "../tests/heartbeat/places.ts";

/** The script's clock while it is asked. */
const NOW = 1800000000;

/** What the script takes from its own library: our own stand-in, with a clock that stands still. */
const LIBRARY = `JSC_HOME=\${JSC_HOME:-$HOME/.jsc}
now_epoch() { echo ${NOW}; }
cli_name() { echo claude; }
session_id() { echo s1; }
`;

/** Texts for `ts`: ages around the usual limits, other units, the ends of the number ranges, and no numbers at all. */
const TS_TEXTS: readonly string[] = [
  ...[0, 1, 59, 60, 61, 299, 300, 301, 3600, 86399, 86400, 86401].map((age) => String(NOW - age)),
  ...[1, 10, 299, 300, 3600, 86400].map((ahead) => String(NOW + ahead)),
  ...["0", "00", "1", "08", "0777", "0800", "01800000000", "000000001799999999", "180000", "999999999"],
  ...["1800000000000", "1800000000000000", "9007199254740991", "9007199254740992", "1800000000000000000"],
  ...["9223372036854775807", "9223372036854775808", "18446744073709551615", "123456789012345678901234567890"],
  ...["", "-5", "+5", `+${NOW}`, "-1800000000", " 1800000000", "1800000000 ", "\t1800000000", "1800000000\t"],
  ...["1800000000\r", "0x6B49D200", "1.8e9", "1800000000.5", "1800000000,5", "1_800_000_000", "1 800 000 000"],
  ...["2027-01-15T08:00:00", "now", "null", "=1800000000", "ts=1800000000", "$(id)", "*", "`id`", '"1800000000"'],
  ...["\u00d9\u00a1\u00d9\u00a8", "1800000000;", "1800000000#", "0b1", "0o17", "\u00ef\u00bb\u00bf1800000000"],
];

/** How the lines of a file may lie around `ts`. */
const LAYOUTS: Readonly<Record<string, (ts: string) => string>> = {
  plain: (ts) => `ts=${ts}\npid=42\ncli=claude\nsession=s1\n`,
  last: (ts) => `session=s1\ncli=claude\npid=42\nts=${ts}`,
  twice: (ts) => `ts=${ts}\npid=1\npid=2\nts=1\nts=x\n`,
  noisy: (ts) => `# beat\n\nfoo=bar\n ts=7\nTS=8\nxts=9\nts=${ts}\n`,
};

/** Files whose point is another than their `ts`; latin1 text, a character a byte. */
const OTHER_FILES: Readonly<Record<string, string>> = {
  "empty file": "",
  "one newline": "\n",
  "blanks": "   \n",
  "no ts": "pid=42\ncli=c\n",
  "JSON": '{"ts":1800000000}',
  "BOM": "\u00ef\u00bb\u00bfts=1800000000\npid=1\n",
  "CRLF": "ts=1800000000\r\npid=42\r\ncli=c\r\nsession=s\r\n",
  "spaced key": "ts = 1800000000\npid=1\n",
  "equal signs": "ts=1800000000\npid=1\ncli=a=b=c\nsession==\n",
  "pid in words": "ts=1800000000\npid=abc\ncli=c\nsession=s\n",
  "negative pid": "ts=1800000000\npid=-1\n",
  "no values": "ts=1800000000\npid=\ncli=\nsession=\n",
  "empty first": "ts=1800000000\npid=\npid=7\ncli=\ncli=c\n",
  "UTF-8 values": "ts=1800000000\ncli=\u00c3\u00bc\nsession=\u00e5\u008a\u00a9\u00e7\u0090\u0086\n",
  "long session": `ts=1800000000\nsession=${"x".repeat(2000)}\n`,
  "zeros": "\0".repeat(64),
  "NUL in ts": "ts=18000000\x0000\npid=1\n",
  "blank in values": "ts=1800000000\npid=4 2\ncli=c d\nsession=s\tt\n",
  "percent in values": "ts=1800000000\ncli=100%\nsession=%41%zz\n",
  "control characters": "ts=1800000000\ncli=\x1b[31mred\nsession=a\x07b\x7f\n",
  "CR in values": "ts=1800000000\npid=42\r\ncli=c\r\n",
  "no-break space": "ts=1800000000\ncli=a\u00c2\u00a0b\n",
  "not UTF-8": "ts=1800000000\ncli=\u00e9t\u00e9\n",
};

/** Limits as the environment may hold them; null is unset. The first few are asked of every file. */
const TTLS: readonly (string | null)[] = [
  null,
  "60",
  "86400",
  "1800000001",
  ...["", "0", "1", "299", "301", "0300", "08", "000", "-1", "+5", " 300", "300 ", "5m", "1.5", "1e3", "0x10", "abc"],
  ...["9223372036854775807", "9223372036854775808", "99999999999999999999", "\u0663"],
];
const TTLS_FOR_ALL = 4;
/** Files that every limit is asked of. */
const FILES_FOR_ALL_TTLS = 24;

const COMMANDS = ["check", "report", "write", "clear"];

/** What the script answered. */
export interface Facts {
  readonly now: number;
  readonly ttls: readonly (string | null)[];
  /** Name and content; latin1 text, a character a byte. */
  readonly files: readonly (readonly [name: string, content: string])[];
  /** Indexes into the two above, exit code of check, line of report with the path as `FILE`. */
  readonly answers: readonly (readonly [file: number, ttl: number, code: number, line: string])[];
  /** Set-up, command, exit code, and what was at the path and at a link's target before and after. */
  readonly places: readonly (readonly [place: string, command: string, code: number, before: string, after: string])[];
}

async function ask(script: string, command: string, home: string, ttl: string | null): Promise<[number, string]> {
  const { code, stdout } = await new Deno.Command("sh", {
    args: [script, command],
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin", JSC_HOME: home, ...(ttl === null ? {} : { JSC_ASSISTANT_HEARTBEAT_TTL: ttl }) },
    stdin: "null",
    stderr: "null",
  }).output();
  return [code, Array.from(stdout, (byte) => String.fromCharCode(byte)).join("").replace(/\n$/, "")];
}

async function collect(script: string, work: string): Promise<Facts> {
  const files = [
    ...TS_TEXTS.flatMap((ts) =>
      Object.entries(LAYOUTS).map(([name, layout]) => [`${name} ${JSON.stringify(ts)}`, layout(ts)] as const)
    ),
    ...Object.entries(OTHER_FILES),
  ];
  const home = join(work, "home");
  const file = `${home}/assistant/heartbeat`;
  Deno.mkdirSync(join(home, "assistant"), { recursive: true });
  const answers: [number, number, number, string][] = [];
  for (const [at, [, content]] of files.entries()) {
    Deno.writeFileSync(file, Uint8Array.from(content, (character) => character.charCodeAt(0)));
    const every = at % Math.ceil(files.length / FILES_FOR_ALL_TTLS) === 0;
    for (const [ttlAt, ttl] of TTLS.slice(0, every ? TTLS.length : TTLS_FOR_ALL).entries()) {
      const [code] = await ask(script, "check", home, ttl);
      const [, line] = await ask(script, "report", home, ttl);
      answers.push([at, ttlAt, code, line.replaceAll(file, "FILE")]);
    }
  }
  const places: [string, string, number, string, string][] = [];
  for (const place of PLACES) {
    for (const command of COMMANDS) {
      const folder = join(work, "place");
      const path = `${folder}/assistant/heartbeat`;
      Deno.mkdirSync(folder);
      await place.make(folder, path);
      const look = () => `${kindAt(path)}, ${kindAt(`${folder}/target`)}`;
      const before = look();
      const [code] = await ask(script, command, folder, null);
      places.push([place.name, command, code, before, look()]);
      Deno.removeSync(folder, { recursive: true });
    }
  }
  return { now: NOW, ttls: TTLS, files, answers, places };
}

/** JSON with a row a line, so that a change reads well. */
function rows(facts: Facts): string {
  const parts = Object.entries(facts).map(([key, value]) => {
    const text = Array.isArray(value)
      ? `[\n${value.map((row) => JSON.stringify(row)).join(",\n")}\n]`
      : JSON.stringify(value);
    return `${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${parts.join(",\n")}\n}\n`;
}

if (import.meta.main) {
  const [given] = Deno.args;
  if (given === undefined) {
    console.error("usage: deno task facts PATH_OF_THE_SCRIPT");
    Deno.exit(6);
  }
  const work = await Deno.makeTempDir({ prefix: "vigil-facts-" });
  try {
    const script = join(work, "heartbeat.sh");
    await Deno.copyFile(given, script);
    await Deno.writeTextFile(join(work, "lib.sh"), LIBRARY);
    const facts = await collect(script, work);
    await Deno.writeTextFile(new URL("../tests/data/heartbeat/facts.json", import.meta.url), rows(facts));
    console.error(`${facts.files.length} files, ${facts.answers.length} answers, ${facts.places.length} places`);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}
