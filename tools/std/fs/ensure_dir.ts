// Typed stand-in for jsr:@std/fs/ensure-dir where JSR cannot be reached: the same code, from npm, with types for what vigil uses.
// @ts-types="./ensure_dir.d.ts"
export * from "deno-std/fs/ensure_dir.js";
