// What patrols want done: components started again, the outside looked at, orphans settled. Each
// looks again before it acts: what was seen may have changed since.
import type { OrphanFact } from "../../core/patrol/orphan.ts";
import { operationUnknown, requeued } from "../../core/words/patrol.ts";
import { runAggregate, runId } from "../../core/ids.ts";
import { LABELS } from "../../core/issue.ts";
import { isOver, type Run } from "../../core/run/run.ts";
import { currentProject, type EffectContext, type Executors } from "./executor.ts";

const GRACE_MS = 10_000;

type FactOf<K extends OrphanFact["kind"]> = Extract<OrphanFact, { kind: K }>;

export const patrolEffects: Executors<
  "restart-component" | "look-outside" | "settle-orphan" | "fix-leftovers" | "renew-daemon"
> = {
  // Found again by the next daemon, it means the one before.
  "renew-daemon": async ({ since }, { keeper }) => {
    if (keeper?.since === since) keeper.renew();
    return undefined;
  },

  "fix-leftovers": async (_effect, context) => {
    const { note } = await context.fix();
    return { kind: "leftovers-fixed", at: context.now(), note };
  },

  "restart-component": async ({ component }, context) => {
    await context.restart(component);
    return { kind: "component-restarted", at: context.now(), component };
  },

  "look-outside": async (_effect, context) => {
    await context.restart("observer");
    return undefined;
  },

  "settle-orphan": async ({ orphan, incident }, context) => {
    if (incident !== undefined) {
      await context.own.forge.createIssue({
        ...incident,
        labels: ["incident"],
        author: "pawl",
        key: `${context.key}:incident`,
      });
    }
    const note = await settle(orphan, context);
    return { kind: "orphan-settled", at: context.now(), key: orphan.key, note };
  },
};

async function settle(orphan: OrphanFact, context: EffectContext): Promise<string> {
  switch (orphan.kind) {
    case "issue":
      return settleIssue(orphan, context);
    case "session":
      return endSession(orphan, context);
    case "identity":
      await context.restart("sessions");
      return `${orphan.identity} is watched again`;
    case "entry":
      return `entry ${orphan.entry} was removed`;
  }
}

/** How its last run ended did not reach the forge: it is said again. */
async function settleIssue(orphan: FactOf<"issue">, context: EffectContext): Promise<string> {
  const { issue, ended } = orphan;
  const { own, key } = context;
  if (await isHeld(orphan, context)) return `#${issue} has an owner after all`;
  const removeLabels = [LABELS.inProgress];
  if (orphan.action !== undefined) return settleAction(orphan, context);
  if (ended === "landed") {
    await own.forge.editIssue(issue, { removeLabels, state: "closed" });
    return `#${issue} had landed, and is closed`;
  }
  if (ended === undefined) {
    await own.forge.comment({ issue, body: requeued(), author: "pawl", key });
  }
  const isBlocked = ended === "blocked";
  const addLabels = [LABELS.backlog, ...(isBlocked ? [LABELS.blocked] : [])];
  await own.forge.editIssue(issue, { addLabels, removeLabels });
  // The project looks now, so that a new run need not wait for the next look.
  await context.restart("observer");
  return isBlocked ? `#${issue} is blocked, as its run was` : `#${issue} is back in the backlog`;
}

async function isHeld({ issue, claim }: FactOf<"issue">, context: EffectContext): Promise<boolean> {
  const { forge } = context.own;
  const { active, leaving } = await currentProject(context);
  if ([...active, ...leaving].some((run) => run.issue === issue)) return true;
  const now = await forge.issue(issue);
  if (now?.state !== "open" || !now.labels.includes(LABELS.inProgress)) return true;
  return claim !== undefined && (await forge.claimOf(issue))?.key !== claim;
}

/** An operation with an unknown outcome is never repeated. */
async function settleAction(
  { issue, action }: FactOf<"issue">,
  { own, key, restart }: EffectContext,
): Promise<string> {
  const removeLabels = [LABELS.inProgress];
  if (action === "unbegun") {
    await own.forge.editIssue(issue, { removeLabels });
    await restart("observer");
    return `#${issue} was claimed but never started, and is free again`;
  }
  if (action === "done") {
    await own.forge.editIssue(issue, { removeLabels, state: "closed" });
    return `#${issue} was done, and is closed`;
  }
  if (action === "unknown") {
    await own.forge.comment({ issue, body: operationUnknown(), author: "pawl", key });
  }
  await own.forge.editIssue(issue, { addLabels: [LABELS.blocked], removeLabels });
  return `#${issue} is blocked${action === "unknown" ? ": it is unknown how far it got" : ", as its operation was"}`;
}

/** Its work is saved first, where its workspace is known. */
async function endSession(orphan: FactOf<"session">, context: EffectContext): Promise<string> {
  const { ports, paths, project, own, store } = context;
  const { epoch, tmuxSession } = orphan;
  const id = runId(orphan.run);
  const stored = (await store.load(runAggregate(project, id)))?.state;
  const run: Run | undefined = stored?.kind === "run" ? stored : undefined;
  if (run !== undefined && !isOver(run) && epoch >= run.epoch) return "it has a run after all";
  if (run !== undefined) {
    const { identity } = run;
    const workspace = paths.workspace(project, identity);
    await own.git.checkpoint({ workspace, identity, reason: "before an orphan is ended" });
  }
  await ports.terminal.end({
    tmuxSession,
    process: undefined,
    marks: { project, run: orphan.run, epoch, dir: paths.session(project, id, epoch) },
    graceMs: GRACE_MS,
  });
  return `session ${orphan.run}/${epoch} was ended`;
}
