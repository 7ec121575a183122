// The printed settings in the real clients: each runs one command for a scripted model, and its hooks tell the session.
// Only where VIGIL_CLIENTS names the folder with the clients' programs, such as the `node_modules/.bin` of an npm install.
import { assert, assertEquals } from "@std/assert";
import { hookSettings } from "../../lib/dialects/hook_settings.ts";
import { HOOK_CLIENTS, type HookClient } from "../../lib/dialects/reading.ts";
import { newScope, type Reading, readValue } from "../../lib/dialects/read_value.ts";
import { replayReadings } from "../dialects/replay.ts";
import { withFolder } from "../run_vigil.ts";
import { endsOf } from "../session/replay.ts";
import { startModelApi } from "./model_api.ts";

const PROGRAMS = Deno.env.get("VIGIL_CLIENTS");

/** How to run a client headless, with nothing but `home` and the model API at `url`. */
interface ClientRun {
  readonly settings: string;
  readonly args: (home: string, url: string) => readonly string[];
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** Beside the hooks in the settings. */
  readonly more?: object;
  readonly file: RegExp;
  /** Where the client leaves the session: headless Qwen Code does not say that it ends. */
  readonly end: "ended" | "idle";
  readonly tool: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}\.jsonl$/;

const RUNS: Readonly<Record<HookClient, ClientRun>> = {
  claude: {
    settings: ".claude/settings.json",
    args: () => ["-p", "please go", "--allowedTools", "Bash(echo:*)"],
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
    file: UUID,
    end: "ended",
    tool: "Bash",
  },
  codex: {
    settings: ".codex/hooks.json",
    args: (_home, url) => [
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-hook-trust",
      "--dangerously-bypass-approvals-and-sandbox",
      ...["-c", 'model_provider="fake"', "-c", 'model="gpt-5.2-codex"'],
      ...["-c", `model_providers.fake={name="fake",base_url="${url}/v1",wire_api="responses",env_key="NO_KEY"}`],
      "please go",
    ],
    env: () => ({ NO_KEY: "none" }),
    file: /^codex-\d+\.jsonl$/,
    end: "ended",
    tool: "Bash",
  },
  gemini: {
    settings: ".gemini/settings.json",
    args: () => ["-p", "please go", "--yolo", "-m", "gemini-2.5-flash"],
    env: (url) => ({
      GEMINI_API_KEY: "none",
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_CLI_NO_RELAUNCH: "1",
    }),
    more: { security: { auth: { selectedType: "gemini-api-key" } }, privacy: { usageStatisticsEnabled: false } },
    file: UUID,
    end: "ended",
    tool: "run_shell_command",
  },
  qwen: {
    settings: ".qwen/settings.json",
    args: () => ["-p", "please go", "--yolo"],
    env: (url) => ({
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: "fake-model",
      QWEN_CODE_NO_RELAUNCH: "1",
    }),
    more: { security: { auth: { selectedType: "openai" } }, privacy: { usageStatisticsEnabled: false } },
    file: UUID,
    end: "idle",
    tool: "run_shell_command",
  },
  copilot: {
    settings: ".copilot/hooks/vigil.json",
    args: () => ["-p", "please go", "--allow-all-tools"],
    env: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "fake-model",
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
    }),
    file: /^copilot-\d+\.jsonl$/,
    end: "ended",
    tool: "Bash",
  },
};

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Reads what the hooks wrote, a value a line. */
function readHooks(folder: string): { readonly files: readonly string[]; readonly readings: readonly Reading[] } {
  const files = [...Deno.readDirSync(folder)].map((entry) => entry.name);
  const readings = files.flatMap((name) => {
    const scope = newScope();
    const lines = Deno.readTextFileSync(`${folder}/${name}`).trimEnd().split("\n");
    return lines.map((line) => readValue(JSON.parse(line), scope, "auto"));
  });
  return { files, readings };
}

/** What a client said, and what its hooks wrote. */
interface Recorded {
  readonly code: number;
  readonly said: string;
  readonly files: readonly string[];
  readonly readings: readonly Reading[];
}

/** Runs a client with nothing but the printed settings and a scripted model. */
async function record(client: HookClient, home: string, mode: "answers" | "refuses"): Promise<Recorded> {
  await using api = startModelApi(mode);
  const { settings, args, env, more } = RUNS[client];
  Deno.mkdirSync(`${home}/${settings.slice(0, settings.lastIndexOf("/"))}`, { recursive: true });
  Deno.writeTextFileSync(`${home}/${settings}`, JSON.stringify({ ...JSON.parse(hookSettings(client)), ...more }));
  Deno.mkdirSync(`${home}/project`);
  const run = await new Deno.Command(`${PROGRAMS}/${client}`, {
    args: [...args(home, api.url)],
    clearEnv: true,
    env: { HOME: home, PATH: Deno.env.get("PATH") ?? "", TERM: "dumb", ...env(api.url) },
    cwd: `${home}/project`,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(120_000),
  }).output();
  const said = new TextDecoder().decode(run.stdout) + new TextDecoder().decode(run.stderr);
  return { code: run.code, said, ...readHooks(`${home}/.jsc/hooks`) };
}

/** Why a client cannot be tried here; empty where it can. */
const whyNot = (client: HookClient): string =>
  PROGRAMS === undefined
    ? " (not now: VIGIL_CLIENTS is not set)"
    : isFile(`${PROGRAMS}/${client}`)
    ? ""
    : " (not there)";

for (const client of HOOK_CLIENTS) {
  Deno.test({
    name: `${client} itself records its session by the printed settings${whyNot(client)}`,
    ignore: whyNot(client) !== "",
    fn: () =>
      withFolder(async (home) => {
        const { code, said, files, readings } = await record(client, home, "answers");
        assertEquals(code, 0, said);
        const { file, end, tool } = RUNS[client];
        assert(files.length === 1 && file.test(files[0]), `one file: ${files}`);
        const kinds = new Set(readings.map(({ kind }) => kind));
        assert(!kinds.has("reject") && !kinds.has("unknown"), [...kinds].join());
        assert(readings.every((reading) => !("dialect" in reading) || reading.dialect === client), "known as its own");
        const played = replayReadings(readings);
        const ends = Object.values(endsOf(played));
        assertEquals(ends, [{ state: end, live: [], background: [], abandoned: [] }], said);
        const opened = [...played.transitions.values()].flat().filter((transition) => transition.entryOp === "open");
        assertEquals(opened.map((transition) => transition.activity), [{ kind: "tool", name: tool }]);
      }),
  });
}

Deno.test({
  name: `claude's StopFailure, whose hook it ends after 20 ms, is recorded${whyNot("claude")}`,
  ignore: whyNot("claude") !== "",
  fn: () =>
    withFolder(async (home) => {
      const { readings } = await record("claude", home, "refuses");
      const events = readings.flatMap((reading) => (reading.kind === "hook" ? [reading.input.hook_event_name] : []));
      assertEquals(events.slice(-2), ["StopFailure", "SessionEnd"]);
    }),
});
