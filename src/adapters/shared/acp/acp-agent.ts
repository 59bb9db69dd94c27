// The agent port of every program that speaks the Agent Client Protocol; a runtime adds its words.
import { fileURLToPath } from "node:url";
import type { Agent } from "../../../ports/agent.ts";
import { hostedAgent, type HostedProgram } from "../agent-host/hosted-agent.ts";
import type { LaunchRequest } from "../../../ports/agent.ts";
import { tooOld } from "../program-version.ts";
import type { AcpSettings } from "./acp-settings.ts";
import { COST_FILE } from "./meter.ts";

/** In the bundle, a program of its own beside all other files. */
const HOST = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./acp-host.ts" : "./acp-host.js", import.meta.url),
);

export type AcpProgram = Omit<HostedProgram, "host" | "settings" | "handsOn"> &
  Pick<AcpSettings, "tested" | "signIn"> & {
    settings: (request: LaunchRequest) => Omit<AcpSettings, "tested" | "signIn">;
  };

export function acpAgent({ tested, signIn, ...program }: AcpProgram): Agent {
  const about = {
    ...(tested === undefined ? {} : { tested }),
    ...(signIn === undefined ? {} : { signIn }),
  };
  return {
    ...hostedAgent({
      ...program,
      settings: (request) => ({ ...program.settings(request), ...about }),
      host: HOST,
      handsOn: COST_FILE,
    }),
    ...(tested === undefined ? {} : { problems: (request) => tooOld(request, tested) }),
  };
}
