// Typed stand-in for jsr:@std/path/basename where JSR cannot be reached: the same code, from npm.
// @ts-types="./basename.d.ts"
export * from "deno-std/path/basename.js";
