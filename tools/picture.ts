// Draws docs/trace.png: the trace of the demo's two sessions as the viewer of chrome://tracing shows it.
import { join } from "@std/path/join";
import { recording } from "./recording.ts";
import { openTraces, viewerFolder } from "./trace_viewer.ts";

const ROOT = new URL("..", import.meta.url).pathname;
const SCENARIOS = ["subagents2", "state_events"];
/** They ran eleven minutes apart; in the picture both begin here. */
const START_MS = Date.parse("2026-12-01T00:00:00Z");

const viewer = viewerFolder();
if (viewer === null) {
  console.error("picture: the trace viewer is not installed\nhint: apt-get install chromium golang-src");
  Deno.exit(1);
}
const folder = await Deno.makeTempDir({ prefix: "vigil-picture-" });
try {
  const files = SCENARIOS.map((scenario) => `${scenario}.jsonl`);
  SCENARIOS.forEach((scenario, at) => Deno.writeTextFileSync(join(folder, files[at]), recording(scenario, START_MS)));
  const { stdout } = await new Deno.Command(join(ROOT, "dist/vigil"), {
    args: ["observe", "--format", "trace", ...files],
    cwd: folder,
    stderr: "inherit",
  }).output();
  const path = join(ROOT, "docs/trace.png");
  const selected = "permission Bash (abandoned)";
  await openTraces(viewer, folder, [new TextDecoder().decode(stdout)], { path, width: 900, height: 680, selected });
  console.log(`wrote docs/trace.png (${Deno.statSync(path).size} bytes)`);
} finally {
  await Deno.remove(folder, { recursive: true });
}
