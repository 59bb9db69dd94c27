// Routes about identities: the registry, what lives without an owner, and hooks.
import type { Hono } from "hono";
import type { AgentView } from "../../api/agents.ts";
import { hookRecord } from "../../core/run/hook-record.ts";
import { agentView } from "../views/agents.ts";
import { daemonView } from "../views/daemon.ts";
import { orphans } from "../views/orphans.ts";
import { runFor, runs, type Routes } from "./context.ts";

export function addAgents(app: Hono, routes: Routes): void {
  const { paths, ports } = routes;

  app.get("/v1/agents", async (context) => {
    const all = await runs(routes);
    if (context.req.query("orphan") === "true") {
      return context.json(await orphans(all, { ports, paths }));
    }
    const now = ports.clock.now();
    const byIdentity = new Map<string, AgentView>();
    // Later attempts come later, and take the place of earlier ones.
    for (const run of all) {
      const view = agentView(run, { paths, now });
      if (view !== undefined) byIdentity.set(`${run.project}/${run.identity}`, view);
    }
    const daemon = await daemonView(routes);
    return context.json([...(daemon === undefined ? [] : [daemon]), ...byIdentity.values()]);
  });

  app.get("/v1/runs/:ref/hook", async (context) =>
    context.json(hookRecord(await runFor(routes, context))),
  );
}
