// Pure data. The shells that there is a completion script for.

/** By the names that `vigil completions` takes. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** One of them. */
export type Shell = (typeof SHELLS)[number];
