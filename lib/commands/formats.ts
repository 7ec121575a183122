// Pure data. What each command can print, the default first. The compiler asks for the code of every name here.
import type { OptionRow } from "./table.ts";

/** The formats of `observe`. */
export const OBSERVE_FORMATS = {
  text: "default",
  json: "a transition a line",
  trace: "for Perfetto",
  otlp: "for an OpenTelemetry Collector",
} as const;
/** One of them. */
export type ObserveFormat = keyof typeof OBSERVE_FORMATS;

/** The formats of `sessions`. */
export const SESSIONS_FORMATS = {
  text: "default",
  json: "an object a line",
  prometheus: "metrics over all",
} as const;
/** One of them. */
export type SessionsFormat = keyof typeof SESSIONS_FORMATS;

/** The formats of `coverage`. */
export const COVERAGE_FORMATS = {
  text: "default",
  json: "an object a line",
  markdown: "docs/coverage.md",
} as const;
/** One of them. */
export type CoverageFormat = keyof typeof COVERAGE_FORMATS;

/** The option that chooses among `formats`. */
export function formatOption(formats: Readonly<Record<string, string>>): OptionRow {
  return {
    name: "format",
    value: "FORMAT",
    choices: Object.keys(formats),
    summary: Object.entries(formats).map(([name, what]) => `${name} (${what})`).join(", "),
  };
}
