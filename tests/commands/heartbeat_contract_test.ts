// The four heartbeat commands without options: exit code, stdout and stderr.
import { assertEquals, assertMatch } from "@std/assert";
import { runVigil, startVigil, withFolder } from "../run_vigil.ts";

const nothing = { stdout: "", stderr: "" };

Deno.test("write, check, report, clear: one life of a heartbeat", async () => {
  await withFolder(async (folder) => {
    const env = { JSC_HOME: folder };
    const file = `${folder}/assistant/heartbeat`;
    assertEquals(await runVigil(["heartbeat", "check"], { env }), { code: 3, ...nothing });
    assertEquals(await runVigil(["heartbeat", "report"], { env }), {
      code: 0,
      stdout: `state=absent ts= age= ttl=300 pid= cli= session= file=${file}\n`,
      stderr: "",
    });

    const before = Math.floor(Date.now() / 1000);
    const agent = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s1" };
    assertEquals(await runVigil(["heartbeat", "write"], { env: { ...env, ...agent } }), { code: 0, ...nothing });
    const match = Deno.readTextFileSync(file).match(/^ts=(\d+)\npid=\d+\ncli=claude\nsession=s1\n$/);
    const ts = Number(match?.[1]);
    assertEquals(ts >= before && ts <= Date.now() / 1000, true);
    assertEquals([...Deno.readDirSync(`${folder}/assistant`)].map((entry) => entry.name), ["heartbeat"]);

    assertEquals(await runVigil(["heartbeat", "check"], { env }), { code: 0, ...nothing });
    const report = await runVigil(["heartbeat", "report"], { env });
    assertMatch(report.stdout, /^state=fresh ts=\d+ age=\d+ ttl=300 pid=\d+ cli=claude session=s1 file=\S+\n$/);
    const old = { ...env, JSC_ASSISTANT_HEARTBEAT_TTL: "0300" };
    Deno.writeTextFileSync(file, "ts=0001\npid=7\n");
    assertEquals(await runVigil(["heartbeat", "check"], { env: old }), { code: 1, ...nothing });
    assertMatch(
      (await runVigil(["heartbeat", "report"], { env: old })).stdout,
      /^state=stale ts=1 age=\d+ ttl=0300 pid=7 /,
    );
    Deno.writeTextFileSync(file, "ts=1 \npid=7\ncli=c\n");
    assertEquals(await runVigil(["heartbeat", "check"], { env }), { code: 4, ...nothing });
    assertEquals(
      (await runVigil(["heartbeat", "report"], { env })).stdout,
      `state=invalid ts= age= ttl=300 pid=7 cli=c session= file=${file}\n`,
    );

    assertEquals(await runVigil(["heartbeat", "clear"], { env }), { code: 0, ...nothing });
    assertEquals(await runVigil(["heartbeat", "clear"], { env }), { code: 0, ...nothing });
    assertEquals(await runVigil(["heartbeat", "check"], { env }), { code: 3, ...nothing });
  });
});

Deno.test("JSC_HOME unset or empty means $HOME/.jsc; without both it is a usage error", async () => {
  await withFolder(async (folder) => {
    const environments: Record<string, string>[] = [{ HOME: folder }, { HOME: folder, JSC_HOME: "" }];
    for (const env of environments) {
      assertMatch(
        (await runVigil(["heartbeat", "report"], { env })).stdout,
        new RegExp(` file=${folder}/\\.jsc/assistant/heartbeat\n$`),
      );
    }
    for (const command of ["write", "check", "report", "clear"]) {
      assertEquals(await runVigil(["heartbeat", command], { env: { HOME: "" } }), {
        code: 6,
        stdout: "",
        stderr:
          "vigil: no place for the heartbeat: neither JSC_HOME nor HOME is set\nhint: set JSC_HOME, or give --file PATH\n",
      });
    }
  });
});

Deno.test("an extra argument is a usage error", async () => {
  for (const command of ["write", "check", "report", "clear"]) {
    const { code, stdout, stderr } = await runVigil(["heartbeat", command, "now"], { env: { HOME: "/nowhere" } });
    assertEquals([code, stdout], [6, ""]);
    assertMatch(stderr, /^vigil: unexpected argument "now"/);
  }
});

Deno.test("none of the four reads stdin, not even a pipe that nobody closes", async () => {
  await withFolder(async (folder) => {
    for (const [command, code] of [["write", 0], ["check", 0], ["report", 0], ["clear", 0]] as const) {
      const child = startVigil(["heartbeat", command], { env: { JSC_HOME: folder }, stdin: "piped" });
      assertEquals((await child.output()).code, code, command);
      await child.stdin.abort().catch(() => {});
    }
  });
});
