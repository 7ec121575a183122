/** Options of `walkSync` and `walk` that vigil uses. */
export interface WalkOptions {
  maxDepth?: number;
  includeFiles?: boolean;
  includeDirs?: boolean;
  includeSymlinks?: boolean;
  followSymlinks?: boolean;
  exts?: string[];
  match?: RegExp[];
  skip?: RegExp[];
}
/** One file or folder found by a walk. */
export interface WalkEntry extends Deno.DirEntry {
  path: string;
}
export declare function walkSync(root: string | URL, options?: WalkOptions): IterableIterator<WalkEntry>;
export declare function walk(root: string | URL, options?: WalkOptions): AsyncIterableIterator<WalkEntry>;
