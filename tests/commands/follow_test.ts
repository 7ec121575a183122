// Following real files in a real folder. Nothing here waits for a time: a test goes on when the follower has said something.
import { assert, assertEquals, assertMatch } from "@std/assert";
import { followInto, type FollowResult } from "../../lib/commands/follow.ts";
import { ROOT } from "../source_files.ts";

const decoder = new TextDecoder();

/** A follower of `paths` that keeps what it is told and lets a test wait for it. */
class Recorder {
  /** One text per input that was opened, in order. */
  readonly inputs: { path: string; text: string; ended: boolean }[] = [];
  readonly notices: string[] = [];
  readonly troubles: string[] = [];
  readonly result: Promise<FollowResult>;
  caughtUpAt: string | null = null;
  /** Gets the whole lines of each chunk. */
  onLines: ((lines: string) => void) | null = null;
  #abort = new AbortController();
  #changed: (() => void)[] = [];

  constructor(paths: readonly string[]) {
    running.push(this);
    this.result = followInto(paths, { signal: this.#abort.signal }, (path) => {
      const input = { path, text: "", ended: false };
      // A chunk may end inside a character, so each input decodes its own stream.
      const own = new TextDecoder();
      this.inputs.push(input);
      this.#change();
      return {
        push: (chunk) => {
          const text = own.decode(chunk, { stream: true });
          const told = input.text.lastIndexOf("\n") + 1;
          input.text += text;
          this.onLines?.(input.text.slice(told, input.text.lastIndexOf("\n") + 1));
          this.#change();
        },
        end: () => {
          input.ended = true;
          this.#change();
        },
      };
    }, {
      notice: (message) => {
        this.notices.push(message);
        this.#change();
      },
      trouble: (message) => {
        this.troubles.push(message);
        this.#change();
      },
      flush: () => this.#change(),
      caughtUp: () => {
        this.caughtUpAt = this.text;
        this.#change();
      },
    });
  }

  get text(): string {
    return this.inputs.map((input) => input.text).join("");
  }

  async until(reached: () => boolean): Promise<void> {
    while (!reached()) await new Promise<void>((done) => this.#changed.push(done));
  }

  stop(): Promise<FollowResult> {
    this.#abort.abort();
    return this.result;
  }

  #change(): void {
    const waiting = this.#changed;
    this.#changed = [];
    waiting.forEach((done) => done());
  }
}

const running: Recorder[] = [];

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    for (const recorder of running.splice(0)) await recorder.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

const append = (path: string, text: string) => Deno.writeTextFileSync(path, text, { append: true });

Deno.test("files of a folder are read from their beginning, in name order, and then as they grow", () =>
  inFolder(async (folder) => {
    append(`${folder}/b.jsonl`, "b1\n");
    append(`${folder}/a.jsonl`, "a1\n");
    append(`${folder}/a.txt`, "not lines\n");
    append(`${folder}/.hidden.jsonl`, "hidden\n");
    const recorder = new Recorder([folder]);
    await recorder.until(() => recorder.caughtUpAt !== null);
    assertEquals(recorder.caughtUpAt, "a1\nb1\n");
    append(`${folder}/b.jsonl`, "b2");
    await recorder.until(() => recorder.text.includes("b2"));
    append(`${folder}/b.jsonl`, " rest\n");
    append(`${folder}/c.jsonl`, "c1\n");
    await recorder.until(() => recorder.text.includes("rest") && recorder.text.includes("c1"));
    assertEquals(await recorder.stop(), { unreadable: [] });
    assertEquals(recorder.inputs.map((input) => input.text), ["a1\n", "b1\nb2 rest\n", "c1\n"]);
    assert(recorder.inputs.every((input) => !input.ended), "files that are still there are not over");
  }));

Deno.test("a folder that is not there yet is waited for, and again when it is removed", () =>
  inFolder(async (parent) => {
    const folder = `${parent}/x/y`;
    const recorder = new Recorder([folder]);
    await recorder.until(() => recorder.caughtUpAt !== null);
    assertEquals(recorder.notices, [`"${folder}" is not there yet: waiting for it`]);
    for (const round of ["one\n", "two\n"]) {
      Deno.mkdirSync(folder, { recursive: true });
      append(`${folder}/s.jsonl`, round);
      await recorder.until(() => recorder.text.includes(round));
      Deno.removeSync(`${parent}/x`, { recursive: true });
    }
    await recorder.stop();
    assertEquals(recorder.text, "one\ntwo\n");
  }));

