// Routes about the merge queue: look, add, remove, approve, pause, resume, explain.
import type { Hono } from "hono";
import { z } from "zod";
import {
  entryPrioritySchema,
  entryWishSchema,
  newEntriesSchema,
  type AddedEntries,
  type QueueView,
  type ResumedView,
} from "../../api/queue.ts";
import { entryName, findEntry } from "../../api/queue-names.ts";
import type { QueueEvent } from "../../core/merge-queue/queue-event.ts";
import { projectAggregate, queueAggregate, type Commit } from "../../core/ids.ts";
import { isLanding, type Entry, type Queue } from "../../core/merge-queue/queue.ts";
import { isActive } from "../../core/run/run.ts";
import { assert } from "../../lib/assert.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Git } from "../../ports/git.ts";
import { livingRuns } from "../views/find-runs.ts";
import { explainView, queueView, removedNext } from "../views/queue.ts";
import { bodyOf, engineOf, loadProject, projectFor, type Request, type Routes } from "./context.ts";

export function addQueue(app: Hono, routes: Routes): void {
  app.get("/v1/queue", async (context) => {
    const queue = await queueOf(routes, context);
    const removing = removedNext(queue, await routes.store.outbox());
    return context.json({ ...viewOf(routes, queue), removing });
  });

  app.get("/v1/queue/:entry/explain", async (context) => {
    const queue = await queueOf(routes, context);
    const all: Entry[] = [...queue.past, ...queue.entries];
    const { id } = findEntry(all, context.req.param("entry"), (entry) => entry);
    return context.json(explainView(queue, id, { isAtWork: routes.daemon !== null }));
  });

  app.post("/v1/queue/entries", async (context) => context.json(await addEntries(routes, context)));

  app.post("/v1/queue/remove", async (context) => {
    const { entry, by } = await bodyOf(context, entryWishSchema);
    const queue = await queueOf(routes, context);
    const { id, branch } = listedEntry(queue, entry);
    const at = routes.ports.clock.now();
    const after = await submitted(routes, queue, { kind: "entry-removed", at, entry: id, by });
    if (isLanding(after, id)) throw isBeingLanded(branch);
    return context.json(viewOf(routes, after));
  });

  app.post("/v1/queue/approve", async (context) => {
    const { entry, by } = await bodyOf(context, entryWishSchema);
    const queue = await queueOf(routes, context);
    const { id, head, branch, changesPolicy } = waitingEntry(queue, entry);
    if (!changesPolicy) throw nothingToApprove(branch);
    const at = routes.ports.clock.now();
    const approved = { kind: "entry-approved", at, entry: id, head, by } as const;
    return context.json(viewOf(routes, await submitted(routes, queue, approved)));
  });

  app.post("/v1/queue/priority", async (context) => {
    const { entry, priority } = await bodyOf(context, entryPrioritySchema);
    const queue = await queueOf(routes, context);
    const { run, identity, branch, head, pr, issue, title, after } = waitingEntry(queue, entry);
    const at = routes.ports.clock.now();
    // Asking again for the same head changes nothing but its priority.
    const same = { run, identity, branch, head, pr, issue, title, after };
    const asked = { kind: "entry-requested", at, entry: { ...same, priority } } as const;
    return context.json(viewOf(routes, await submitted(routes, queue, asked)));
  });

  app.post("/v1/queue/resume", async (context) => {
    const { by } = await bodyOf(context, z.object({ by: z.string() }));
    return context.json(await resumed(routes, await queueOf(routes, context), by));
  });

  app.post("/v1/queue/pause", async (context) => {
    const body = await bodyOf(context, z.object({ by: z.string(), why: z.string() }));
    const queue = await queueOf(routes, context);
    const at = routes.ports.clock.now();
    const after = await submitted(routes, queue, { kind: "queue-paused", at, ...body });
    return context.json(viewOf(routes, after));
  });
}

async function queueOf(routes: Routes, context: Request): Promise<Queue> {
  const project = await projectFor(routes, context);
  const stored = await routes.store.load(queueAggregate(project.name));
  assert(stored?.state.kind === "queue", `project ${project.name} has no merge queue`);
  return stored.state;
}

