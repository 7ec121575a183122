// Writes the documentation that is generated from tables: `deno task docs`. A test holds the files to what this makes.
import { OWN_VARIABLES } from "../lib/environment.ts";
import { AGENT_ENVIRONMENT } from "../lib/heartbeat/agents.ts";
import { coverageOf } from "../lib/dialects/coverage.ts";
import { DIALECTS } from "../lib/dialects/reading.ts";
import { coverageMarkdown, markdownTable } from "../lib/output/coverage.ts";
import { differencesOver, type Row, rowOf, ROWS } from "../tests/session/differences.ts";
import { inputsToCompare, type NamedInput } from "../tests/session/differences_inputs.ts";
import { PERMISSIONS, RUNTIME_READS, TOUCHES } from "../tests/security/touches.ts";

/** What each rule says, in a sentence. */
const RULES: Readonly<Record<string, string>> = {
  turn:
    "What only ends something moves no session that has no turn open; nor does an answer that comes behind its end. A session first seen in the middle has one.",
  where: "A record tells the directory of the main thread, as its payloads do.",
  ids: "A call without an id has a number; its end is found by agent, tool and input.",
  ops: "What is not open is not closed by a batch or by the stream; whatever joins a task to its call counts.",
  E1: "Subagents do not move the session, and what they do beside a turn does not hold it.",
  E2: "A permission belongs to a call, and ends with it.",
  E3: "A batch ends the calls it lists that are still open.",
  E4: "A turn that ends leaves nothing in the foreground.",
  E5: "A call whose work goes on in the background does not hold the session, and ends with that work.",
  E6: "A new prompt marks what the turn before left open: all there is to see of an interrupt.",
  E7: "A new process takes the session over.",
  E8: "After the end only a start or a prompt revives a session.",
  E9: "The end of a subagent, good or bad, is the subagent's.",
  E10: "A compaction outside a turn holds the session while it lasts, and has more than one end.",
  E11: "A question of a server ends with the call that made it.",
  E12: "A result tells how a turn ended, once.",
  E13: "A model request ends with its answer.",
  E14: "The stream alone is enough.",
  E15: "An interrupt that is told is `interrupted`.",
  E16: "The same event delivered twice ends as once.",
  E17: "A change of the model is recorded.",
  E18: "The agent reports itself once a turn; only the first time moves the session.",
};

/** Where a row was seen: in captures, else in field reports, else only in the case that its rule has. */
function seenIn(row: Row, inputs: readonly NamedInput[], rowsOf: ReadonlyMap<NamedInput, ReadonlySet<Row>>): string {
  for (const from of ["capture", "report", "case"] as const) {
    const names = inputs.filter((input) => input.from === from && rowsOf.get(input)?.has(row)).map(({ name }) => name);
    const [...distinct] = new Set(names.map((name) => name.replace(/\.jsonl?$/, "")));
    if (distinct.length === 0) continue;
    const rest = distinct.length > 3 ? ` and ${distinct.length - 3} more` : "";
    return `${from === "case" ? "no capture; case " : ""}${
      distinct.slice(0, 3).map((name) => `\`${name}\``).join(", ")
    }${rest}`;
  }
  throw new Error(`no input shows: ${row.situation}`);
}

function differencesTable(): string {
  const inputs = inputsToCompare();
  const rowsOf = new Map(inputs.map((input) => {
    const rows = differencesOver(input.arrivals).map(rowOf).filter((row) => row !== null);
    return [input, new Set(rows)];
  }));
  const order = Object.keys(RULES);
  const rows = ROWS.toSorted((a, b) => order.indexOf(a.rule) - order.indexOf(b.rule));
  return markdownTable(
    ["rule", "input", "to the letter", "here", "seen in"],
    rows.map((row) => [row.rule, row.situation, row.literally, row.here, seenIn(row, inputs, rowsOf)]),
  );
}

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(" ") || "nothing";

function touchesTable(): string {
  return markdownTable(
    ["command", "opens to read", "writes, makes or removes", "watches"],
    TOUCHES.map(({ words, reads, writes, watches = [] }) => [
      code([`vigil ${words.join(" ")}`]),
      code(reads),
      code(writes),
      code(watches),
    ]),
  );
}

function variablesTable(): string {
  const agents = AGENT_ENVIRONMENT.map(({ cli, identify, session }) => [
    code([...new Set([...identify, ...session])]),
    `whether ${cli} started it${session.length > 0 ? ", and in which session" : ""}: written into a heartbeat`,
  ]);
  return markdownTable(["variable", "what for"], [
    ...OWN_VARIABLES.map(({ name, summary }) => [code([name]), summary]),
    ...agents,
  ]);
}

/** The text of every generated file, by its path below the root. */
export const GENERATED: Readonly<Record<string, () => string>> = {
  "docs/coverage.md": () =>
    `# Coverage

