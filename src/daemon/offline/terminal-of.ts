// What the terminal of a run showed last, where no daemon runs. The emulator is loaded only for a run
// whose agent crashed.
import { TERMINAL_SIZE } from "../../ports/terminal.ts";
import { ADAPTERS } from "../host/load-adapters.ts";
import type { Paths } from "../host/paths.ts";
import { CAUSE_MAX_BYTES, type Terminal } from "../views/crash-cause.ts";

export const terminalOf =
  (paths: Paths): Terminal =>
  async ({ project, id }) => {
    const { terminalLog } = await ADAPTERS.terminalLog();
    const logFile = paths.paneLog(project, id);
    return terminalLog({ logFile, maxBytes: CAUSE_MAX_BYTES, size: TERMINAL_SIZE });
  };
