// docs/heartbeat.md: its recipes are run as they stand there, its tables hold what the code holds.
import { assert, assertEquals, assertMatch } from "@std/assert";
import { AGENT_ENVIRONMENT } from "../../lib/heartbeat/agents.ts";
import { installed } from "../installed.ts";
import { vigilCommand, withFolder } from "../run_vigil.ts";
import { ROOT } from "../source_files.ts";

const DOCS = Deno.readTextFileSync(`${ROOT}docs/heartbeat.md`);
const decoder = new TextDecoder();

/** The code blocks in `language` under the heading `title`. */
function blocks(title: string, language: string): string[] {
  const section = DOCS.split(/^##+ /m).find((text) => text.startsWith(`${title}\n`));
  assert(section !== undefined, title);
  return [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].filter((found) => found[1] === language).map((found) =>
    found[2]
  );
}

function block(title: string, language: string): string {
  const found = blocks(title, language);
  assertEquals(found.length, 1, `${title}, ${language}`);
  return found[0];
}

interface Machine {
  /** Home of the heartbeats. */
  readonly home: string;
  readonly folder: string;
  /** Runs a shell line with `vigil`, and what else lies in `bin`, on the PATH; its code and output. */
  sh(line: string, ...args: string[]): Promise<{ code: number; stdout: string }>;
  /** Leaves a beat of this age, or with null none at all. */
  beat(ageSeconds: number | null | "broken"): void;
}

/** A folder with `vigil` on the PATH, for recipes that name it so. */
async function withMachine(test: (machine: Machine) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const home = `${folder}/jsc`;
    Deno.mkdirSync(`${folder}/bin`);
    Deno.mkdirSync(`${home}/assistant`, { recursive: true });
    const words = vigilCommand().map((word) => `'${word}'`).join(" ");
    Deno.writeTextFileSync(`${folder}/bin/vigil`, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    await test({
      home,
      folder,
      sh: async (line, ...args) => {
        const { code, stdout } = await new Deno.Command("sh", {
          args: ["-c", line, "sh", ...args],
          env: { JSC_HOME: home, PATH: `${folder}/bin:${Deno.env.get("PATH")}` },
          stdin: "null",
        }).output();
        return { code, stdout: decoder.decode(stdout) };
      },
      beat: (age) => {
        const file = `${home}/assistant/heartbeat`;
        if (age === null) return Deno.removeSync(file);
        Deno.writeTextFileSync(file, age === "broken" ? "ts=x\n" : `ts=${Math.floor(Date.now() / 1000) - age}\n`);
      },
    });
  });
}

Deno.test("the recipe beside an agent beats while the agent lives, and no longer", async () => {
  await withMachine(async ({ folder, home, sh }) => {
    // This agent lives until it has seen a beat; the pipe ends when the writer does.
    const agent = `#!/bin/sh\nuntil [ -e "${home}/assistant/heartbeat" ]; do :; done\n`;
    Deno.writeTextFileSync(`${folder}/bin/my-agent`, agent, { mode: 0o755 });
    const { code, stdout } = await sh(block("Beside an agent", "sh"));
    assertEquals([code, stdout], [0, ""]);
    assertMatch(Deno.readTextFileSync(`${home}/assistant/heartbeat`), /^ts=\d+\n/);
  });
});

Deno.test("the cron lines beat, are silent while all is well, and tell what is not", async () => {
  await withMachine(async ({ folder, home, sh, beat }) => {
    const commands = block("Cron", "cron").trimEnd().split("\n").map((line) => {
      const command = /^(?:\S+ ){5}(.*)$/.exec(line)?.[1] ?? "";
      assert(!command.includes("%"), "cron would end the line there");
      return command.replaceAll("/var/lib/jsc", home).replaceAll("/usr/local/bin/vigil", `${folder}/bin/vigil`);
    });
    assertEquals(commands.length, 2);
    assertEquals(await sh(commands[0]), { code: 0, stdout: "" });
    assertEquals(await sh(commands[1]), { code: 0, stdout: "" });
    beat(3600);
    assertMatch((await sh(commands[1])).stdout, /^state=stale .*\nthe last beat is 1 h old, the limit is 5 min\n$/);
  });
});

Deno.test("the Docker check answers 0 or 1 and nothing else", async () => {
  await withMachine(async ({ sh, beat }) => {
    const command = /CMD (.*)\n/.exec(block("Docker", "dockerfile"))?.[1] ?? "";
    const codes: number[] = [];
    for (const state of [0, 3600, "broken", null] as const) {
      beat(state);
      codes.push((await sh(command)).code);
    }
    codes.push((await sh(`JSC_HOME= HOME= ${command}`)).code);
    assertEquals(codes, [0, 1, 1, 1, 1]);
  });
});

Deno.test("the Kubernetes probe's command is healthy only on a fresh beat", async () => {
  await withMachine(async ({ sh, beat }) => {
    const yaml = block("Kubernetes", "yaml");
    const command: string[] = JSON.parse(/command: (\[.*\])/.exec(yaml)?.[1] ?? "[]");
    assert(Number(/timeoutSeconds: (\d+)/.exec(yaml)?.[1]) > 1);
    const codes: number[] = [];
    for (const state of [0, 3600, "broken", null] as const) {
      beat(state);
      codes.push((await sh('"$@"', ...command)).code);
    }
    assertEquals(codes, [0, 1, 4, 3]);
  });
});

