// Typed stand-in for jsr:@std/fs/walk where JSR cannot be reached: the same code, from npm, with types for what vigil uses.
// @ts-types="./walk.d.ts"
export * from "deno-std/fs/walk.js";
