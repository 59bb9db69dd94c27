// Routes about checkpoints: list, show, compare, restore; and recovering those of a lost machine.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Hono } from "hono";
import { z } from "zod";
import {
  recoverSchema,
  restoreSchema,
  type CheckpointContentView,
  type CheckpointView,
  type RecoveredView,
  type RestoredView,
} from "../../api/checkpoints.ts";
import type { Commit } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { isLive } from "../../core/session/session.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { CheckpointEntry } from "../../ports/checkpoints.ts";
import { checkpointsOf, findCheckpoint, ownerOf, type Owner } from "./find-checkpoint.ts";
import { iso } from "../views/agents.ts";
import { aggregateOf, bodyOf, engineOf, projectFor, type Routes } from "./context.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 10_000;

const listQuery = z.object({
  limit: z.coerce.number().int().positive().max(LIMIT_MAX).default(LIMIT_DEFAULT),
});
const diffQuery = z.object({ from: z.coerce.number().int().positive().optional() });

export function addCheckpoints(app: Hono, routes: Routes): void {
  app.get("/v1/checkpoints/:ref", async (context) => {
    const { limit } = listQuery.parse(context.req.query());
    const owner = await ownerOf(routes, context);
    const base = baseOf(owner, 1);
    const entries = await owner.checkpoints.list({
      identity: owner.identity,
      limit,
      ...(base === undefined ? {} : { base }),
    });
    return context.json(entries.map((entry) => view(owner, entry)));
  });

  app.get("/v1/checkpoints/:ref/:number", async (context) => {
    const owner = await ownerOf(routes, context);
    const entry = await findCheckpoint(owner, context.req.param("number"));
    const { head, branch, ...rest } = await owner.checkpoints.content(entry.commit);
    const content: CheckpointContentView = {
      ...view(owner, entry),
      head: head ?? null,
      branch: branch ?? null,
      ...rest,
    };
    return context.json(content);
  });

  app.get("/v1/checkpoints/:ref/:number/diff", async (context) => {
    const owner = await ownerOf(routes, context);
    const { commit, number } = await findCheckpoint(owner, context.req.param("number"));
    const { from } = diffQuery.parse(context.req.query());
    const older =
      from === undefined
        ? baseOf(owner, number)
        : (await findCheckpoint(owner, String(from))).commit;
    const range = older === undefined ? { commit } : { commit, from: older };
    return context.json(await owner.checkpoints.diff(range));
  });

  app.post("/v1/checkpoints/:ref/:number/restore", async (context) => {
    const body = await bodyOf(context, restoreSchema);
    const owner = await ownerOf(routes, context);
    const entry = await findCheckpoint(owner, context.req.param("number"));
    const path = body.into_workspace
      ? await restoreInto(routes, owner, entry)
      : await restoreTo(routes, { owner, entry, to: body.to });
    const { skipped, partial } = await owner.checkpoints.content(entry.commit);
    const { identity } = owner;
    const restored: RestoredView = { identity, number: entry.number, path, skipped, partial };
    return context.json(restored);
  });

  addRecover(app, routes);
}

function addRecover(app: Hono, routes: Routes): void {
  app.post("/v1/recover", async (context) => {
    const { from } = await bodyOf(context, recoverSchema);
    engineOf(routes);
    const project = await projectFor(routes, context);
    const own = await routes.ports.project(project.name);
    // The hub must know the target before a branch can be compared with it.
    await own.git.fetchTarget();
    const found = await checkpointsOf(own).recover({ from });
    const views: RecoveredView[] = found.map(({ branch, at, ...one }) => ({
      ...one,
      branch: branch ?? null,
      at: iso(at),
    }));
    return context.json(views);
  });
}

/** The first one has none before it, and its agent may have committed already. */
const baseOf = ({ run }: Owner, number: number): Commit | undefined =>
  number === 1 && run?.attempt === 1 ? run.base : undefined;

const view = ({ identity }: Owner, entry: CheckpointEntry): CheckpointView => {
  const { number, commit, at, reason, files, skipped } = entry;
  return { identity, number, commit, at: iso(at), reason, files, skipped_count: skipped };
};

async function restoreTo(
  { paths }: Routes,
  { owner, entry, to }: { owner: Owner; entry: CheckpointEntry; to: string | undefined },
): Promise<string> {
  const name = `${owner.identity}-${entry.number}`;
  const path = to ?? freePath(join(paths.restored(owner.project), name));
  const workspaces = join(paths.project(owner.project), "workspaces");
  if (path.startsWith(`${workspaces}/`)) throw intoWorkspaces(path);
  await owner.checkpoints.restoreTo({ commit: entry.commit, path });
  return path;
}

function freePath(path: string): string {
  let number = 1;
  while (existsSync(number === 1 ? path : `${path}.${number}`)) number += 1;
  return number === 1 ? path : `${path}.${number}`;
}

const intoWorkspaces = (path: string): OperationError =>
  new OperationError(`cannot restore into ${path}: it is among the agents' workspaces`, {
    code: "usage",
    hint: "name another folder, or use --into-workspace",
  });

async function restoreInto(
  routes: Routes,
  owner: Owner,
  { commit, number }: CheckpointEntry,
): Promise<string> {
  const workspace = routes.paths.workspace(owner.project, owner.identity);
  const mayBegin = async (): Promise<boolean> => !isLive((await current(routes, owner))?.session);
  const { identity } = owner;
  const request = { commit, workspace, identity, mayBegin };
  if ((await owner.checkpoints.restoreInto(request)) === "restored") return workspace;
  throw new OperationError(
    `cannot restore checkpoint ${number} into ${workspace}: ${identity} is at work there`,
    {
      code: "session-lives",
      hint: `end it with \`pawl stop ${identity}\`, or restore into a new folder`,
    },
  );
}

async function current(routes: Routes, { run }: Owner): Promise<Run | undefined> {
  if (run === undefined) return undefined;
  const stored = await routes.store.load(aggregateOf(run));
  return stored?.state.kind === "run" ? stored.state : undefined;
}
