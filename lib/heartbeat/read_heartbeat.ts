// IO: the heartbeat file. Reads it, and judges nothing. Health checks load this, and nothing that writes.
import { reasonOf } from "../reason.ts";
import { oddKind } from "./odd_kind.ts";
import type { Sighting } from "./probe.ts";

/** As much of a file as is read: a heartbeat has about a hundred bytes, and whatever is larger is not one. */
export const MAX_BYTES = 64 * 1024;

/**
 * Looks at `path`, following links. Never opens anything but a regular file, so it cannot block.
 *
 * @throws {Deno.errors.NotCapable} where the runtime itself refuses the path: that is no verdict about the file
 */
export function readHeartbeat(path: string): Sighting {
  let file: Deno.FsFile;
  try {
    const odd = oddKind(Deno.statSync(path));
    if (odd !== null) return { kind: "absent", reason: `it ${odd}` };
    file = Deno.openSync(path, { read: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return { kind: "absent", reason: reasonOf(error) };
  }
  try {
    const { bytes, cut } = readStart(file);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    // The last line of a cut text may be half a value, and half a number is another number.
    return { kind: "file", text: cut ? text.slice(0, text.lastIndexOf("\n") + 1) : text, cut };
  } catch (error) {
    return { kind: "broken", reason: reasonOf(error) };
  } finally {
    file.close();
  }
}

function readStart(file: Deno.FsFile): { readonly bytes: Uint8Array; readonly cut: boolean } {
  const buffer = new Uint8Array(MAX_BYTES);
  let length = 0;
  while (length < buffer.length) {
    const count = file.readSync(buffer.subarray(length));
    if (count === null) break;
    length += count;
  }
  const isFull = length === buffer.length;
  return { bytes: buffer.subarray(0, length), cut: isFull && file.statSync().size > length };
}
