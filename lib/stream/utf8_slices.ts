// Pure. Text of parts of a buffer: for a line of a few KB, `TextDecoder` and the view it wants cost twice the decoding.
import { Buffer } from "node:buffer";

/** A method that every runtime with this module has and that its types leave out. */
type Sliceable = Buffer & { utf8Slice(from: number, to: number): string };

/** Decodes parts of one buffer after another; it keeps a view of the last one. */
export class Utf8Slices {
  #buffer: ArrayBufferLike | null = null;
  #view = Buffer.alloc(0) as Sliceable;

  /** `bytes[from..to)` as text. What is no UTF-8 becomes U+FFFD; a byte order mark is a character like any other. */
  text(bytes: Uint8Array, from: number, to: number): string {
    const { buffer, byteOffset } = bytes;
    if (buffer !== this.#buffer) {
      this.#buffer = buffer;
      this.#view = Buffer.from(buffer as ArrayBuffer) as Sliceable;
    }
    return this.#view.utf8Slice(byteOffset + from, byteOffset + to);
  }
}
