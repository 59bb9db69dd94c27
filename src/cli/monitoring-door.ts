// The one door from the monitoring commands to what does their work. They need no daemon:
// sessions, their folders and git are looked at directly. Each part is loaded when it is used.
import type { Deps } from "./deps.ts";

export { MONITORED_AGENTS } from "../daemon/monitoring/monitored-agents.ts";
export type { StateFile } from "../daemon/monitoring/state-files.ts";

export const openPlaceFor = async (deps: Deps, projectRoot?: string) => {
  const { openPlace } = await import("../daemon/monitoring/monitor-place.ts");
  return openPlace({ env: deps.env, cwd: deps.cwd, projectRoot });
};

export const spawning = () => import("../daemon/monitoring/spawn-session.ts");
export const building = () => import("../daemon/monitoring/build-command.ts");
export const stored = () => import("../daemon/monitoring/stored-sessions.ts");
export const monitoring = () => import("../daemon/monitoring/monitor-session.ts");
export const checking = () => import("../daemon/monitoring/check-status.ts");
export const orchestrating = () => import("../daemon/monitoring/orchestrate.ts");
export const verifying = () => import("../daemon/monitoring/verify-step.ts");
export const parsing = () => import("../daemon/monitoring/parse-output.ts");
export const stateFiles = () => import("../daemon/monitoring/state-files.ts");
export const aboutStories = () => import("../daemon/monitoring/stories.ts");
export const marking = () => import("../daemon/monitoring/marker.ts");