Deno.test("a file renamed out of sight is read to its end before its successor", () =>
  inFolder(async (folder) => {
    const path = `${folder}/s.jsonl`;
    const writer = Deno.openSync(path, { create: true, append: true });
    append(path, "1\n");
    const recorder = new Recorder([path]);
    await recorder.until(() => recorder.text === "1\n");
    append(path, "2\n");
    Deno.renameSync(path, `${path}.1`);
    append(path, "3\n");
    await recorder.until(() => recorder.text.includes("3"));
    assertEquals(recorder.inputs.map((input) => input.text), ["1\n2\n", "3\n"]);
    writer.writeSync(new TextEncoder().encode("late\n"));
    await recorder.until(() => recorder.text.includes("late"));
    writer.close();
    await recorder.stop();
    assertEquals(recorder.inputs.map((input) => input.text), ["1\n2\nlate\n", "3\n"]);
    assertEquals(recorder.notices, []);
  }));

Deno.test("a cut file starts a new input and is named, even when it is longer again at once", () =>
  inFolder(async (folder) => {
    const path = `${folder}/s.jsonl`;
    append(path, "first\n");
    const recorder = new Recorder([path]);
    await recorder.until(() => recorder.text === "first\n");
    Deno.writeTextFileSync(path, "");
    append(path, "longer than first\n");
    await recorder.until(() => recorder.inputs.length === 2 && recorder.text.endsWith("first\n"));
    Deno.truncateSync(path);
    append(path, "3\n");
    await recorder.until(() => recorder.text.endsWith("3\n"));
    await recorder.stop();
    assertEquals(recorder.inputs, [
      { path, text: "first\n", ended: true },
      { path, text: "longer than first\n", ended: true },
      { path, text: "3\n", ended: false },
    ]);
    assertEquals(recorder.notices.length, 2);
    for (const notice of recorder.notices) assertMatch(notice, /was cut or rewritten after \d+ bytes/);
  }));

Deno.test("what is appended before the stop is still read", () =>
  inFolder(async (folder) => {
    const path = `${folder}/s.jsonl`;
    append(path, "1\n");
    const recorder = new Recorder([path]);
    await recorder.until(() => recorder.caughtUpAt !== null);
    append(path, "2\n");
    await recorder.stop();
    assertEquals(recorder.text, "1\n2\n");
  }));

Deno.test("more files than may be open at once are all followed", () =>
  inFolder(async (folder) => {
    const paths = Array.from({ length: 300 }, (_, n) => `${folder}/${n}.jsonl`);
    for (const path of paths) append(path, "1\n");
    const recorder = new Recorder([folder]);
    await recorder.until(() => recorder.caughtUpAt !== null);
    for (const path of paths) append(path, "2\n");
    await recorder.until(() => recorder.text.length === paths.length * 4);
    await recorder.stop();
    assertEquals(recorder.inputs.map((input) => input.text), paths.map(() => "1\n2\n"));
  }));

Deno.test("of files that are gone, those that are not open any more are over at once", () =>
  inFolder(async (folder) => {
    const paths = Array.from({ length: 200 }, (_, n) => `${folder}/${n}.jsonl`);
    for (const path of paths) append(path, "1\n");
    const recorder = new Recorder([folder]);
    await recorder.until(() => recorder.caughtUpAt !== null);
    for (const path of paths) Deno.removeSync(path);
    await recorder.until(() => recorder.inputs.filter(({ ended }) => ended).length >= 200 - 128);
    await recorder.stop();
  }));

Deno.test("a path that is no file and no folder is named and reported", () =>
  inFolder(async (folder) => {
    const path = `${folder}/pipe.jsonl`;
    await new Deno.Command("mkfifo", { args: [path] }).output();
    const recorder = new Recorder([path]);
    await recorder.until(() => recorder.caughtUpAt !== null);
    assertEquals(await recorder.stop(), { unreadable: [path] });
    assertEquals(recorder.troubles, [`cannot read "${path}": not a regular file`]);
  }));

Deno.test("a name that is not UTF-8 is said, and the other files are followed on", () =>
  inFolder(async (folder) => {
    append(`${folder}/a.jsonl`, "a1\n");
    const recorder = new Recorder([folder]);
    await recorder.until(() => recorder.caughtUpAt !== null);
    const odd = await new Deno.Command("sh", { args: ["-c", `printf b > "$1/$(printf 'b\\377').jsonl"`, "sh", folder] })
      .output();
    assert(odd.success);
    await recorder.until(() => recorder.troubles.length > 0 && recorder.notices.length > 0);
    append(`${folder}/a.jsonl`, "a2\n");
    append(`${folder}/c.jsonl`, "c1\n");
    await recorder.until(() => recorder.text === "a1\na2\nc1\n");
    await recorder.stop();
    assertEquals(recorder.troubles, [
      "a watched folder holds a name that is not UTF-8: a file under such a name is passed over",
    ]);
    assertMatch(recorder.notices.join(), /^cannot watch "[^"]+": a name is not UTF-8: looking every 250 ms instead$/);
  }));

