// Pure. The environment variables vigil reads, and the only ones the binary is allowed to.
import { AGENT_ENVIRONMENT } from "./heartbeat/agents.ts";

/** One variable and what it is for. */
export interface VariableRow {
  readonly name: string;
  readonly summary: string;
}

/** Read by the commands themselves, and documented: the agents' own are in their own table. */
export const OWN_VARIABLES: readonly VariableRow[] = [
  { name: "JSC_HOME", summary: "the folder everything of vigil lies in; unset or empty: $HOME/.jsc" },
  { name: "HOME", summary: "read where JSC_HOME is not set" },
  {
    name: "JSC_ASSISTANT_HEARTBEAT_TTL",
    summary: "for how many seconds a heartbeat is fresh; anything but a positive whole number counts as unset: 300",
  },
  { name: "JSC_CLI", summary: "which agent writes the heartbeat, above what its own variables say" },
  { name: "JSC_SESSION", summary: "which session writes the heartbeat, above what the agent's own variables say" },
  { name: "NO_COLOR", summary: "not empty: no color on a terminal" },
];

/** Every name, once: `tools/compile.ts` grants these and no others. */
export const ENVIRONMENT_NAMES: readonly string[] = [
  ...new Set([
    ...OWN_VARIABLES.map((row) => row.name),
    ...AGENT_ENVIRONMENT.flatMap((row) => [...row.identify, ...row.session]),
  ]),
].sort();
