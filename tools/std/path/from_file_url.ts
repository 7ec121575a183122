// Typed stand-in for jsr:@std/path/from-file-url where JSR cannot be reached: the same code, from npm.
// @ts-types="./from_file_url.d.ts"
export * from "deno-std/path/from_file_url.js";
