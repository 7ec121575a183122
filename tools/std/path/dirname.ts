// Typed stand-in for jsr:@std/path/dirname where JSR cannot be reached: the same code, from npm.
// @ts-types="./dirname.d.ts"
export * from "deno-std/path/dirname.js";
