// Pure. One JSON object a line, whole: the format for programs.
import type { TransitionFormat } from "./format.ts";

/**
 * JSON lines. Keys stand in the order of `SessionTransition`; a lone surrogate is written as its `\uXXXX` escape, so a
 * line is always valid UTF-8. A snapshot is told from a transition by its `openEntries` key.
 */
export const jsonFormat: TransitionFormat = {
  transition: (transition) => `${JSON.stringify(transition)}\n`,
  snapshot: (snapshot) => `${JSON.stringify(snapshot)}\n`,
};
