// Typed stand-in for jsr:@std/path/relative where JSR cannot be reached: the same code, from npm.
// @ts-types="./relative.d.ts"
export * from "deno-std/path/relative.js";
