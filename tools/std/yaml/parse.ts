// Typed stand-in for jsr:@std/yaml/parse where JSR cannot be reached: the same code, from npm, with types for what vigil uses.
// @ts-types="./parse.d.ts"
export * from "deno-std/yaml/parse.js";
