// Typed stand-in for jsr:@std/text/closest-string where JSR cannot be reached: the same code, from npm, with types for what vigil uses.
// @ts-types="./closest_string.d.ts"
export * from "deno-std/text/closest_string.js";
