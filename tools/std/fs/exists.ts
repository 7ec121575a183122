// Typed stand-in for jsr:@std/fs/exists where JSR cannot be reached: the same code, from npm, with types for what vigil uses.
// @ts-types="./exists.d.ts"
export * from "deno-std/fs/exists.js";
