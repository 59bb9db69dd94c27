// Routes about identities: the registry, what lives without an owner, and hooks.
import type { Hono } from "hono";
import { hookRecord } from "../../core/run/hook-record.ts";
import { agentList, type Probe } from "../views/agent-list.ts";
import { orphans } from "../views/orphans.ts";
import { runFor, runs, type Routes } from "./context.ts";

export function addAgents(app: Hono, routes: Routes): void {
  const { paths, ports } = routes;

  app.get("/v1/agents", async (context) => {
    const all = await runs(routes);
    if (context.req.query("orphan") === "true") {
      return context.json(await orphans(all, { ports, paths }));
    }
    const { store, daemon } = routes;
    const probe: Probe = (id) => ports.terminal.probe(id);
    const now = ports.clock.now();
    return context.json(
      await agentList(all, { store, paths, now, probe, isWatched: daemon !== null }),
    );
  });

  app.get("/v1/runs/:ref/hook", async (context) =>
    context.json(hookRecord(await runFor(routes, context))),
  );
}
