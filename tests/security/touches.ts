// What the program may touch, command by command: the table of docs/security.md, which a test holds the binary to.

/** One command line and the files it opens. In paths `*` stands for a name or a part of one, `$JSC_HOME` for the folder. */
export interface Touch {
  /** What is run, word by word. */
  readonly words: readonly string[];
  /** What it opens to read, folders that it lists included. */
  readonly reads: readonly string[];
  /** What it writes, makes, renames or removes. */
  readonly writes: readonly string[];
  /** What it asks the system to be told of. */
  readonly watches?: readonly string[];
}

const BESIDE = ".vigil-*.tmp";

/** In a folder with `in.jsonl`, `hooks/a.jsonl` and nothing else, the commands in this order. */
export const TOUCHES: readonly Touch[] = [
  {
    words: ["heartbeat", "write"],
    reads: ["$JSC_HOME/assistant"],
    writes: [
      "$JSC_HOME",
      "$JSC_HOME/assistant",
      "$JSC_HOME/assistant/heartbeat",
      `$JSC_HOME/assistant/${BESIDE}`,
    ],
  },
  { words: ["heartbeat", "check", "--explain"], reads: ["$JSC_HOME/assistant/heartbeat"], writes: [] },
  {
    words: ["heartbeat", "report", "--all", "--format", "prometheus", "--output", "out.prom"],
    reads: ["$JSC_HOME", "$JSC_HOME/*/heartbeat", "."],
    writes: ["out.prom", BESIDE],
  },
  { words: ["heartbeat", "clear"], reads: [], writes: ["$JSC_HOME/assistant/heartbeat"] },
  { words: ["observe", "in.jsonl"], reads: ["in.jsonl"], writes: [] },
  {
    words: ["observe", "--state-dir", "$JSC_HOME/sessions", "in.jsonl"],
    reads: ["in.jsonl", "$JSC_HOME/sessions"],
    writes: ["$JSC_HOME", "$JSC_HOME/sessions", "$JSC_HOME/sessions/*.json", `$JSC_HOME/sessions/${BESIDE}`],
  },
  {
    words: ["observe", "--follow", "hooks"],
    reads: ["hooks", "hooks/*.jsonl"],
    writes: [],
    watches: ["hooks", "."],
  },
  { words: ["sessions"], reads: ["$JSC_HOME/sessions", "$JSC_HOME/sessions/*.json"], writes: [] },
  {
    words: ["sessions", "--format", "prometheus", "--output", "sessions.prom"],
    reads: ["$JSC_HOME/sessions", "$JSC_HOME/sessions/*.json", "."],
    writes: ["sessions.prom", BESIDE],
  },
  { words: ["coverage"], reads: [], writes: [] },
  { words: ["hooks", "claude"], reads: [], writes: [] },
  { words: ["completions", "bash"], reads: [], writes: [] },
  { words: ["man"], reads: [], writes: [] },
];

/** What the runtime reads by itself at its start, whatever the command. */
export const RUNTIME_READS: readonly { readonly path: RegExp; readonly what: string }[] = [
  { path: /^\/etc\/ld\.so\.|^(?:\/usr)?\/lib(?:64)?\/.*\.so(?:\.|$)/, what: "the C library and its loader's files" },
  { path: /^\/proc\/(?:self|\d+)\/(?:maps|exe|cgroup|mountinfo|stat|status)$/, what: "`/proc/self`: itself" },
  { path: /^\/proc\/(?:meminfo|stat|cpuinfo)$|^\/proc\/sys\//, what: "`/proc/meminfo`: how much memory there is" },
  { path: /^\/sys\/fs\/cgroup\/|^\/sys\/devices\/system\//, what: "`/sys`: how many processors it may use" },
  { path: /^\/dev\/u?random$/, what: "`/dev/urandom`" },
  { path: /^\/etc\/localtime$|^\/usr\/share\/zoneinfo\//, what: "`/etc/localtime`: the time zone" },
];

/** The runtime's permissions, and what for. */
export const PERMISSIONS: Readonly<Record<string, string>> = {
  "--allow-read": "inputs and heartbeats may lie anywhere; which is known only when it runs",
  "--allow-write": "the same for the heartbeat, the state folder and `--output`",
  "--allow-env": "the variables below by name, and no others",
  "--no-prompt": "what is not granted is refused, never asked for",
  "--no-code-cache": "nothing is cached in the temporary folder",
};
