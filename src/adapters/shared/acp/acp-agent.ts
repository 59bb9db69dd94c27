// The agent port of every program that speaks the Agent Client Protocol; a runtime adds its words.
import { fileURLToPath } from "node:url";
import type { Agent } from "../../../ports/agent.ts";
import { hostedAgent, type HostedProgram } from "../agent-host/hosted-agent.ts";
import type { LaunchRequest } from "../../../ports/agent.ts";
import type { AcpSettings } from "./acp-settings.ts";

/** In the bundle, a program of its own beside all other files. */
const HOST = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./acp-host.ts" : "./acp-host.js", import.meta.url),
);

export type AcpProgram = Omit<HostedProgram, "host" | "settings"> & {
  settings: (request: LaunchRequest) => AcpSettings;
};

export const acpAgent = (program: AcpProgram): ReturnType<typeof hostedAgent> & Agent =>
  hostedAgent({ ...program, host: HOST });
