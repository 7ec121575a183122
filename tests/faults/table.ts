// Every fault that is tried on the binary, group by group.
import type { FaultTable } from "./fault.ts";
import { CLOCKS } from "./clocks.ts";
import { DISKS } from "./disks.ts";
import { INPUTS } from "./inputs.ts";
import { PIPES } from "./pipes.ts";
import { SIGNALS } from "./signals.ts";

export const FAULTS: FaultTable = {
  "Killed and stopped": SIGNALS,
  "Disks, mounts and rights": DISKS,
  "Clocks": CLOCKS,
  "Pipes": PIPES,
  "Input": INPUTS,
};