Deno.test("an error of the one who takes the bytes ends the following", () =>
  inFolder(async (folder) => {
    append(`${folder}/a.jsonl`, "1\n");
    const thrown = await followInto([folder], { signal: new AbortController().signal }, () => ({
      push: () => {
        throw new RangeError("the reader is gone");
      },
      end: () => {},
    }), { notice: () => {}, trouble: () => {}, flush: () => {} }).catch((error) => error);
    assert(thrown instanceof RangeError);
  }));

for (const seed of [1, 2]) {
  Deno.test(`appends, rotations, cuts, removals: every line exactly once or named, seed ${seed}`, () =>
    inFolder(async (parent) => {
      const folder = `${parent}/lines`;
      Deno.mkdirSync(folder);
      const writer = new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-lock", "-A", `${ROOT}tests/commands/follow_writer.ts`, folder, String(seed), "10000"],
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const stdin = writer.stdin.getWriter();
      const recorder = new Recorder([folder]);
      const told = new Set<string>();
      recorder.onLines = (lines) => {
        for (const [, generation] of lines.matchAll(/"generation":(\d+),/g)) {
          if (told.has(generation)) continue;
          told.add(generation);
          stdin.write(new TextEncoder().encode(`${generation}\n`)).catch(() => {});
        }
      };
      const output = await writer.output();
      assert(output.success);
      await stdin.close().catch(() => {});
      const { written, cutLines } = JSON.parse(decoder.decode(output.stdout));
      await recorder.until(() => recorder.text.includes(`{"n":${written - 1},`));
      await recorder.stop();

      const counts = new Map<number, number>();
      for (const input of recorder.inputs) {
        // Only a cut leaves half a line behind.
        const lines = input.text.split("\n").slice(0, -1);
        for (const { n } of lines.map((line) => JSON.parse(line))) counts.set(n, (counts.get(n) ?? 0) + 1);
      }
      assertEquals([...counts].filter(([, count]) => count > 1), [], "no line twice");
      const cuts = recorder.notices.filter((notice) => notice.includes("was cut or rewritten"));
      assertEquals(cuts.length, cutLines.length, "every cut is named, and nothing else is");
      const missing = Array.from({ length: written }, (_, n) => n).filter((n) => !counts.has(n));
      const cutAway = (n: number) => cutLines.some(([from, to]: [number, number]) => from <= n && n < to);
      assertEquals(missing.filter((n) => !cutAway(n)), [], "no line missing but those that a cut took away unread");
    }));
}

Deno.test("a long file is read in turns, and what is printed so far goes out in between", () =>
  inFolder(async (folder) => {
    const line = `${"x".repeat(1023)}\n`;
    append(`${folder}/a.jsonl`, line.repeat(3000));
    const lengths: number[] = [];
    const result = followInto([folder], { signal: AbortSignal.abort() }, () => ({ push: () => {}, end: () => {} }), {
      notice: () => {},
      trouble: () => {},
      flush: () => lengths.push(0),
    });
    assertEquals(await result, { unreadable: [] });
    assert(lengths.length >= 3, `${lengths.length} turns`);
  }));

Deno.test("a link to itself is named", () =>
  inFolder(async (folder) => {
    const path = `${folder}/loop`;
    Deno.symlinkSync(path, path);
    const recorder = new Recorder([path]);
    await recorder.until(() => recorder.caughtUpAt !== null);
    assertEquals(await recorder.stop(), { unreadable: [path] });
    assertEquals(recorder.troubles, [`cannot read "${path}": too many levels of symbolic links`]);
  }));

Deno.test("where watching does not work it says so once, and looks", () =>
  inFolder(async (folder) => {
    const real = Deno.watchFs;
    Deno.watchFs = () => {
      throw Object.assign(new Error("too many watches"), { code: "ENOSPC" });
    };
    try {
      const recorder = new Recorder([folder]);
      await recorder.until(() => recorder.caughtUpAt !== null);
      append(`${folder}/a.jsonl`, "1\n");
      await recorder.until(() => recorder.text === "1\n");
      append(`${folder}/a.jsonl`, "2\n");
      await recorder.until(() => recorder.text === "1\n2\n");
      await recorder.stop();
      assertEquals(recorder.notices.length, 1);
      assertMatch(recorder.notices[0], /^cannot watch "\S+": no space left on device: looking every 250 ms instead$/);
    } finally {
      Deno.watchFs = real;
    }
  }));
