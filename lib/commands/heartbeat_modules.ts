// Pure data. The code of the heartbeat's commands, by name: all that a bare command needs of the table.
import type { CommandModule } from "./table.ts";

export const HEARTBEAT_MODULES = {
  write: () => import("./heartbeat_write.ts"),
  check: () => import("./heartbeat_check.ts"),
  report: () => import("./heartbeat_report.ts"),
  clear: () => import("./heartbeat_clear.ts"),
} satisfies Readonly<Record<string, () => Promise<CommandModule>>>;
