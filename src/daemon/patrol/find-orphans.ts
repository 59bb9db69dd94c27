// Finds what is there without an owner, of the four kinds. It only looks; a look that fails finds
// nothing, because "unknown" is no reason to act.
import type { OrphanFact } from "../../core/patrol/orphan.ts";
import { LABELS } from "../../core/issue.ts";
import type { Queue } from "../../core/merge-queue/queue.ts";
import type { Project } from "../../core/project/project.ts";
import { isOver, type Run } from "../../core/run/run.ts";
import { issueOf } from "../../core/run/work.ts";
import type { Ports, ProjectPorts } from "../ports.ts";

/** Unseen for so many times the limit of a stale identity. */
const SILENT_TIMES = 2;

export type Found = {
  project: Project;
  runs: Run[];
  queue: Queue | undefined;
  ports: Ports;
  own: ProjectPorts;
};

export async function findOrphans(found: Found): Promise<OrphanFact[]> {
  return [
    ...(await issues(found)),
    ...(await identities(found)),
    ...entries(found),
    ...(await sessions(found)),
  ];
}

/** Only issues that this factory has worked on: others may be in somebody else's hands. */
async function issues({ project, own, runs }: Found): Promise<OrphanFact[]> {
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
  return open.map(({ number: issue, title }) => {
    const last = runs
      .filter((run) => issueOf(run) === issue)
      .toSorted((a, b) => a.attempt - b.attempt)
      .at(-1);
    const ended = last?.outcome?.kind;
    const isSaved = own.checkpoints === undefined || saved.has(`dev-${issue}`);
    const lost = ended === undefined && !isSaved;
    return { kind: "issue", key: `issue:${issue}`, issue, title, ended, lost };
  });
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

function entries({ queue, runs }: Found): OrphanFact[] {
  const working = new Set(runs.filter((run) => !isOver(run)).map(({ id }) => id));
  return (queue?.entries ?? []).flatMap(({ id: entry, run, branch }) =>
    run === undefined || working.has(run)
      ? []
      : [{ kind: "entry", key: `entry:${entry}`, entry, branch, run }],
  );
}

/** A person who sits there is never ended; a life that is just starting or ending is somebody's. */
async function sessions({ project, runs, ports }: Found): Promise<OrphanFact[]> {
  const panes = await ports.terminal.panes();
  if (panes === "unknown") return [];
  const byId = new Map(runs.map((run) => [run.id as string, run]));
  return panes.flatMap(({ marks, attached, tmuxSession }): OrphanFact[] => {
    if (marks?.project !== project.name || attached) return [];
    const run = byId.get(marks.run);
    const outlived = run === undefined || isOver(run) || marks.epoch < run.epoch;
    if (!outlived || isHeld(run)) return [];
    const { run: id, epoch } = marks;
    return [{ kind: "session", key: `session:${id}:${epoch}`, run: id, epoch, tmuxSession }];
  });
}

const isHeld = (run: Run | undefined): boolean => run?.held !== undefined;
