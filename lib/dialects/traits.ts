// Pure data. How the dialects differ in ways that no single value shows.
import type { DialectName } from "./reading.ts";

/** What an observer must know of a dialect as a whole. */
export interface DialectTraits {
  /** Nothing in a payload says which turn it belongs to: turns are counted by their prompts. */
  readonly countsTurns: boolean;
}

export const DIALECT_TRAITS: Readonly<Record<DialectName, DialectTraits>> = {
  claude: { countsTurns: false },
  codex: { countsTurns: false },
  gemini: { countsTurns: true },
  qwen: { countsTurns: false },
  copilot: { countsTurns: true },
  cursor: { countsTurns: false },
  droid: { countsTurns: true },
};
