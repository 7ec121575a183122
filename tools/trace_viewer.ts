// Opens traces in the viewer of chrome://tracing, in a headless Chromium: what it makes of them, as data or as a picture.
// Debian builds its Chromium without that viewer. The sources of Go hold it whole: packages chromium and golang-src.
import { join } from "@std/path/join";

/** Where the sources of Go have the viewer: to 1.20, and since. */
const FOLDERS = ["/usr/share/go/src/cmd/trace/static", "/usr/share/go/src/internal/trace/traceviewer/static"];
const POLYFILL = "webcomponents.min.js";
const VIEWER = "trace_viewer_full.html";

/** A span as the viewer has read it. Times are epoch milliseconds. */
export interface ShownSpan {
  readonly name: string;
  readonly category: string;
  readonly startMs: number;
  readonly durationMs: number;
  /** Whether it is drawn below another of its thread. */
  readonly isNested: boolean;
  readonly args: Readonly<Record<string, string | null>>;
}

/** A trace as the viewer has read it, processes and threads in the order in which it draws them. */
export interface ShownTrace {
  readonly warnings: readonly string[];
  readonly processes: readonly {
    readonly name: string;
    readonly threads: readonly { readonly name: string; readonly spans: readonly ShownSpan[] }[];
  }[];
  /** What stands before the rows, from top to bottom. */
  readonly headings: readonly string[];
}

export interface Picture {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  /** The name of the span that is selected: its arguments are shown. */
  readonly selected: string;
}

/** The folder of the viewer; null where it is not installed. */
export function viewerFolder(): string | null {
  const has = (folder: string) => {
    try {
      return Deno.statSync(join(folder, VIEWER)).isFile && Deno.statSync(join(folder, POLYFILL)).isFile;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  };
  return FOLDERS.find(has) ?? null;
}

/** Runs in the page, where TRACES and SELECTED are. Leaves what the viewer made of the traces in an attribute. */
const SCRIPT = `
const tell = (result) => document.documentElement.setAttribute("data-result", encodeURIComponent(JSON.stringify(result)));
const fail = (error) => tell({ error: String(error) });
window.onerror = fail;
document.addEventListener("WebComponentsReady", () => {
  const viewer = document.createElement("tr-ui-timeline-view");
  const container = document.createElement("track-view-container");
  container.id = "track_view_container";
  viewer.track_view_container = container;
  Polymer.dom(viewer).appendChild(container);
  viewer.id = "trace-viewer";
  viewer.polyfillWarnedOnce_ = true;
  Polymer.dom(document.body).appendChild(viewer);
  show(viewer).then((traces) => tell({ traces }), fail);
});
async function show(viewer) {
  const options = new tr.importer.ImportOptions();
  options.shiftWorldToZero = SELECTED !== null;
  const shown = [];
  for (const trace of TRACES) {
    const model = new tr.Model();
    new tr.importer.Import(model, options).importTraces([trace]);
    await viewer.build(model);
    const spanOf = ({ title, category, start, duration, parentSlice, args }) =>
      ({ name: title, category, startMs: start, durationMs: duration, isNested: parentSlice !== undefined, args });
    const threadOf = ({ name, sliceGroup }) => ({ name, spans: sliceGroup.slices.map(spanOf) });
    shown.push({
      warnings: model.importWarnings.map(({ message }) => message),
      processes: model.getAllProcesses().sort(tr.model.Process.compare).map((process) => ({
        name: process.name,
        threads: Object.values(process.threads).sort(tr.model.Thread.compare).map(threadOf),
      })),
      headings: tr.ui.b.findDeepElementsMatching(viewer, "tr-ui-b-heading").map(({ heading }) => heading)
        .filter((heading) => heading !== ""),
    });
    viewer.viewTitle = "night.json";
    if (SELECTED !== null) {
      const slices = [...model.getDescendantEvents()].filter(({ title }) => title === SELECTED);
      viewer.brushingStateController.changeSelectionFromRequestSelectionChangeEvent(new tr.model.EventSet(slices));
    }
  }
  return shown;
}
`;

/** The browser's virtual clock waits for timers but not for frames, and would run out where frames are slow to come. */
const page = (viewer: string): string =>
  `<!doctype html>
<meta charset="utf-8">
<script>requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);</script>
<script src="file://${viewer}/${POLYFILL}"></script>
<link rel="import" href="file://${viewer}/${VIEWER}">
<style>
  html, body, #trace-viewer { margin: 0; width: 100%; height: 100%; overflow: hidden; font: 12px sans-serif; }
</style>
<script src="script.js"></script>
<body></body>
`;

/** What the viewer makes of `traces`; their files and the browser's go to `folder`. The last one's picture, if asked for. */
export async function openTraces(
  viewer: string,
  folder: string,
  traces: readonly string[],
  picture: Picture | null = null,
): Promise<ShownTrace[]> {
  const constants = `const TRACES = ${JSON.stringify(traces)}, SELECTED = ${
    JSON.stringify(picture?.selected ?? null)
  };`;
  Deno.writeTextFileSync(join(folder, "script.js"), constants + SCRIPT);
  Deno.writeTextFileSync(join(folder, "page.html"), page(viewer));
  const { stdout, stderr } = await new Deno.Command("chromium", {
    args: [
      "--headless",
      "--no-sandbox",
      "--allow-file-access-from-files",
      "--virtual-time-budget=30000",
      "--hide-scrollbars",
      `--user-data-dir=${join(folder, "profile")}`,
      "--dump-dom",
      ...(picture === null ? [] : [
        `--screenshot=${picture.path}`,
        `--window-size=${picture.width},${picture.height}`,
        "--force-device-scale-factor=1.25",
      ]),
      `file://${folder}/page.html`,
    ],
  }).output();
  const decoder = new TextDecoder();
  const result = decoder.decode(stdout).match(/ data-result="([^"]*)"/)?.[1];
  if (result === undefined) throw new Error(`the viewer came to no end: ${decoder.decode(stderr)}`);
  const { error, traces: shown } = JSON.parse(decodeURIComponent(result));
  if (error !== undefined) throw new Error(`the viewer failed: ${error}`);
  return shown;
}
