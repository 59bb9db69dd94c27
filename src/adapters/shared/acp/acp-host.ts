// The program that runs in the pane of an agent that speaks the Agent Client Protocol.
import { runHostProgram } from "../agent-host/host-program.ts";
import { createAcpDriver } from "./acp-driver.ts";

await runHostProgram(createAcpDriver);
