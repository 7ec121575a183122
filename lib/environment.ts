// Pure. The environment variables vigil reads, and the only ones the binary is allowed to.
import { AGENT_ENVIRONMENT } from "./heartbeat/agents.ts";

/** Names read by the commands themselves. */
const OWN_NAMES = ["HOME", "JSC_HOME", "JSC_ASSISTANT_HEARTBEAT_TTL", "JSC_CLI", "JSC_SESSION", "NO_COLOR", "COLUMNS"];

/** Every name, once: `tools/compile.ts` grants these and no others. */
export const ENVIRONMENT_NAMES: readonly string[] = [
  ...new Set([...OWN_NAMES, ...AGENT_ENVIRONMENT.flatMap((row) => [...row.identify, ...row.session])]),
].sort();
