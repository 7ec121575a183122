// Pure. What a reader of one growing file must remember, and what it has to do next.

/** How many bytes at each end of what was read are kept to recognise the file by. */
const MARK_BYTES = 64;

/**
 * What to do with a file: nothing; read on from the offset; first see whether it still holds what was read (a file may
 * be cut and grow past the old length between two looks); or start over, as it is shorter than what was read.
 */
export type TailStep = "wait" | "read" | "verify" | "restart";

/** Bytes that must stand at an offset of the file. */
export interface TailMark {
  readonly offsetBytes: number;
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/**
 * One growing file, by what was read of it.
 *
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Tail } from "./tail.ts";
 * const tail = new Tail();
 * assertEquals(tail.look(3, 0), "read");
 * tail.advance(new TextEncoder().encode("{}\n"));
 * tail.settle(0);
 * assertEquals(tail.look(3, 0), "wait");
 * assertEquals(tail.look(6, 1), "verify");
 * assertEquals(tail.look(1, 2), "restart");
 * ```
 */
export class Tail {
  #offsetBytes = 0;
  #head = NOTHING;
  #last = NOTHING;
  #modifiedAt: number | null = null;

  /** How many bytes were read. */
  get offsetBytes(): number {
    return this.#offsetBytes;
  }

  /** What to do now that the file is `sizeBytes` long and was last modified at `modifiedAt` (epoch milliseconds). */
  look(sizeBytes: number, modifiedAt: number): TailStep {
    if (sizeBytes < this.#offsetBytes) return "restart";
    if (sizeBytes === this.#offsetBytes && modifiedAt === this.#modifiedAt) return "wait";
    return this.#offsetBytes === 0 ? "read" : "verify";
  }

  /** What the file holds if it is still the one that was read. */
  marks(): readonly TailMark[] {
    return [
      { offsetBytes: 0, bytes: this.#head },
      { offsetBytes: this.#offsetBytes - this.#last.length, bytes: this.#last },
    ];
  }

  /** Takes note of the next `chunk` that was read; keeps a copy of what it needs. */
  advance(chunk: Uint8Array): void {
    if (this.#head.length < MARK_BYTES) {
      this.#head = joined(this.#head, chunk.subarray(0, MARK_BYTES - this.#head.length));
    }
    this.#last = chunk.length >= MARK_BYTES
      ? chunk.slice(-MARK_BYTES)
      : joined(this.#last.subarray(Math.max(0, this.#last.length + chunk.length - MARK_BYTES)), chunk);
    this.#offsetBytes += chunk.length;
  }

  /** Takes note that the file was read to its end as it stood when it was last modified at `modifiedAt`. */
  settle(modifiedAt: number): void {
    this.#modifiedAt = modifiedAt;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
