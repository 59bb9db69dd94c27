// Routes about CI: the last check of each run, its logs, what failed.
import type { Hono } from "hono";
import type { CheckLogsView } from "../../api/checks.ts";
import { entryNamed } from "../../api/queue-names.ts";
import { queueAggregate } from "../../core/ids.ts";
import type { Entry, PastEntry, Queue } from "../../core/merge-queue/queue.ts";
import type { Run } from "../../core/run/run.ts";
import { assert } from "../../lib/assert.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { compareKeys } from "../../store/key-order.ts";
import { checkView, hasResult, queueCheckView } from "../views/checks.ts";
import { logsOfEntry, logsOfRun, logsOfTarget, type KeptLog } from "../views/check-logs.ts";
import { TARGET_REF } from "../views/ground.ts";
import { endedRuns, livingRuns, runNamed } from "../views/find-runs.ts";
import { projectFor, runFor, type Request, type Routes } from "./context.ts";
import { page } from "./paging.ts";

const LOG_MAX_BYTES = 2_000_000;
/** So many runs that ended last are listed. */
const ENDED_MAX = 100;

export function addChecks(app: Hono, routes: Routes): void {
  app.get("/v1/checks", async (context) => {
    const project = await projectFor(routes, context);
    const { name } = project;
    const ended = await endedRuns(routes.store, { project: name, limit: ENDED_MAX });
    const views = [...ended, ...(await livingRuns(routes.store, name))]
      .toSorted((a, b) => compareKeys(a.id, b.id))
      .map(checkView);
    const checked = views.filter((view) => view.state !== "none");
    return page(context, checked, ({ run }) => run);
  });

  app.get("/v1/checks/:ref", async (context) => {
    const { run, tried } = await named(routes, context);
    // What the queue found with a branch that a person added; without it, the error names the runs.
    const entry = run === undefined ? (tried.find(hasResult) ?? tried[0]) : undefined;
    const view =
      entry === undefined
        ? checkView(run ?? (await runFor(routes, context)))
        : queueCheckView(entry);
    return context.json(view);
  });

  app.get("/v1/checks/:ref/logs", async (context) => {
    const gates = await keptLogs(routes, context);
    const named = context.req.query("gate");
    const wanted = gates.filter(({ gate }) => named === undefined || gate === named);
    if (named !== undefined && wanted.length === 0) throw noGate(named, gates);
    const logs: CheckLogsView = [];
    for (const { gate, logFile, tail } of wanted) {
      const text =
        logFile === undefined
          ? ""
          : await routes.ports.sessionFiles.logTail({ logFile, maxBytes: LOG_MAX_BYTES });
      // Old logs are thrown away before the result is; its end is kept with the result.
      logs.push({ gate, text: text === "" ? tail : text });
    }
    return context.json(logs);
  });
}

type Named = {
  queue: Queue;
  run: Run | undefined;
  /** The entries of that commit, the newest first: one that was just queued has no result yet. */
  tried: (Entry | PastEntry)[];
};

async function named(routes: Routes, context: Request): Promise<Named> {
  const { name } = await projectFor(routes, context);
  const ref = context.req.param("ref") ?? "";
  const queue = (await routes.store.load(queueAggregate(name)))?.state;
  assert(queue?.kind === "queue", `project ${name} has no merge queue`);
  const all = [...queue.past, ...queue.entries];
  const run = await runNamed(routes.store, name, ref);
  const meant =
    run === undefined ? entryNamed(all, ref) : all.findLast(({ branch }) => branch === run.branch);
  // A result of older commits says nothing of those that are queued now.
  const tried = all.filter(({ branch, head }) => branch === meant?.branch && head === meant.head);
  return { queue, run, tried: tried.toReversed() };
}

/** Of a run and what the queue found with its branch; else of an entry, or of the target. */
async function keptLogs(routes: Routes, context: Request): Promise<KeptLog[]> {
  const { queue, run, tried } = await named(routes, context);
  if (context.req.param("ref") === TARGET_REF) return logsOfTarget(queue);
  // Without either, the error names what is known of runs.
  if (tried.length === 0) return logsOfRun(run ?? (await runFor(routes, context)));
  const ofQueue = tried.map((entry) => logsOfEntry(queue, entry)).find((logs) => logs.length > 0);
  return [...(run === undefined ? [] : logsOfRun(run)), ...(ofQueue ?? [])];
}

const noGate = (named: string, gates: { gate: string }[]): OperationError =>
  new OperationError(`no gate "${named}" ran in the last check`, {
    code: "not-found",
    hint:
      gates.length === 0
        ? "nothing has run yet: see `pawl ci status`"
        : `those that ran: ${gates.map(({ gate }) => gate).join(", ")}`,
  });
