// Typed stand-in for jsr:@std/text/levenshtein-distance where JSR cannot be reached: the same code, from npm, with types for what vigil uses.
// @ts-types="./levenshtein_distance.d.ts"
export * from "deno-std/text/levenshtein_distance.js";
