// Typed stand-in for jsr:@std/assert where JSR cannot be reached: the same code, from npm, with types for what the tests use.
// @ts-types="./mod.d.ts"
export * from "deno-std/assert/mod.js";
