// The folder of session files: whole files, few writes, private, and trouble said once.
import { assert, assertEquals, assertThrows } from "@std/assert";
import { StateDir } from "../../lib/commands/state_dir.ts";
import { Failure } from "../../lib/failure.ts";
import { parseSessionFile, sessionFileName } from "../../lib/output/session_file.ts";
import { sampleSnapshot } from "../output/samples.ts";
import { names, withFolder } from "../run_vigil.ts";

/** A state folder at `path` of sessions whose snapshots count how often they were asked for. */
function counting(path: string) {
  const asked = new Map<string, number>();
  const failures: string[] = [];
  const state = new StateDir({
    path,
    snapshotOf: (sessionId) => {
      const transitionCount = (asked.get(sessionId) ?? 0) + 1;
      asked.set(sessionId, transitionCount);
      return sampleSnapshot({ sessionId, transitionCount });
    },
    onFailure: (message) => failures.push(message),
  });
  return { state, asked, failures };
}

Deno.test("any number of changes is one write, and the last one is kept", () =>
  withFolder((parent) => {
    const folder = `${parent}/new/state`;
    const { state, asked } = counting(folder);
    for (let n = 0; n < 1000; n++) {
      state.touch("a");
      state.touch("../b");
    }
    state[Symbol.dispose]();
    assertEquals([...asked], [["a", 1], ["../b", 1]]);
    assertEquals(names(folder), ["%2E.%2Fb.json", "a.json"]);
    const snapshot = parseSessionFile(Deno.readTextFileSync(`${folder}/${sessionFileName("../b")}`));
    assertEquals(snapshot, sampleSnapshot({ sessionId: "../b", transitionCount: 1 }));
    assertEquals(Deno.statSync(folder).mode! & 0o777, 0o700);
    assertEquals(Deno.statSync(`${folder}/a.json`).mode! & 0o777, 0o600);
  }));

Deno.test("a change is written without anybody asking for it", () =>
  withFolder(async (folder) => {
    const { state } = counting(folder);
    const watcher = Deno.watchFs(folder);
    state.touch("a");
    for await (const event of watcher) {
      if (event.paths.some((path) => path.endsWith("/a.json"))) break;
    }
    assert(parseSessionFile(Deno.readTextFileSync(`${folder}/a.json`)) !== null);
  }));

Deno.test("a link at the file's place is replaced, never written through", () =>
  withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/precious`, "precious");
    Deno.symlinkSync(`${folder}/precious`, `${folder}/a.json`);
    const { state } = counting(folder);
    state.touch("a");
    state.flush();
    assertEquals(Deno.readTextFileSync(`${folder}/precious`), "precious");
    assert(Deno.lstatSync(`${folder}/a.json`).isFile);
  }));

Deno.test("a file that cannot be written is said once, and written when it can be", () =>
  withFolder((folder) => {
    Deno.mkdirSync(`${folder}/a.json/in the way`, { recursive: true });
    const { state, failures } = counting(folder);
    for (let n = 0; n < 3; n++) {
      state.touch("a");
      state.flush();
    }
    assertEquals(failures.length, 1);
    assert(failures[0].startsWith(`cannot write "${folder}/a.json": `), failures[0]);
    assert(state.failing);
    assertEquals(names(folder), ["a.json"], "no temp is left");
    Deno.removeSync(`${folder}/a.json`, { recursive: true });
    state.flush();
    assert(!state.failing);
    assert(parseSessionFile(Deno.readTextFileSync(`${folder}/a.json`)) !== null);
  }));

Deno.test("one session whose place is taken does not keep the others from being written", () =>
  withFolder((folder) => {
    Deno.mkdirSync(`${folder}/a.json`);
    const { state, failures } = counting(folder);
    for (let n = 0; n < 2; n++) {
      for (const id of ["a", "b", "c"]) state.touch(id);
      state.flush();
    }
    assertEquals(names(folder), ["a.json", "b.json", "c.json"]);
    assertEquals(parseSessionFile(Deno.readTextFileSync(`${folder}/c.json`))?.transitionCount, 2);
    assertEquals(failures.length, 1);
    assert(state.failing);
  }));

Deno.test("a folder that cannot be one is exit 5 before anything is read", () =>
  withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "");
    const failure = assertThrows(() => counting(`${folder}/file`), Failure);
    assertEquals(failure.code, 5);
  }));

Deno.test("temps of writers that were killed are removed, those of living ones are not", () =>
  withFolder((folder) => {
    const temp = (digit: string) => `.vigil-${digit.repeat(32)}.tmp`;
    for (const digit of ["a", "b"]) Deno.writeTextFileSync(`${folder}/${temp(digit)}`, "half");
    Deno.writeTextFileSync(`${folder}/.vigil-other.tmp`, "");
    Deno.utimeSync(`${folder}/${temp("a")}`, 0, 0);
    Deno.utimeSync(`${folder}/.vigil-other.tmp`, 0, 0);
    counting(folder);
    assertEquals(names(folder), [temp("b"), ".vigil-other.tmp"].sort());
  }));

Deno.test("a folder that takes no file at all is said once, and every session is written when it does", () =>
  withFolder((parent) => {
    const folder = `${parent}/state`;
    const { state, failures } = counting(folder);
    Deno.removeSync(folder);
    for (let n = 0; n < 2; n++) {
      for (const id of ["a", "b"]) state.touch(id);
      state.flush();
    }
    assertEquals([failures.length, state.failing], [1, true]);
    Deno.mkdirSync(folder);
    state.touch("b");
    state.flush();
    assertEquals([names(folder), state.failing], [["a.json", "b.json"], false]);
  }));