/**
 * Acknowledges the pushes past the queue that are said. Where there are some, a pause of the operator
 * stays: it has a reason of its own.
 */
async function resumed(routes: Routes, queue: Queue, by: string): Promise<ResumedView> {
  const { outside = [] } = await loadProject(routes, queue.project);
  const acknowledged = outside.filter((one) => !one.acknowledged).map(({ commit }) => commit);
  const at = routes.ports.clock.now();
  const to = projectAggregate(queue.project);
  await engineOf(routes).loop.submit({ to, event: { kind: "outside-acknowledged", at } });
  const stays = acknowledged.length > 0 && queue.paused !== undefined;
  const after = stays ? queue : await submitted(routes, queue, { kind: "queue-resumed", at, by });
  return { ...viewOf(routes, after), acknowledged };
}

const viewOf = (routes: Routes, queue: Queue): QueueView => queueView(queue, routes);

/** The queue after the events. They are given to the loop together: it commits them together. */
async function submitted(routes: Routes, queue: Queue, ...events: QueueEvent[]): Promise<Queue> {
  const to = queueAggregate(queue.project);
  const { loop } = engineOf(routes);
  await Promise.all(events.map((event) => loop.submit({ to, event })));
  const stored = await routes.store.load(to);
  assert(stored?.state.kind === "queue", `project ${queue.project} has no merge queue`);
  return stored.state;
}

/**
 * Branches that no run owns: all of them are fetched into the hub and queued as they are, or none. Those
 * that have landed already are left out.
 */
async function addEntries(routes: Routes, context: Request): Promise<AddedEntries> {
  const { branches: named, priority, after } = await bodyOf(context, newEntriesSchema);
  const branches = [...new Set(named)];
  const queue = await queueOf(routes, context);
  refuse(branches, await notAllowed(routes, queue, branches));
  const { git } = await routes.ports.project(queue.project);
  await git.fetchTarget();
  const adopted = await git.adoptBranches({ branches });
  const found = branches.flatMap((branch, index) => {
    const one = adopted[index];
    return one === undefined ? [] : [{ ...one, branch }];
  });
  const gone = branches.filter((_branch, index) => adopted[index] === undefined);
  const removed = await Promise.all(gone.map((branch) => landingOf(queue, { branch }, git)));
  refuse(branches, gone.filter((_branch, index) => removed[index] === undefined).map(noBranch));
  const landings = await Promise.all(found.map(({ head }) => landingOf(queue, { head }, git)));
  const refused = [
    ...gone.flatMap((branch, index) => leftOut(branch, removed[index], HOW_TO_CREATE)),
    ...found.flatMap(({ branch }, index) => leftOut(branch, landings[index], HOW_TO_LAND_AGAIN)),
  ];
  if (refused.length === branches.length) refuse(branches, refused);
  const wanted = found.filter((_one, index) => landings[index] === undefined);
  refuse(branches, await tooLarge(routes, queue, wanted));
  const owner = { run: undefined, identity: undefined, pr: undefined, issue: undefined };
  const at = routes.ports.clock.now();
  const asked = wanted.map(({ branch, head, subject }): QueueEvent => {
    const entry = { ...owner, branch, head, title: subject, priority, after };
    return { kind: "entry-requested", at, entry };
  });
  const queued = await submitted(routes, queue, ...asked);
  const { entries, past } = viewOf(routes, queued);
  const added = wanted.map(({ branch, from }) => {
    const row = [...past, ...entries].findLast((one) => one.branch === branch);
    assert(row !== undefined, `${branch} was queued and is not in the queue`);
    return { entry: row, from };
  });
  return { added, refused: refused.map(({ message }) => message) };
}

type LandedEntry = { id: number; commit: Commit };

/**
 * How this commit landed, or the branch that is gone, if it did and is still on the target: a person
 * may have reset it since.
 */
async function landingOf(
  queue: Queue,
  of: { head: Commit } | { branch: string },
  git: Git,
): Promise<LandedEntry | undefined> {
  const isIt = (past: Entry) => ("head" in of ? past.head === of.head : past.branch === of.branch);
  const entry = queue.past.findLast((past) => isIt(past) && past.end.kind === "merged");
  if (entry?.end.kind !== "merged") return undefined;
  const { commit } = entry.end;
  const changes = await git.changesOf({ head: commit, maxBytes: 0 });
  return changes?.files.length === 0 ? { id: entry.id, commit } : undefined;
}

