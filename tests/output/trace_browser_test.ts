// A real capture's trace, opened by a real viewer in a real browser: what the viewer shows is what the transitions tell.
// The viewer is speedscope, which comes whole in its npm package; it shows each thread's spans as a table.
import { assert, assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";
import { traceFormat } from "../../lib/output/trace.ts";
import { installed } from "../installed.ts";
import { withFolder } from "../run_vigil.ts";
import { ROOT } from "../source_files.ts";
import { intervalsOf, replayHooks } from "./replayed.ts";

const VIEWER = { name: "speedscope", version: "1.25.0" };

async function deno(args: readonly string[]): Promise<string | null> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env: { DENO_TLS_CA_STORE: "system,mozilla", NO_COLOR: "1" },
    stderr: "null",
  }).output();
  return success ? new TextDecoder().decode(stdout) : null;
}

/** The viewer's folder in Deno's cache, fetched as deno.lock pins it; null when it cannot be had. */
async function viewerFolder(): Promise<string | null> {
  const fetched = await deno(["cache", "--quiet", "--lock=deno.lock", `npm:${VIEWER.name}@${VIEWER.version}`]);
  const info = fetched === null ? null : await deno(["info", "--json"]);
  if (info === null) return null;
  const tail = `/${VIEWER.name}/${VIEWER.version}/dist/release/index.html`;
  const { npmCache } = JSON.parse(info);
  for (const { path } of walkSync(npmCache, { maxDepth: tail.split("/").length, includeDirs: false })) {
    if (path.endsWith(tail)) return path.slice(0, path.lastIndexOf("/"));
  }
  return null;
}

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur: number;
  readonly args: Readonly<Record<string, string>>;
}

/** Runs in the viewer's page: keeps what it shows of each thread, one after the other, and leaves that as the page. */
const DRIVER = `
const pages = [];
let last = "";
let still = 0;
const timer = setInterval(() => {
  const place = /\\((\\d+)\\/(\\d+)\\)/.exec(document.body.innerText);
  if (place === null || document.querySelectorAll("td").length < 4) return;
  // The table of a thread is drawn after its title: a page counts once it has stood still.
  still = document.body.textContent === last ? still + 1 : 0;
  last = document.body.textContent;
  if (still < 20) return;
  const [number, count] = place.slice(1).map(Number);
  if (pages.length < number) {
    pages.push(document.body.textContent);
    if (number < count) return void window.dispatchEvent(new KeyboardEvent("keypress", { key: "n" }));
  }
  if (number < count) return;
  clearInterval(timer);
  const shown = document.createElement("pre");
  shown.textContent = JSON.stringify(pages);
  document.body.replaceChildren(shown);
}, 50);
`;

/** The texts that the viewer shows of `trace`, one a thread, without white space. */
async function shown(viewer: string, folder: string, trace: string): Promise<string[]> {
  const script = `${folder}/trace.js`;
  const content = new TextEncoder().encode(trace).toBase64();
  Deno.writeTextFileSync(script, `speedscope.loadFileFromBase64("trace.json", "${content}");${DRIVER}`);
  const { stdout } = await new Deno.Command("chromium", {
    args: [
      "--headless",
      "--no-sandbox",
      "--allow-file-access-from-files",
      "--enable-unsafe-swiftshader",
      "--window-size=1600,2400",
      "--virtual-time-budget=30000",
      `--user-data-dir=${folder}/profile`,
      "--dump-dom",
      `file://${viewer}/index.html#localProfilePath=${script.slice(1)}&view=sandwich`,
    ],
    stderr: "null",
  }).output();
  const dom = new TextDecoder().decode(stdout);
  const pages = dom.match(/<pre>(.*)<\/pre>/s)?.[1];
  assert(pages !== undefined, `the viewer came to no end: ${dom.replace(/<style.*?<\/style>/gs, "").slice(0, 5000)}`);
  const text = pages.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  return (JSON.parse(text) as string[]).map(squeezed);
}

/** A duration as the viewer writes it. */
const weight = (ms: number): string => ms < 1000 ? `${ms.toFixed(2)}ms` : `${(ms / 1000).toFixed(2)}s`;
const squeezed = (text: string): string => text.replace(/\s/g, "");

function assertShown(page: string, text: string): void {
  assert(page.includes(squeezed(text)), `the viewer does not show ${text}\nbut ${page}`);
}

const hasBrowser = await installed("chromium");
const viewer = hasBrowser ? await viewerFolder() : null;
const missing = !hasBrowser ? "Debian's chromium is not installed" : "the viewer's npm package cannot be had";
Deno.test({
  name: `a viewer in a browser shows the trace's threads and spans${viewer === null ? ` (skipped: ${missing})` : ""}`,
  ignore: viewer === null,
  fn: () =>
    withFolder(async (folder) => {
      const replayed = replayHooks("subagent", traceFormat);
      const events = JSON.parse(replayed.text) as TraceEvent[];
      const spans = events.filter((event) => event.ph === "X");
      const threads = events.filter((event) => event.name === "thread_name");
      const [process] = events.filter((event) => event.name === "process_name");

      const pages = await shown(viewer!, folder, replayed.text);
      assertEquals(pages.length, threads.length);
      const shownEntries = new Set<string>();
      for (const [at, { args: { name }, tid }] of threads.entries()) {
        const own = spans.filter((span) => span.tid === tid);
        const title = `${process.args.name} (pid ${process.pid}), ${name} (tid ${tid})`;
        assertShown(pages[at], `${title} (${at + 1}/${threads.length})`);
        for (const span of own) {
          assertShown(pages[at], `${span.name} ${JSON.stringify(span.args)}`);
          if (span.args.entryId === undefined) continue;
          assertShown(pages[at], `${weight(span.dur / 1000)} (`);
          shownEntries.add(span.args.entryId);
        }
      }
      assertEquals([...shownEntries].sort(), intervalsOf(replayed).map((interval) => interval.entryId).sort());
    }),
});
