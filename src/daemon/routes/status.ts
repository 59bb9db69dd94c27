// Routes about the factory as a whole: status, signals, registering, ending.
import type { Hono } from "hono";
import { z } from "zod";
import { projectName, type ProjectName } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { SIGNAL_KINDS, type SignalKind } from "../../core/signal.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { SignalView } from "../../api/signals.ts";
import type { StoredSignal } from "../../ports/store.ts";
import { activityOf } from "../views/activity.ts";
import { iso } from "../views/agents.ts";
import { BacklogDigests } from "../views/backlog-digests.ts";
import { freshProject } from "../views/fresh-project.ts";
import { worksOf } from "../views/progress.ts";
import { statusView, type StatusContext } from "../views/status.ts";
import { bodyOf, engineOf, loadProject, onlyProject, type Routes } from "./context.ts";
import { NEXT_HEADER } from "./paging.ts";
import { terminalOf } from "./terminal-of.ts";

const SIGNALS_MAX = 1000;

const signalQuery = z.object({
  after: z.coerce.number().int().nonnegative().optional(),
  limit: z.coerce.number().int().min(1).max(SIGNALS_MAX).default(SIGNALS_MAX),
  project: z.string().optional(),
});

const signalView = ({
  seq,
  kind,
  at,
  project,
  identity,
  run,
  detail,
}: StoredSignal): SignalView => ({
  seq,
  kind,
  at: iso(at),
  project,
  identity: identity ?? null,
  run: run ?? null,
  detail,
});

/** A daemon keeps the backlog that the journal has fresh. */
function fresh(routes: Routes): { refresh?: (project: Project) => Promise<Project> } {
  if (routes.daemon !== null) return {};
  return {
    refresh: async ({ name }) => freshProject(routes, await loadProject(routes, name)),
  };
}

function statusContext(routes: Routes): Omit<StatusContext, "project"> {
  const { store, paths, ports, version, daemon } = routes;
  const { observe } = routes.engine ?? {};
  const looks =
    daemon === null || observe === undefined
      ? {}
      : {
          source: (name: ProjectName) => observe.webhooks.source(name),
          lookedAt: (name: ProjectName) => observe.lookedAt(name),
          works: (name: ProjectName) => worksOf(ports, name),
        };
  return {
    store,
    paths,
    version,
    daemon,
    trouble: (name) => observe?.trouble(name),
    slow: (name) => observe?.slow(name),
    now: ports.clock.now(),
    terminal: terminalOf(routes),
    ...looks,
    ...fresh(routes),
  };
}

export function addStatus(app: Hono, routes: Routes): void {
  const { store, ports } = routes;
  const digests = new BacklogDigests();

  app.get("/v1/ping", (context) =>
    context.json({ version: routes.version, daemon: routes.daemon }),
  );

  app.get("/v1/status", async (context) => {
    const project = await onlyProject(routes, context);
    const isDrawn = context.req.query("activity") === "true";
    const drawn = isDrawn ? { activity: activityOf(store, ports.clock.now()) } : {};
    const isLiving = context.req.query("runs") === "living";
    const told = { ...statusContext(routes), ...drawn, isLiving, digests, project };
    return context.json(await statusView(told));
  });

  app.get("/v1/signals", async (context) => {
    const { after, limit, project } = signalQuery.parse(context.req.query());
    const kinds = context.req.queries("kind")?.map(signalKind);
    const signals = await store.signals({
      ...(after === undefined ? {} : { afterSeq: after }),
      ...(kinds === undefined ? {} : { kinds }),
      ...(project === undefined ? {} : { projects: [projectName(project)] }),
      limit,
    });
    const last = signals.at(-1);
    // Without `after` these are the newest: none follows.
    if (after !== undefined && last !== undefined && signals.length === limit) {
      context.header(NEXT_HEADER, String(last.seq));
    }
    return context.json(signals.map(signalView));
  });

  app.post("/v1/projects", async (context) => {
    const { folder } = await bodyOf(context, z.object({ folder: z.string() }));
    if (routes.register === undefined) engineOf(routes);
    // `pawl init` is how an operator agrees to the remote that the repository has now.
    const name = await routes.register?.(folder, { agrees: true });
    if (name === undefined) throw new OperationError("cannot register here", { code: "read-only" });
    const project = await loadProject(routes, name);
    return context.json({ name: project.name, root: project.root });
  });

  app.post("/v1/daemon/stop", async (context) => {
    const { killAgents } = await bodyOf(context, z.object({ killAgents: z.boolean() }));
    await routes.shutDown?.({ killAgents });
    return context.json({ stopped: routes.shutDown !== undefined });
  });
}

function signalKind(text: string): SignalKind {
  const kind = SIGNAL_KINDS.find((one) => one === text.toUpperCase());
  if (kind !== undefined) return kind;
  throw new OperationError(`"${text}" is not a signal`, {
    code: "usage",
    hint: `one of: ${SIGNAL_KINDS.join(", ")}`,
  });
}
