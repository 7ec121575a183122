/** What `parseArgs` returns when every option is declared `string` or `boolean`. */
export interface Args {
  /** Positional arguments. */
  _: (string | number)[];
  /** Everything after `--`, when asked for. */
  "--"?: string[];
  [option: string]: unknown;
}
/** The options of `parseArgs` that vigil uses. */
export interface ParseOptions {
  "--"?: boolean;
  alias?: Readonly<Record<string, string | readonly string[]>>;
  boolean?: readonly string[];
  string?: readonly string[];
  collect?: readonly string[];
  negatable?: readonly string[];
  default?: Readonly<Record<string, unknown>>;
  stopEarly?: boolean;
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}
export declare function parseArgs(args: readonly string[], options?: ParseOptions): Args;
