// Finds what is there without an owner, of the four kinds. It only looks; a look that fails finds
// nothing, because "unknown" is no reason to act.
import type { OrphanFact } from "../../core/patrol/orphan.ts";
import { runAggregate, runId } from "../../core/ids.ts";
import type { Queue } from "../../core/merge-queue/queue.ts";
import type { Project } from "../../core/project/project.ts";
import { isOver, type Run } from "../../core/run/run.ts";
import type { Store } from "../../ports/store.ts";
import type { Ports, ProjectPorts } from "../engine/ports.ts";
import { findClaims } from "./find-claims.ts";

/** Unseen for so many times the limit of a stale identity. */
const SILENT_TIMES = 2;

export type Found = {
  project: Project;
  runs: Run[];
  queue: Queue | undefined;
  ports: Ports;
  own: ProjectPorts;
  store: Pick<Store, "load">;
  /** Issues of others, and when that was last asked. */
  foreign: Map<string, number>;
};

export async function findOrphans(found: Found): Promise<OrphanFact[]> {
  return [
    ...(await findClaims(found)),
    ...(await identities(found)),
    ...(await entries(found)),
    ...(await sessions(found)),
  ];
}

async function runOf({ store, project }: Found, id: string): Promise<Run | undefined> {
  const state = (await store.load(runAggregate(project.name, runId(id))))?.state;
  return state?.kind === "run" ? state : undefined;
}

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

/**
 * A session with an attached person is never ended; one that is starting or ending has an owner.
 */
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
