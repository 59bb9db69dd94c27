// The host of Codex: runs in the pane, outlives the daemon.
import { runHostProgram } from "../shared/agent-host/host-program.ts";
import { CodexDriver } from "./codex-driver.ts";

await runHostProgram((options) => new CodexDriver(options));