What becomes of every event of every agent: **wired** events move a session or are recorded, **declined** ones are left
alone, each for the reason beside it. An event that is in no table is no error: \`vigil observe\` counts it and names it
once. "Known by" says how the row is known: by runs of the agent, by the text of its program, or by what it documents or
declares. This page is \`vigil coverage --format markdown\`.

${coverageMarkdown(DIALECTS.map((dialect) => ({ dialect, rows: coverageOf(dialect) })))}`,

  "docs/differences.md": () =>
    `# Differences

vigil's session model started from an existing translation of the agent SDK's events into states. Real clients say less,
say it later, and say it in another order than that translation takes for granted; taken to the letter it ends wrong on
them. This table has every place where vigil does otherwise for the same input, with the captures that forced it. A test
translates every capture, field report and case of this repository both ways, event by event from the same state, and
fails on a difference that no row covers and on a row that nothing shows.

${differencesTable()}
Captures are in tests/data/corpus/claude, field reports in tests/data/oddities/observe, cases in
tests/data/cases/session. Captures were compared by their hooks, by their stream, by both in order of arrival, and by
both with the stream two seconds late.

## The rules

${Object.entries(RULES).map(([rule, says]) => `- **${rule}** ${says}\n`).join("")}`,

  "docs/security.md": () =>
    `# Security

What \`vigil\` may touch, and what becomes of text that it did not write. The tables here are those that the tests hold
the binary to, by the system's own record of its calls.

## No network, no other program

It opens no socket, starts no process and loads no code at run time. It is compiled with these permissions of its
runtime and no others; what is not granted is refused by the runtime itself:

${markdownTable(["permission", "why"], Object.entries(PERMISSIONS).map(([flag, why]) => [code([flag]), why]))}
The runtime itself refuses files below /dev, /proc and /sys through which a program could widen its permissions. Whoever
may say which files vigil reads and writes is the one who starts it: give it a user of its own, a read-only root and one
writable folder (docs/containers.md) where that matters.

## Files

In a folder with \`in.jsonl\` and \`hooks/a.jsonl\`, each command opens these files and no others. \`*\` stands for any name,
or a part of one. With \`--file\`, \`--dir\`, \`--state-dir\` and \`--output\` it is the path that is given instead.

${touchesTable()}
- Writing is done into a new file beside the target with an unpredictable name, opened so that nothing that is already
  there is followed or overwritten; it then takes the target's place as a whole. A link in that place is replaced, what
  it points to is left alone.
- A state folder is made with mode 0700, its files with 0600: details quote what an agent did. A heartbeat has 0666 less
  the umask, as its readers often run as somebody else.
- The hook lines that \`vigil hooks\` prints make \`$JSC_HOME/hooks\` with 0700 and its files with 0600: prompts and secrets
  are in them. Nothing of vigil runs inside the agent.
- Following a folder, the runtime's watcher opens what changes in the folder above, too, to tell which file it is; it
  does not read it. The heartbeat opens nothing that is not a regular file.

Besides, the runtime reads at its start, whatever the command:

${RUNTIME_READS.map(({ what }) => `- ${what}\n`).join("")}
## Environment

These variables, by name; the environment is never listed:

${variablesTable()}
The runtime itself also heeds \`DENO_LOG\`, which makes it print debugging lines on stderr, and the C library what begins
with \`LD_\`.

## What comes from the input

An event's ids and names are whatever somebody wrote. They become:

- **no path.** A state file's name has the session id percent-encoded but for letters, digits, \`_\`, \`-\` and inner dots,
  and a hash in place of what is too long. Ids short enough to need no hash never share a file.
- **no key of a prototype.** Sessions and entries are kept in maps, by id. \`__proto__\` and \`constructor\` are sessions
  like any other, and as keys of a payload they lend no field to anything.
- **no terminal control.** The text format, lists, reports and messages escape or leave out control characters,
  invisible format characters and what turns the reading direction. The formats for programs (\`json\`, \`trace\`, \`otlp\`)
  are JSON: controls below U+0020 are escaped in them, those from U+007F to U+009F and format characters are not. Show
  them through a viewer, not with \`cat\`.
- **no command, no pattern, no URL.** Nothing of an input is run, matched with or fetched.
- **a bounded cost.** A value above \`--max-bytes\` is rejected without being held. Reading is linear in the bytes, also
  where nothing in them is JSON. Memory grows with sessions and with what is open in them; of abandoned entries a
  session keeps 1,000.

## What it does not defend against

- Who may write to a heartbeat or a hooks file may say anything in it. vigil reports what is written, with its cause.
- A process of the same user can stop, kill or trace it.
- Only as much is true as the clock: a time in the future is reported as such, never corrected.
- A system that kills it: out of memory (exit 133), a limit on the size of files (exit 153).

## Where the binary comes from

\`deno task compile\` builds it from this repository and pinned packages (\`deno.lock\`). Where the runtime cannot be
downloaded it is cut from a pinned package, and its SHA-256 is compared with the one in tools/runtime.ts. Two builds of
the same commit are the same bytes.
`,
};

if (import.meta.main) {
  const root = new URL("..", import.meta.url).pathname;
  for (const [path, text] of Object.entries(GENERATED)) {
    Deno.writeTextFileSync(root + path, text());
    console.log(`wrote ${path}`);
  }
}
