// An identity as the registry shows it, derived from its run.
import { join } from "node:path";
import type { AgentView } from "../../api/agents.ts";
import type { Run } from "../../core/run/run.ts";
import type { Session } from "../../core/session/session.ts";
import type { Paths } from "../paths.ts";

const GREEN_MS = 2 * 60_000;
const YELLOW_MS = 5 * 60_000;

export const iso = (at: number): string => new Date(at).toISOString();

export function agentView(run: Run, context: { paths: Paths; now: number }): AgentView | undefined {
  const { session } = run;
  if (session === undefined) return undefined;
  const { paths, now } = context;
  return {
    role: run.role,
    name: run.name,
    identity: run.identity,
    project: run.project,
    session_id: session.id,
    pid: session.process?.pid ?? null,
    tmux_session: session.pane?.tmuxSession ?? null,
    node_id: null,
    bead_id: String(run.issue.number),
    worktree_path: paths.workspace(run.project, run.identity),
    hook_path: join(paths.state(run.project), "hooks", `${run.identity}.json`),
    created_at: iso(session.startedAt),
    last_seen: iso(session.lastSeen),
    status: statusOf(session),
    predecessor_id: session.predecessor ?? null,
    epoch: session.epoch,
    run: run.id,
    liveness: livenessOf(session, now),
    stage: run.stage.kind,
    phase: run.phase?.phase ?? null,
  };
}

function statusOf(session: Session): AgentView["status"] {
  if (session.verdict === "handed_off") return "handed_off";
  if (session.verdict === "crashed") return "crashed";
  return session.status === "ended" || session.status === "ending" ? "terminated" : "active";
}

function livenessOf(session: Session, now: number): AgentView["liveness"] {
  if (session.status === "ended") return "red";
  const silentMs = now - session.lastSeen;
  if (silentMs <= GREEN_MS) return "green";
  return silentMs <= YELLOW_MS ? "yellow" : "red";
}
