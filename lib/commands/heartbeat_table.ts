// Pure data. The heartbeat's rows of the command table: with nothing else of it, a beat starts sooner.
import type { CommandRow, OptionRow } from "./table.ts";

/** The formats of `heartbeat report`. */
const REPORT_FORMATS = ["line", "json", "prometheus"] as const;
/** One of them. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Which heartbeat. */
const PLACE_OPTIONS: readonly OptionRow[] = [
  { name: "file", value: "PATH", summary: "the heartbeat file" },
  { name: "name", value: "NAME", summary: "$JSC_HOME/NAME/heartbeat; NAME is assistant unless given" },
];

/** What a heartbeat is judged by. */
const LIMIT_OPTIONS: readonly OptionRow[] = [
  { name: "ttl", value: "SECONDS", summary: "from which age on it is stale, above JSC_ASSISTANT_HEARTBEAT_TTL (300)" },
  { name: "max-skew", value: "SECONDS", summary: "how far in the future a beat may be before it is invalid (any)" },
];

/** The heartbeat's commands, in the order help lists them. */
export const HEARTBEAT_COMMANDS: readonly CommandRow[] = [
  {
    path: ["heartbeat", "write"],
    summary: "write a heartbeat: this moment, the pid, the agent and its session",
    about: ["A SPAN is 250ms, 90, 90s, 5m or 2h."],
    options: [
      ...PLACE_OPTIONS,
      { name: "pid", value: "N", summary: "the pid to write instead of vigil's own" },
      { name: "cli", value: "NAME", summary: "the agent to write instead of the one the environment tells of" },
      { name: "session", value: "ID", summary: "the session to write instead of the one the environment tells of" },
      { name: "every", value: "SPAN", summary: "go on beating at this pace until SIGTERM, SIGINT or the parent's end" },
      { name: "no-parent-check", summary: "with --every: go on when the process that started vigil is gone" },
      { name: "clear-on-exit", summary: "with --every: remove the heartbeat at the end" },
    ],
    exits: [0, 2, 5, 6],
    examples: [
      { line: "vigil heartbeat write", summary: "one beat, from cron or a timer" },
      { line: "vigil heartbeat write --every 60s &", summary: "beats for as long as the script that starts it runs" },
    ],
    load: () => import("./heartbeat_write.ts"),
  },
  {
    path: ["heartbeat", "check"],
    summary: "tell by exit code whether the heartbeat is fresh",
    about: ["It prints nothing. SECONDS are 90, 90s, 5m or 2h; a SPAN may be 250ms, too."],
    options: [
      ...PLACE_OPTIONS,
      ...LIMIT_OPTIONS,
      { name: "explain", summary: "say on stderr what was found and what it means" },
      { name: "wait", value: "SPAN", summary: "look again until it is fresh or this span is over" },
    ],
    exits: [0, 1, 2, 3, 4, 6],
    examples: [
      { line: "vigil heartbeat check || exit 1", summary: "a container health check" },
      { line: "vigil heartbeat check --wait 30s --explain", summary: "wait for an agent to come up" },
    ],
    load: () => import("./heartbeat_check.ts"),
  },
  {
    path: ["heartbeat", "report"],
    summary: "print the state of the heartbeat on one line",
    about: ["SECONDS are 90, 90s, 5m or 2h."],
    options: [
      ...PLACE_OPTIONS,
      ...LIMIT_OPTIONS,
      {
        name: "format",
        value: "FORMAT",
        choices: REPORT_FORMATS,
        summary: "how to print: line (default), json or prometheus",
      },
      { name: "output", value: "FILE", summary: "replace FILE as a whole instead of printing" },
      { name: "all", summary: "report every heartbeat below the home folder" },
    ],
    exits: [0, 2, 5, 6],
    examples: [
      { line: "vigil heartbeat report", summary: "read by people and by scripts" },
      {
        line: "vigil heartbeat report --all --format prometheus --output vigil.prom",
        summary: "for node_exporter's textfile collector",
      },
    ],
    load: () => import("./heartbeat_report.ts"),
  },
  {
    path: ["heartbeat", "clear"],
    summary: "remove the heartbeat: the agent stopped on purpose",
    options: PLACE_OPTIONS,
    exits: [0, 2, 5, 6],
    examples: [{ line: "vigil heartbeat clear", summary: "at the end of the agent's script" }],
    load: () => import("./heartbeat_clear.ts"),
  },
];
