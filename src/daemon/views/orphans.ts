// What lives without an owner: sessions and processes of this factory that no run knows, and
// identities that count as active although their process is gone.
import type { AgentView } from "../../api/agents.ts";
import { projectName, runId, sessionId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { isLive } from "../../core/session/session.ts";
import type { LifeMarks } from "../../ports/terminal.ts";
import type { Paths } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";
import { agentView, iso } from "./agents.ts";

/** Something that runs and says whose it is. */
export type FoundLife = { marks: LifeMarks; tmuxSession: string | null; pid: number | null };

export async function orphans(
  runs: Run[],
  context: { ports: Ports; paths: Paths },
): Promise<AgentView[]> {
  const strangers = strangersAmong(await findLives(context), runs);
  return [
    ...(await gone(runs, context)),
    ...strangers.map((found) => strangerView(found, context)),
  ];
}

/** Those that no run counts as its living session. */
export function strangersAmong(lives: FoundLife[], runs: Run[]): FoundLife[] {
  const owned = new Set(runs.flatMap((run) => (isLive(run.session) ? [lifeOf(run)] : [])));
  return lives.filter(({ marks }) => !owned.has(nameOf(marks)));
}

const lifeOf = (run: Run): string =>
  nameOf({ project: run.project, run: run.id, epoch: run.session?.epoch ?? 0 });

const nameOf = ({ project, run, epoch }: LifeMarks): string => `${project}/${run}/${epoch}`;

/** Panes first: a process in one of them is the same life, and is named only once. */
export async function findLives({
  ports,
  paths,
}: {
  ports: Ports;
  paths: Paths;
}): Promise<FoundLife[]> {
  const panes = await ports.terminal.panes();
  const processes = await ports.terminal.marked(paths.home);
  const found = new Map<string, FoundLife>();
  for (const { marks, tmuxSession } of panes === "unknown" ? [] : panes) {
    // Sessions of `pawl tmux-wrapper` have no run: the program that spawned them manages them.
    if (marks === undefined || marks.project.startsWith("monitor:")) continue;
    found.set(nameOf(marks), { marks, tmuxSession, pid: null });
  }
  for (const { marks, pid } of processes === "unknown" ? [] : processes) {
    const known = found.get(nameOf(marks));
    found.set(nameOf(marks), {
      marks,
      tmuxSession: known?.tmuxSession ?? null,
      pid: known?.pid ?? pid,
    });
  }
  return [...found.values()];
}

async function gone(
  runs: Run[],
  { ports, paths }: { ports: Ports; paths: Paths },
): Promise<AgentView[]> {
  const found: AgentView[] = [];
  for (const run of runs) {
    const { session } = run;
    if (session?.status !== "live" || session.process === undefined) continue;
    if ((await ports.terminal.probe(session.process)) !== "dead") continue;
    const view = agentView(run, { paths, now: ports.clock.now() });
    if (view !== undefined) found.push({ ...view, orphan: "process-gone", liveness: "red" });
  }
  return found;
}

function strangerView(
  { marks, tmuxSession, pid }: FoundLife,
  { ports, paths }: { ports: Ports; paths: Paths },
): AgentView {
  const now = iso(ports.clock.now());
  const identity = tmuxSession ?? `run-${marks.run}`;
  return {
    role: "unknown",
    name: identity,
    identity,
    project: marks.project,
    session_id: sessionId(projectName(marks.project), identity, marks.epoch),
    pid,
    tmux_session: tmuxSession,
    node_id: null,
    bead_id: null,
    worktree_path: paths.run(projectName(marks.project), runId(marks.run)),
    hook_path: null,
    created_at: now,
    last_seen: now,
    last_progress: now,
    status: "active",
    predecessor_id: null,
    epoch: marks.epoch,
    run: marks.run,
    liveness: "red",
    stage: "none",
    phase: null,
    verdict: null,
    waiting: null,
    context: null,
    orphan: "no-run",
  };
}
