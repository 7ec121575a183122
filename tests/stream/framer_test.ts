// What the framer tells of each input in tests/data/framing, in every cut into chunks.
import { assert, assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";
import { basename } from "@std/path/basename";
import { join } from "@std/path/join";
import { ROOT } from "../source_files.ts";
import { frame, MAX_BYTES, SIZES, type Told } from "./framing.ts";
import { concat } from "./mutate.ts";

/** A piece of input: text, bytes in hexadecimal, or a text many times. */
type Piece = string | { readonly hex: string } | { readonly repeat: string; readonly times: number };

interface Expected {
  readonly line: number;
  readonly byteOffset: number;
  readonly value?: unknown;
  readonly reject?: string;
  readonly excerpt?: string;
}

interface Case {
  readonly what: string;
  readonly maxBytes?: number;
  readonly input: readonly Piece[];
  readonly told: readonly Expected[];
}

const encoder = new TextEncoder();

function bytesOf(piece: Piece): Uint8Array {
  if (typeof piece === "string") return encoder.encode(piece);
  if ("hex" in piece) return Uint8Array.from(piece.hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  return encoder.encode(piece.repeat.repeat(piece.times));
}

/** What was told in the shape of what is expected; an excerpt counts where one is expected. */
function shown(told: Told, expected: Expected | undefined): Expected {
  const [line, byteOffset] = told.at;
  if ("value" in told) return { line, byteOffset, value: told.value };
  return {
    line,
    byteOffset,
    reject: told.reject,
    ...(expected?.excerpt === undefined ? {} : { excerpt: told.excerpt }),
  };
}

const FOLDER = join(ROOT, "tests", "data", "framing");
const paths = [...walkSync(FOLDER, { includeDirs: false, exts: [".json"] })].map((entry) => entry.path).sort();
assert(paths.length > 0, "no case");

for (const path of paths) {
  const { what, maxBytes = MAX_BYTES, input, told: expected }: Case = JSON.parse(Deno.readTextFileSync(path));
  Deno.test(`${basename(path, ".json")}: ${what}`, () => {
    const bytes = concat(input.map(bytesOf));
    for (const size of [Infinity, ...SIZES]) {
      const told = frame(bytes, () => size, maxBytes);
      assertEquals(told.map((each, index) => shown(each, expected[index])), expected, `chunks of ${size}`);
    }
  });
}
