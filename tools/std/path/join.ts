// Typed stand-in for jsr:@std/path/join where JSR cannot be reached: the same code, from npm.
// @ts-types="./join.d.ts"
export * from "deno-std/path/join.js";
