// Finds what is there without an owner, of the four kinds. It only looks; a look that fails finds
// nothing, because "unknown" is no reason to act.
import type { OrphanFact } from "../../core/patrol/orphan.ts";
import { runAggregate, runId } from "../../core/ids.ts";
import { LABELS } from "../../core/issue.ts";
import type { Queue } from "../../core/merge-queue/queue.ts";
import type { Project } from "../../core/project/project.ts";
import { isOver, type Run } from "../../core/run/run.ts";
import type { Store } from "../../ports/store.ts";
import type { Ports, ProjectPorts } from "../ports.ts";

/** Unseen for so many times the limit of a stale identity. */
const SILENT_TIMES = 2;

export type Found = {
  project: Project;
  runs: Run[];
  queue: Queue | undefined;
  ports: Ports;
  own: ProjectPorts;
  store: Pick<Store, "load">;
};

export async function findOrphans(found: Found): Promise<OrphanFact[]> {
  return [
    ...(await issues(found)),
    ...(await identities(found)),
    ...(await entries(found)),
    ...(await sessions(found)),
  ];
}

/** Only issues that this factory has worked on: others may be in somebody else's hands. */
async function issues(found: Found): Promise<OrphanFact[]> {
  const { project, own } = found;
  const taken = new Set([...project.active, ...project.leaving].map(({ issue }) => issue));
  const open = project.backlog.filter(
    ({ number, labels }) =>
      labels.includes(LABELS.inProgress) &&
      !labels.includes(LABELS.blocked) &&
      project.history[String(number)] !== undefined &&
      !taken.has(number),
  );
  if (open.length === 0) return [];
  const saved = new Set(await savedIdentities(own));
  const orphans: OrphanFact[] = [];
  for (const { number: issue, title } of open) {
    const { attempts = 1 } = project.history[String(issue)] ?? {};
    const ended = (await runOf(found, `${issue}.${attempts}`))?.outcome?.kind;
    const isSaved = own.checkpoints === undefined || saved.has(`dev-${issue}`);
    const lost = ended === undefined && !isSaved;
    orphans.push({ kind: "issue", key: `issue:${issue}`, issue, title, ended, lost });
  }
  return orphans;
}

async function runOf({ store, project }: Found, id: string): Promise<Run | undefined> {
  const state = (await store.load(runAggregate(project.name, runId(id))))?.state;
  return state?.kind === "run" ? state : undefined;
}

const savedIdentities = async ({ checkpoints }: ProjectPorts): Promise<string[]> =>
  (await checkpoints?.identities()) ?? [];

async function identities({ runs, ports }: Found): Promise<OrphanFact[]> {
  const silent: OrphanFact[] = [];
  const now = ports.clock.now();
  for (const { session, identity, id: run, config } of runs) {
    if (session?.status !== "live" || session.process === undefined) continue;
    if (now - session.lastSeen <= SILENT_TIMES * config.limits.staleMs) continue;
    silent.push({ kind: "identity", key: `identity:${identity}:${session.epoch}`, identity, run });
  }
  return silent;
}

async function entries(found: Found): Promise<OrphanFact[]> {
  const orphans: OrphanFact[] = [];
  for (const { id: entry, run, branch } of found.queue?.entries ?? []) {
    if (run === undefined) continue;
    const state = await runOf(found, run);
    if (state !== undefined && !isOver(state)) continue;
    orphans.push({ kind: "entry", key: `entry:${entry}`, entry, branch, run });
  }
  return orphans;
}

/** A person who sits there is never ended; a life that is just starting or ending is somebody's. */
async function sessions(found: Found): Promise<OrphanFact[]> {
  const panes = await found.ports.terminal.panes();
  const orphans: OrphanFact[] = [];
  for (const { marks, attached, tmuxSession } of panes === "unknown" ? [] : panes) {
    if (marks?.project !== found.project.name || attached) continue;
    const { run: id, epoch } = marks;
    const run = await runOf(found, id);
    const outlived = run === undefined || isOver(run) || epoch < run.epoch;
    if (!outlived || isHeld(run)) continue;
    orphans.push({ kind: "session", key: `session:${id}:${epoch}`, run: id, epoch, tmuxSession });
  }
  return orphans;
}

const isHeld = (run: Run | undefined): boolean => run?.held !== undefined;
