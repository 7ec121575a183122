// docs/security.md: what the binary may touch.
import { OWN_VARIABLES } from "../../lib/environment.ts";
import { AGENT_ENVIRONMENT } from "../../lib/heartbeat/agents.ts";
import { markdownTable } from "../../lib/output/coverage.ts";
import { PERMISSIONS, RUNTIME_READS, TOUCHES } from "../../tests/security/touches.ts";

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

export const securityPage = (): string =>
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
  invisible format characters and what turns the reading direction. In the JSON of the formats for programs controls
  below U+0020 are escaped, those from U+007F to U+009F and format characters are not. Show it through a viewer, not
  with \`cat\`.
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
downloaded it is cut from a package that a lock file in \`tools/runtime_locks/\` pins, and its SHA-256 is compared with
the one in tools/runtime.ts. Two builds of the same commit are the same bytes.
`;
