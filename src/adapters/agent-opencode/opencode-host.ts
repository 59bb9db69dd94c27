// The host of opencode: runs in the pane, outlives the daemon.
import { runHostProgram } from "../shared/agent-host/host-program.ts";
import { OpencodeDriver } from "./opencode-driver.ts";

await runHostProgram((options) => new OpencodeDriver(options));
