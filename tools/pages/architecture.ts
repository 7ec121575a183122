// docs/architecture.md: the data's way, the layers, every file. Tables and the graph come from tests/layers.ts and the imports themselves.
import { OBSERVE_FORMATS } from "../../lib/commands/formats.ts";
import { markdownTable } from "../../lib/output/coverage.ts";
import { isPure, LAYERS } from "../../tests/layers.ts";
import { importsOf, productFiles, type SourceFile } from "../../tests/source_files.ts";

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(" ");

/** What a file belongs to in the graph: its folder below lib, or the few files that all share. */
function groupOf(path: string): string {
  if (path === "lib/environment.ts") return path;
  return /^lib\/(\w+)\//.exec(path)?.[1] ?? (path.startsWith("lib/") ? "shared" : path);
}

/** Who imports whom, folder by folder, as a graph. */
function importGraph(files: readonly SourceFile[]): string {
  const known = new Set(files.map(({ path }) => path));
  const edges = new Set<string>();
  for (const file of files) {
    for (const name of importsOf(file)) {
      const [from, to] = [groupOf(file.path), groupOf(name)];
      if (known.has(name) && from !== to) edges.add(`  ${from} --> ${to}`);
    }
  }
  return `graph TD\n${[...edges].sort().join("\n")}\n`;
}

function layersTable(): string {
  return markdownTable(
    ["layer", "may import"],
    LAYERS.map(({ at, mayImport }) => [code([at]), mayImport.length === 0 ? "nothing" : code(mayImport)]),
  );
}

function filesTable(files: readonly SourceFile[]): string {
  return markdownTable(
    ["file", "touches", "what it is for"],
    files.map((file) => {
      const [first] = file.text.split("\n");
      const [, , purpose] = /^\/\/ (Pure(?: data)?\.|IO: [^.]*\.|Library:|Entry of the binary:) (.*)$/.exec(first) ??
        [];
      const touches = /^\/\/ IO: ([^.]*)\./.exec(first)?.[1];
      return [code([file.path]), isPure(file) ? "nothing" : touches ?? "", purpose ?? first];
    }),
  );
}

export function architecturePage(): string {
  const files = productFiles();
  return `# Architecture

Two halves that never import each other, and commands around them. A pure core decides; only \`lib/commands/\` and what
reads and writes the heartbeat touch the world.

## The data's way: heartbeat

\`\`\`mermaid
flowchart LR
  environment["environment, options"] --> place["lib/commands/heartbeat_place.ts<br>which file, which limits"]
  place --> store["lib/heartbeat/read_heartbeat.ts reads,<br>store.ts writes and removes"]
  file[("heartbeat file")] <--> store
  store -- "what was found" --> probe["lib/heartbeat/probe.ts<br>+ now: the verdict"]
  record["lib/heartbeat/record.ts<br>text <-> fields"] --- probe
  probe --> check["lib/commands/heartbeat_check.ts<br>the exit code"]
  probe --> report["lib/heartbeat/report.ts<br>a line, JSON, metrics"]
\`\`\`

\`write\` goes the same way in the other direction: \`lib/heartbeat/agents.ts\` says who writes, \`lib/heartbeat/record.ts\`
makes the text, \`lib/heartbeat/replace_file.ts\` puts it in the old one's place as a whole.

## The data's way: observe

\`\`\`mermaid
flowchart TD
  bytes["stdin, files, growing folders"] -- "chunks of bytes" --> framer["lib/stream/framer.ts<br>one per input: values, each with its place"]
  framer -- "a JSON value" --> read["lib/dialects/read_value.ts<br>whose JSON, which event, which shape"]
  read -- "hook or message of the model's vocabulary" --> observer["lib/session/observer.ts<br>one per session: what it means"]
  observer -- "requests" --> machine["lib/session/machine.ts<br>one per session: the record"]
  machine -- "transitions" --> format["lib/output/format.ts<br>${Object.keys(OBSERVE_FORMATS).join(", ")}"]
  machine -- "snapshots" --> state["lib/commands/state_dir.ts<br>a file a session"]
  format -- "lines" --> buffer["lib/commands/output_buffer.ts<br>stdout"]
  read -- "rejected, declined, unknown" --> stderr["lib/commands/observing.ts<br>counts, stderr"]
  framer -- "rejected" --> stderr
\`\`\`

A line that is one value is parsed as it comes. Any other stays in \`lib/stream/held_bytes.ts\` until
\`lib/stream/value_scanner.ts\` tells where its value ends; what turns out to be none is searched by
\`lib/stream/record_search.ts\` for the records that are whole in it.

\`lib/commands/observation.ts\` is that way without its two ends: values in, transitions out, no stream, no clock. What
one value means is looked up in tables: \`lib/session/coverage.ts\` says which events there are, a handler for each wired
one is in \`lib/session/hook_lane.ts\` or \`lib/session/message_lane.ts\`, and both act through \`lib/session/tracker.ts\`,
which remembers of a session what its record does not say: which call a permission belongs to, whether a turn is open.
Which call an event means where it names none is chosen in \`lib/session/pairing.ts\`.

The machine has one way to change, \`record\`. State, activity and entries are derived from what was recorded, so every
transition has its cause, and a replay of the same input is the same record.

## A command's way

\`cli.ts\` hands the arguments to \`lib/commands/run.ts\`; \`lib/commands/parse.ts\` looks them up in \`lib/commands/table.ts\`,
from which help, completions and the manual page are made as well; the command's own file is loaded and run. What it
throws becomes an exit code and a line on stderr in \`lib/commands/guard.ts\`.

## Imports

From the imports themselves, folder by folder:

\`\`\`mermaid
${importGraph(files)}\`\`\`

## Layers

\`tests/layers.ts\` holds the code to this table; the first row that matches a file counts, and each may import itself.

${layersTable()}
A file that begins with \`// Pure\` takes time and randomness as arguments; the same test finds one that does not.

## Every file

${filesTable(files)}`;
}
