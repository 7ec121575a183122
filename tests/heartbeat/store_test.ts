// The heartbeat file on a real disk: what is read, what is replaced, what is left.
import { assert, assertEquals, assertThrows } from "@std/assert";
import { FileError } from "../../lib/heartbeat/file_error.ts";
import { MAX_BYTES, readHeartbeat } from "../../lib/heartbeat/read_heartbeat.ts";
import { replaceFile } from "../../lib/heartbeat/replace_file.ts";
import { clearHeartbeat, listHeartbeats, writeHeartbeat } from "../../lib/heartbeat/store.ts";
import { reasonOf } from "../../lib/reason.ts";
import { names, withFolder } from "../run_vigil.ts";

const BEAT = { ts: 1800000000, pid: 42, cli: "claude", session: "s1" };
const TEXT = "ts=1800000000\npid=42\ncli=claude\nsession=s1\n";

function textAt(path: string): string {
  const sighting = readHeartbeat(path);
  assert(sighting.kind === "file");
  return sighting.text;
}

Deno.test("a beat is written whole, its folder made, nothing else left", async () => {
  await withFolder((folder) => {
    const file = `${folder}/a/b/heartbeat`;
    writeHeartbeat(file, BEAT);
    assertEquals(Deno.readTextFileSync(file), TEXT);
    assertEquals(names(`${folder}/a/b`), ["heartbeat"]);
    assertEquals(readHeartbeat(file), { kind: "file", text: TEXT, cut: false });
  });
});

Deno.test("a name as long as the system allows can be written", async () => {
  await withFolder((folder) => {
    const file = `${folder}/${"n".repeat(255)}`;
    writeHeartbeat(file, BEAT);
    assertEquals(textAt(file), TEXT);
    const error = assertThrows(() => writeHeartbeat(`${file}n`, BEAT), FileError);
    assertEquals([error.step, reasonOf(error.cause)], ["replace", "file name too long"]);
    assertEquals(names(folder), ["n".repeat(255)]);
  });
});

Deno.test("a path that can only be a folder's is refused before anything is made", async () => {
  await withFolder((folder) => {
    for (const path of [`${folder}/new/`, `${folder}/new/.`, `${folder}/new/..`, ".", ""]) {
      const error = assertThrows(() => replaceFile(path, new Uint8Array()), FileError);
      assertEquals([error.step, reasonOf(error.cause)], ["look", "is a directory"], path);
    }
    assertEquals(names(folder), []);
  });
});

Deno.test("a file right below the root has a folder, too", () => {
  const error = assertThrows(() => replaceFile("/dev", new Uint8Array()), FileError);
  assertEquals(reasonOf(error.cause), "is a directory");
});

Deno.test("no more than 64 KiB are read, and no half line of them", async () => {
  await withFolder((folder) => {
    const file = `${folder}/heartbeat`;
    const line = "x".repeat(MAX_BYTES - "ts=18000".length - 1) + "\n";
    Deno.writeTextFileSync(file, `${line}ts=1800000000\n`);
    assertEquals(readHeartbeat(file), { kind: "file", text: line, cut: true });
    const whole = "x".repeat(MAX_BYTES - "\nts=1800000000".length) + "\nts=1800000000";
    Deno.writeTextFileSync(file, whole);
    assertEquals(readHeartbeat(file), { kind: "file", text: whole, cut: false });
  });
});

Deno.test("a sparse file of 5 GB is read like any other", async () => {
  await withFolder((folder) => {
    const file = `${folder}/heartbeat`;
    Deno.writeTextFileSync(file, TEXT);
    Deno.truncateSync(file, 5 * 2 ** 30);
    const start = performance.now();
    assertEquals(readHeartbeat(file), { kind: "file", text: TEXT, cut: true });
    assert(performance.now() - start < 1000);
  });
});

Deno.test("a temp that was killed is removed by the next beat, one in use or not ours to judge is not", async () => {
  await withFolder((folder) => {
    const temp = (digit: string) => `${folder}/.vigil-${digit.repeat(32)}.tmp`;
    const old = new Date(Date.now() - 10_000);
    const [dead, live, young, other] = [temp("a"), temp("b"), temp("c"), `${folder}/.vigil-a.tmp`];
    for (const path of [dead, live, young, other]) Deno.writeTextFileSync(path, "ts=1");
    for (const path of [dead, live, other]) Deno.utimeSync(path, old, old);
    Deno.mkdirSync(temp("d"));
    Deno.symlinkSync(other, temp("e"));
    const writer = Deno.openSync(live, { write: true });
    writer.lockSync(true);
    writeHeartbeat(`${folder}/heartbeat`, BEAT);
    const left = [live, young, other, temp("d"), temp("e"), `${folder}/heartbeat`];
    assertEquals(names(folder), left.map((path) => path.slice(folder.length + 1)).sort());
    writer.close();
    writeHeartbeat(`${folder}/heartbeat`, BEAT);
    assert(!names(folder).includes(live.slice(folder.length + 1)));
  });
});

Deno.test("heartbeats are listed by the folders that hold one", async () => {
  await withFolder((folder) => {
    for (const name of ["b", "a", "hooks", ".hidden", "odd\nname"]) Deno.mkdirSync(`${folder}/${name}`);
    for (const name of ["b", "a", ".hidden", "odd\nname"]) writeHeartbeat(`${folder}/${name}/heartbeat`, BEAT);
    Deno.writeTextFileSync(`${folder}/file`, "");
    Deno.symlinkSync("a", `${folder}/link`);
    assertEquals(listHeartbeats(folder), ["a", "b", "link", "odd\nname"]);
    assertEquals(listHeartbeats(`${folder}/nowhere`), []);
  });
});

Deno.test("clearing nothing is success, whatever stands in the way of a file", async () => {
  await withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "");
    Deno.symlinkSync("loop", `${folder}/loop`);
    for (const path of ["nothing", "no/folder", "file/below", "loop/below", "n".repeat(256)]) {
      clearHeartbeat(`${folder}/${path}`);
    }
    assertEquals(names(folder), ["file", "loop"]);
  });
});
