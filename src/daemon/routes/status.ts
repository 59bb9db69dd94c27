// Routes about the factory as a whole: status, agents, signals, registering, ending.
import type { Hono } from "hono";
import { z } from "zod";
import { SIGNAL_KINDS, type SignalKind } from "../../core/signal.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { agentView } from "../views/agents.ts";
import { statusView } from "../views/status.ts";
import { engineOf, loadProject, projectFor, type Routes } from "./context.ts";

const SIGNALS_MAX = 1000;

export function addStatus(app: Hono, routes: Routes): void {
  const { store, paths, ports } = routes;

  app.get("/v1/ping", (context) =>
    context.json({ version: routes.version, daemon: routes.daemon }),
  );

  app.get("/v1/status", async (context) => {
    const all = context.req.query("all") === "true";
    const only = all ? undefined : (await projectFor(routes, context)).name;
    const scope = (name: string): boolean => only === undefined || name === only;
    const { version, daemon } = routes;
    const view = { store, paths, version, daemon, scope, now: ports.clock.now() };
    return context.json(await statusView(view));
  });

  app.get("/v1/agents", async (context) => {
    const now = ports.clock.now();
    const stored = await store.aggregates();
    const runs = stored.flatMap(({ state }) => (state.kind === "run" ? [state] : []));
    return context.json(runs.flatMap((run) => agentView(run, { paths, now }) ?? []));
  });

  app.get("/v1/signals", async (context) => {
    const after = context.req.query("after");
    const kinds = context.req.queries("kind")?.map(signalKind);
    const signals = await store.signals({
      ...(after === undefined ? {} : { afterSeq: Number(after) }),
      ...(kinds === undefined ? {} : { kinds }),
      limit: SIGNALS_MAX,
    });
    return context.json(signals);
  });

  app.post("/v1/projects", async (context) => {
    const { folder } = z.object({ folder: z.string() }).parse(await context.req.json());
    if (routes.register === undefined) engineOf(routes);
    const name = await routes.register?.(folder);
    if (name === undefined) throw new OperationError("cannot register here", { code: "read-only" });
    const project = await loadProject(routes, name);
    return context.json({ name: project.name, root: project.root });
  });

  app.post("/v1/daemon/stop", async (context) => {
    const { killAgents } = z.object({ killAgents: z.boolean() }).parse(await context.req.json());
    await routes.shutDown?.({ killAgents });
    return context.json({ stopped: routes.shutDown !== undefined });
  });
}

function signalKind(text: string): SignalKind {
  const kind = SIGNAL_KINDS.find((one) => one === text.toUpperCase());
  if (kind !== undefined) return kind;
  throw new OperationError(`"${text}" is not a signal`, {
    code: "bad-signal",
    hint: `one of: ${SIGNAL_KINDS.join(", ")}`,
  });
}
