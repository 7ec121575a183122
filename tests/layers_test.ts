// Import directions and purity of the whole product, and proof that the check can fail.
import { assert, assertEquals } from "@std/assert";
import { isPure, unusedAllowances, violations } from "./layers.ts";
import { productFiles, withAddition } from "./source_files.ts";

const files = productFiles();

Deno.test("imports point one way and pure files stay pure", () => {
  assertEquals(violations(files), []);
});

Deno.test("no row allows an import that no file has", () => {
  assertEquals(unusedAllowances(files), []);
  const stream = files.filter(({ path }) => path !== "lib/commands/man.ts" && path !== "lib/commands/version.ts");
  assertEquals(unusedAllowances(stream).includes("lib/commands/: imports nothing of deno.json"), true);
});

Deno.test("the layer check fails on a reversed import", () => {
  const broken = withAddition(files, "lib/session/model.ts", `import "./machine.ts";`);
  assertEquals(violations(broken), ["lib/session/model.ts: may not import lib/session/machine.ts"]);
});

Deno.test("the layer check fails when the two halves meet", () => {
  const broken = withAddition(files, "lib/session/observer.ts", `import "../heartbeat/record.ts";`);
  assertEquals(violations(broken), ["lib/session/observer.ts: may not import lib/heartbeat/record.ts"]);
});

Deno.test("the layer check fails on a clock, a timer, a console or Deno in a pure file", () => {
  for (
    const call of [
      "Date.now()",
      "new Date()",
      "setTimeout(() => {}, 1)",
      "console.log(1)",
      "Deno.args",
      "Math.random()",
    ]
  ) {
    const broken = withAddition(files, "lib/session/model.ts", `export const x = ${call};`);
    assertEquals(violations(broken).length, 1, call);
  }
});

Deno.test("the session model, the framing and the heartbeat record are pure", () => {
  for (
    const path of [
      "lib/session/model.ts",
      "lib/session/machine.ts",
      "lib/heartbeat/record.ts",
      "lib/heartbeat/probe.ts",
    ]
  ) {
    const file = files.find((file) => file.path === path);
    assert(file !== undefined && isPure(file), path);
  }
});
