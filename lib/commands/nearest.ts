// Pure. The word that somebody most likely meant, or none: a far-fetched guess is worse than the list of what there is.
import { closestString } from "@std/text/closest-string";
import { levenshteinDistance } from "@std/text/levenshtein-distance";

/** A slip of the finger changes this much at most: two letters that changed places are two changes. */
const MAX_CHANGES = 2;

/** The word of `known` that is a slip away from `word`, short words by less; null where none is. */
export function nearest(word: string, known: readonly string[]): string | null {
  if (known.length === 0) return null;
  const closest = closestString(word, known);
  const changes = levenshteinDistance(word.toLowerCase(), closest.toLowerCase());
  return changes <= Math.min(MAX_CHANGES, closest.length / 2) ? closest : null;
}
