// Pure. What is told of a stretch of input that is no JSON value.

/** Where a value begins. */
export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 0, counted from the first byte of the input. */
  readonly byteOffset: number;
}

/** A stretch of input that is no JSON value. */
export interface Reject extends Place {
  /** What is wrong, in plain words. */
  readonly reason: string;
  /** How it begins: short, printable ASCII. */
  readonly excerpt: string;
}
