// Typed stand-in for jsr:@std/cli/parse-args where JSR cannot be reached: the same code, from npm, with types for what vigil uses.
// @ts-types="./parse_args.d.ts"
export * from "deno-std/cli/parse_args.js";
