// An identity as the registry shows it, derived from its run.
import type { AgentView } from "../../api/agents.ts";
import { waitsForBudget, nodeOf, refOf, type Run } from "../../core/run/run.ts";
import { newEvidence } from "../../core/session/evidence.ts";
import type { PastLife } from "../../core/session/past-life.ts";
import { symptomsOf, urgencyOf } from "../../core/session/context-use.ts";
import { isLive, type Session } from "../../core/session/session.ts";
import { agentName } from "./chosen-agent.ts";
import type { Paths } from "../host/paths.ts";

/** Green for the first part of the time after which an identity is stale: 2 of 5 minutes. */
const GREEN_PART = 0.4;

/** The same instants are written again with every sign of life. */
const known = new Map<number, string>();
const KNOWN_MAX = 1000;

export function iso(at: number): string {
  const before = known.get(at);
  if (before !== undefined) return before;
  if (known.size >= KNOWN_MAX) known.clear();
  const text = new Date(at).toISOString();
  known.set(at, text);
  return text;
}

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
    node_id: nodeOf(run) ?? null,
    bead_id: refOf(run),
    worktree_path: paths.workspace(run.project, run.identity),
    hook_path: hookPath(run, paths),
    created_at: iso(session.startedAt),
    last_seen: iso(session.lastSeen),
    last_progress: iso(session.lastProgress),
    status: statusOf(session),
    predecessor_id: session.predecessor ?? null,
    epoch: session.epoch,
    run: run.id,
    liveness: livenessOf(session, now - session.lastSeen, run.config.limits.staleMs),
    stage: run.stage.kind,
    phase: run.phase?.phase ?? null,
    verdict: session.verdict ?? null,
    waiting: waitingFor(run, now),
    agent: session.agent ?? agentName(run.config.agent),
    context: contextView(run),
    orphan: null,
  };
}

/** A life before the present one, as it was when it ended. */
export function pastView(
  run: Run,
  life: PastLife,
  context: { paths: Paths; now: number },
): AgentView | undefined {
  if (run.session === undefined) return undefined;
  const session: Session = { ...run.session, ...life, status: "ended", evidence: newEvidence() };
  const view = agentView({ ...run, session }, context);
  return view === undefined ? undefined : { ...view, stage: "ended", phase: null, waiting: null };
}

export const pastPath = (run: Run, life: PastLife, paths: Paths): string =>
  `${stateOf(run, paths)}/identities/${life.id}.json`;

const stateOf = (run: Run, paths: Paths): string => paths.state(run.project, run.config);

export const hookPath = (run: Run, paths: Paths): string =>
  `${stateOf(run, paths)}/hooks/${run.identity}.json`;

export const identityPath = (run: Run, paths: Paths): string =>
  `${stateOf(run, paths)}/identities/${run.identity}.json`;

const CI_STAGES: ReadonlySet<string> = new Set(["fetching", "publishing", "checking"]);

/** What keeps the agent from working, where something does. */
export function waitingFor(run: Run, now: number): string | null {
  const { stage, session } = run;
  if (run.held !== undefined) return `held by ${run.held.by}`;
  const { question, limit, waiting } = session?.evidence ?? {};
  if (question !== undefined) return "decision";
  if (limit !== undefined && limit.until > now) return `limit until ${iso(limit.until)}`;
  if (waitsForBudget(run)) return `budget until ${iso(run.closed?.until ?? now)}`;
  if (CI_STAGES.has(stage.kind)) return "ci";
  if (stage.kind === "reviewing" || stage.kind === "judging") return "review";
  if (stage.kind === "queued") return stage.out === true ? "human" : "queue";
  if (stage.kind === "escalated") return "human";
  return isLive(session) && waiting !== undefined ? "model" : null;
}

function contextView(run: Run): AgentView["context"] {
  const use = run.session?.evidence.context;
  if (use === undefined) return null;
  const { limits } = run.config;
  return {
    percent: use.percent ?? null,
    urgency: urgencyOf(use, limits),
    symptoms: symptomsOf(use),
  };
}

function statusOf(session: Session): AgentView["status"] {
  if (session.status === "spawning") return "starting";
  if (session.verdict === "handed_off") return "handed_off";
  if (session.verdict === "crashed") return "crashed";
  return session.status === "ended" || session.status === "ending" ? "terminated" : "active";
}

export function livenessOf(
  session: Pick<Session, "status">,
  unseenMs: number,
  staleMs: number,
): AgentView["liveness"] {
  if (session.status === "ended") return "red";
  if (unseenMs <= staleMs * GREEN_PART) return "green";
  return unseenMs <= staleMs ? "yellow" : "red";
}
