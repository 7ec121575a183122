// docs/differences.md: where the translation does otherwise than the one it started from.
import { markdownTable } from "../../lib/output/coverage.ts";
import { differencesOver, type Row, rowOf, ROWS, RULES } from "../../tests/session/differences.ts";
import { inputsToCompare, type NamedInput } from "../../tests/session/differences_inputs.ts";

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
  const order: readonly string[] = Object.keys(RULES);
  const rows = ROWS.toSorted((a, b) => order.indexOf(a.rule) - order.indexOf(b.rule));
  return markdownTable(
    ["rule", "input", "to the letter", "here", "seen in"],
    rows.map((row) => [row.rule, row.situation, row.literally, row.here, seenIn(row, inputs, rowsOf)]),
  );
}

export const differencesPage = (): string =>
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

## What a late stream still moves

Hooks tell a turn's prompt, and its \`system/init\` comes after it in the stream: that is how a late message is told to be
of a turn before. Three things look the same either way, and hold until the turn's first call or its end:

- a result of no turns (a local command), or one whose init was not seen, after the next prompt: it ends that turn;
- a result of the process before, after the next one's prompt, once an init has come: so does it;
- \`status: requesting\` after a Stop: it wakes the session, as a Stop that a hook refused is followed by the same.

Prompts without a \`prompt_id\` (older clients) are not counted; there a late result ends the open turn.

## What an interrupt leaves unsaid

No hook tells an interrupt. The next prompt ends what the main thread had open (E6), and nothing else: no event says
whether a subagent that a call waited for was stopped with it or runs on. It stays as it is, with its age, until a Stop
lists what runs.

## The rules

${Object.entries(RULES).map(([rule, says]) => `- **${rule}** ${says}\n`).join("")}`;
