// Typed stand-in for jsr:@std/path/resolve where JSR cannot be reached: the same code, from npm.
// @ts-types="./resolve.d.ts"
export * from "deno-std/path/resolve.js";
