// Where a run stands, in the words of `pawl why`: a person reads them who knows no stage by its name.
import { shownRef, type Run } from "../../core/run/run.ts";
import type { WorkPhase } from "../../core/session/hook.ts";
import type { EffectKind } from "../../core/effect.ts";
import type { Verdict } from "../../core/session/session.ts";

const STAGES: Readonly<Record<Run["stage"]["kind"], string>> = {
  claiming: "is claiming its issue",
  preparing: "waits for its workspace",
  working: "is being worked on by its agent",
  fetching: "waits while Pawl fetches its branch",
  publishing: "waits while Pawl publishes its branch",
  checking: "waits for CI",
  reviewing: "waits for a review",
  queued: "is in the merge queue",
  judging: "waits until its answer is judged",
  escalated: "waits for a person",
  landed: "has landed and is being cleaned up",
  blocking: "is being ended without landing",
  ended: "has ended",
};

export const standing = (run: Run): string => {
  const isHalted = run.stopped !== undefined && run.stage.kind === "working";
  return `run ${run.id} of ${shownRef(run)} ${isHalted ? "is stopped" : STAGES[run.stage.kind]}`;
};

const ENDS: Readonly<Record<Verdict, string>> = {
  completed: "has ended by itself",
  incomplete: "has ended before its work was done",
  crashed: "has crashed",
  stuck: "was stuck and has been ended",
  timeout: "took too long and has been ended",
  not_found: "has disappeared",
  handed_off: "has handed over to a successor",
  killed: "has been ended",
  blocked: "could not start",
};

/** By the name that `pawl agents` lists it under. */
export function agentStanding({ session, identity }: Run): string {
  if (session === undefined) return "no agent has been started yet";
  return `its agent (${identity}) ${stateOf(session)}`;
}

function stateOf({ status, verdict }: NonNullable<Run["session"]>): string {
  switch (status) {
    case "spawning":
      return "is being started";
    case "live":
      return "is running";
    case "ending":
      return "is being ended";
    case "ended":
      return verdict === undefined ? "has ended" : ENDS[verdict];
  }
}

/** What the probe names by the kernel's words (`man 7 namespaces`). */
const WALLS: Readonly<Record<string, string>> = {
  pid: "processes",
  ipc: "shared memory",
  uts: "host name",
  mnt: "mounts",
  user: "users",
  net: "network",
  system: "the system",
};

/** Without walls that are known to hold, nothing is said of them. */
export function wallLines({ session, config }: Run): string[] {
  const { walls, status } = session ?? {};
  if (walls === undefined || status === "ended") return [];
  const held = walls.map((name) => WALLS[name] ?? name).join(", ");
  return [`walls: ${config.isolation?.mode}; checked before the start: they isolate ${held}`];
}

/** Of a run without an agent, or one that a person stopped, no report is expected. */
export function lastReport({ phase, stopped, session }: Run): string[] {
  if (phase !== undefined) return [`the agent's last report: PHASE:${phase.phase}`];
  return stopped === undefined && session !== undefined
    ? ["the agent has not reported yet that it is done or needs help"]
    : [];
}

const SEEN_DOING: Readonly<Record<WorkPhase, string | undefined>> = {
  // Every run begins with it, so that it says nothing.
  investigation: undefined,
  planning: "making a plan",
  implementation: "changing files",
  testing: "running tests",
  completion: "completing its work",
};

/** What its tool calls show, or what it said itself with `pawl hook set`. */
export function seenDoing({ hook }: Run): string {
  const doing = SEEN_DOING[hook.workPhase];
  return doing === undefined ? "" : ` (${doing})`;
}

/** Where the name of the effect is not what a person would call it. */
const TO_DO: Readonly<Partial<Record<EffectKind, string>>> = {
  "spawn-session": "start the agent",
  "end-session": "end the agent",
  "look-at-session": "look at the agent",
  "unlink-phase": "remove the link to its phase file",
};

export const toDo = (kind: EffectKind): string => TO_DO[kind] ?? kind.replaceAll("-", " ");
