// Pure. Which files appeared, moved and vanished between two looks at the same folders.

/** A file as a look found it: where, and which one it is whatever its name (device and inode). */
export interface SeenFile {
  readonly path: string;
  readonly id: string;
}

/** What changed since the last look. */
export interface Changes<Seen extends SeenFile> {
  /** Files not known before; a file under several names appears once. */
  readonly appeared: readonly Seen[];
  /** Known files under a new name: the same bytes, to be read on and not anew. */
  readonly moved: readonly Seen[];
  /** Ids of known files without a name now: renamed out of sight or removed. */
  readonly vanished: readonly string[];
}

/**
 * Compares what is `known` (id to path) with what was `seen`.
 *
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { reconcile } from "./reconcile.ts";
 * const known = new Map([["1", "a.jsonl"]]);
 * const seen = [{ path: "a.jsonl", id: "2" }, { path: "b.jsonl", id: "1" }];
 * assertEquals(reconcile(known, seen), { appeared: [seen[0]], moved: [seen[1]], vanished: [] });
 * ```
 */
export function reconcile<Seen extends SeenFile>(
  known: ReadonlyMap<string, string>,
  seen: readonly Seen[],
): Changes<Seen> {
  const pathsById = new Map<string, Seen[]>();
  for (const file of seen) {
    const names = pathsById.get(file.id);
    if (names === undefined) pathsById.set(file.id, [file]);
    else names.push(file);
  }
  const appeared: Seen[] = [];
  const moved: Seen[] = [];
  for (const [id, names] of pathsById) {
    const path = known.get(id);
    if (path === undefined) appeared.push(names[0]);
    else if (!names.some((name) => name.path === path)) moved.push(names[0]);
  }
  const vanished = [...known.keys()].filter((id) => !pathsById.has(id));
  return { appeared, moved, vanished };
}