Deno.test("the Nagios plugin maps every exit code and prints one line", async () => {
  await withMachine(async ({ folder, sh, beat }) => {
    Deno.writeTextFileSync(`${folder}/bin/check_vigil`, block("Nagios", "sh"), { mode: 0o755 });
    const answers: string[] = [];
    const run = async (line: string) => {
      const { code, stdout } = await sh(line);
      answers.push(`${code} ${stdout}`);
    };
    for (const state of [0, 3600, "broken", null] as const) {
      beat(state);
      await run("check_vigil");
    }
    await run("check_vigil --ttl never");
    assertEquals(
      answers[0].replace(/is \d s/, "is N s"),
      "0 HEARTBEAT OK - the last beat is N s old, the limit is 5 min\n",
    );
    assertEquals(answers.slice(1), [
      "2 HEARTBEAT CRITICAL - the last beat is 1 h old, the limit is 5 min\n",
      "1 HEARTBEAT WARNING - ts is not a number: whole seconds since 1970 in ASCII digits are wanted\n",
      "2 HEARTBEAT CRITICAL - there is no heartbeat to read: no such file or directory\n",
      '3 HEARTBEAT UNKNOWN - vigil: --ttl "never" is not a time span\n',
    ]);
  });
});

Deno.test({
  name: "promtool finds nothing wrong with the metrics and the rules (needs promtool)",
  ignore: !await installed("promtool"),
  fn: () =>
    withMachine(async ({ folder, sh, beat }) => {
      const out = `${folder}/vigil.prom`;
      const command = block("Prometheus", "sh").replace("/var/lib/node_exporter/textfile/vigil.prom", out);
      const checked = async () => {
        const { code, stdout } = await sh(`${command}promtool check metrics <"$1" 2>&1`, out);
        assertEquals([code, stdout], [0, ""]);
      };
      beat(3600);
      Deno.mkdirSync(`${folder}/jsc/odd "name"\n\\`);
      Deno.writeTextFileSync(`${folder}/jsc/odd "name"\n\\/heartbeat`, 'ts=1800000000\ncli="\\\n');
      await checked();
      assertMatch(Deno.readTextFileSync(out), /\nvigil_heartbeat_state\{name="assistant",cli="",state="stale"\} 1\n/);
      Deno.removeSync(`${folder}/jsc`, { recursive: true });
      await checked();
      assertEquals(Deno.readTextFileSync(out), "");

      Deno.writeTextFileSync(`${folder}/rules.yml`, block("Prometheus", "yaml"));
      const rules = await sh('promtool check rules "$1" 2>&1', `${folder}/rules.yml`);
      assertEquals(rules.code, 0, rules.stdout);
      // Nothing but the rule for a missing agent fires where there is no sample, and it not where there is one.
      const fires = (alertname: string, name: string, alerts: string) =>
        `  - input_series: [{series: 'vigil_heartbeat_state{name="${name}",cli="",state="absent"}', values: 0x9}]
    alert_rule_test: [{eval_time: 5m, alertname: ${alertname}, exp_alerts: ${alerts}}]\n`;
      Deno.writeTextFileSync(
        `${folder}/test.yml`,
        "rule_files: [rules.yml]\ntests:\n" + fires("AgentMissing", "other", "[{exp_labels: {name: assistant}}]") +
          fires("AgentAbsentOrInvalid", "other", "[]") + fires("AgentMissing", "assistant", "[]"),
      );
      const fired = await sh('promtool test rules "$1" 2>&1', `${folder}/test.yml`);
      assertEquals(fired.code, 0, fired.stdout);
    }),
});

const binary = Deno.env.get("VIGIL_BINARY");
const canSwitchUser = binary !== undefined && await (async () => {
  if (!await installed("setpriv")) return false;
  const args = ["--reuid=65534", "--regid=65534", "--clear-groups", "true"];
  return (await new Deno.Command("setpriv", { args, stderr: "null" }).output()).success;
})();

Deno.test({
  name: "an agent and a checker under different users agree on a folder of their own (needs root and VIGIL_BINARY)",
  ignore: !canSwitchUser,
  fn: () =>
    withFolder(async (folder) => {
      Deno.chmodSync(folder, 0o755);
      Deno.copyFileSync(binary ?? "", `${folder}/vigil`);
      Deno.chmodSync(`${folder}/vigil`, 0o755);
      const as = async (user: number, ...args: string[]) => {
        const { code, stdout, stderr } = await new Deno.Command("setpriv", {
          args: [`--reuid=${user}`, `--regid=${user}`, "--clear-groups", `${folder}/vigil`, "heartbeat", ...args],
          clearEnv: true,
          env: { JSC_HOME: `${folder}/jsc` },
        }).output();
        return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
      };
      const [agent, checker] = [65533, 65534];
      const recipe = block("Different users", "sh").replaceAll("/var/lib/jsc", `${folder}/jsc`);
      const { success } = await new Deno.Command("sh", { args: ["-c", recipe.replace("-o agent", `-o ${agent}`)] })
        .output();
      assert(success);
      assertEquals(await as(agent, "write"), { code: 0, text: "" });
      assertEquals(await as(checker, "check"), { code: 0, text: "" });
      assertEquals((await as(checker, "write")).code, 5);
      Deno.chmodSync(`${folder}/jsc`, 0o700);
      const hidden = await as(checker, "check", "--explain");
      assertEquals(hidden.code, 3);
      assertMatch(hidden.text, /\nthere is no heartbeat to read: permission denied\n$/);
    }),
});

Deno.test("the table of agents is the one in the code, in its order", () => {
  const rows = [...DOCS.matchAll(/^\| (\w+) +\| (.*?) +\| (.*?) +\|$/gm)].filter(([, , known]) =>
    known.startsWith("`")
  );
  const names = (text: string) => [...text.matchAll(/`(\w+)`/g)].map((match) => match[1]);
  assertEquals(
    rows.map(([, cli, identify, session]) => ({ cli, identify: names(identify), session: names(session) })),
    AGENT_ENVIRONMENT.map(({ cli, identify, session }) => ({ cli, identify: [...identify], session: [...session] })),
  );
});