/** One error for all that is wrong, so that a person can fix everything at once. */
function refuse(branches: string[], problems: OperationError[]): void {
  const [first] = problems;
  if (first === undefined) return;
  if (branches.length === 1) throw first;
  const why = problems.map((problem) => problem.message).join("; ");
  const hint = "leave these out, or see `pawl merge-queue add --help`";
  throw new OperationError(`none of the ${branches.length} branches was queued: ${why}`, {
    code: first.code,
    hint,
  });
}

const BYTES_PER_MB = 1_000_000;

/** The same limit as for an agent's branch, which is refused before it is checked. */
async function tooLarge(
  routes: Routes,
  { project }: Queue,
  found: { branch: string; bytes: number }[],
): Promise<OperationError[]> {
  const maxMb = (await loadProject(routes, project)).config?.limits.branchMaxMb ?? Infinity;
  return found
    .filter(({ bytes }) => bytes > maxMb * BYTES_PER_MB)
    .map(({ branch, bytes }) => {
      const mb = Math.ceil(bytes / BYTES_PER_MB);
      return new OperationError(
        `cannot queue ${branch}: it adds ${mb} MB to the repository, and [limits] branch_mb allows ${maxMb}`,
        { code: "branch-too-large", hint: "make it smaller, or raise branch_mb in pawl.toml" },
      );
    });
}

async function notAllowed(
  routes: Routes,
  { project }: Queue,
  branches: string[],
): Promise<OperationError[]> {
  const stored = (await routes.store.load(`project:${project}`))?.state;
  const target = stored?.kind === "project" ? stored.config?.target : undefined;
  const active = (await livingRuns(routes.store, project)).filter(isActive);
  return branches.flatMap((branch) => {
    if (branch === target) {
      return new OperationError(`cannot queue ${branch}: it is the target itself`, {
        code: "usage",
      });
    }
    const owner = active.find((run) => run.branch === branch);
    if (owner === undefined) return [];
    return new OperationError(`cannot queue ${branch}: run ${owner.id} works on it`, {
      code: "branch-owned",
      hint: "Pawl queues it when CI has passed and, if required, a review has approved it",
    });
  });
}

const HOW_TO_LAND_AGAIN =
  "how; a new commit on it can be queued: after a revert, `git commit --allow-empty`";

/** Pawl removes a branch that has landed. */
const HOW_TO_CREATE = "how, and from which commit you can create the branch again";

function leftOut(
  branch: string,
  landing: LandedEntry | undefined,
  explained: string,
): OperationError[] {
  if (landing === undefined) return [];
  const name = entryName(landing.id);
  const landed = `it has landed already as ${landing.commit.slice(0, 10)} (entry ${name})`;
  return [
    new OperationError(`cannot queue ${branch}: ${landed}`, {
      code: "landed",
      hint: `\`pawl merge-queue explain ${name}\` says ${explained}`,
    }),
  ];
}

const noBranch = (branch: string): OperationError =>
  new OperationError(`cannot queue ${branch}: neither upstream nor your repository has it`, {
    code: "branch-missing",
    hint: "push it, or look at `git branch --list`",
  });

const isBeingLanded = (branch: string): OperationError =>
  new OperationError(`cannot take ${branch} out of the queue: it is landing right now`, {
    code: "landing",
    hint: "look again with `pawl merge-queue list --state all`",
  });

const nothingToApprove = (branch: string): OperationError =>
  new OperationError(`there is nothing to approve in ${branch}: it changes no protected file`, {
    code: "nothing-to-approve",
    hint: "`pawl merge-queue explain` says what it waits for",
  });

const waitingEntry = ({ entries }: Queue, id: number): Entry =>
  findEntry(entries, entryName(id), (entry) => entry);

/** Waiting, or sent back and still listed. */
function listedEntry(queue: Queue, id: number): Entry {
  const back = queue.past.find((entry) => entry.id === id && entry.end.kind === "returned");
  return back ?? waitingEntry(queue, id);
}
