// Routes about identities: the registry, what lives without an owner, and hooks.
import type { Hono } from "hono";
import type { AgentView } from "../../api/agents.ts";
import { hookRecord } from "../../core/run/hook-record.ts";
import { agentList, listedRuns, type Probe } from "../views/agent-list.ts";
import { livingRuns } from "../views/find-runs.ts";
import { orphans } from "../views/orphans.ts";
import { runFor, type Routes } from "./context.ts";
import { page } from "./paging.ts";

const keyOf = ({ project, identity, run, epoch }: AgentView): string =>
  `${project}/${identity}/${run ?? ""}/${epoch}`;

export function addAgents(app: Hono, routes: Routes): void {
  const { paths, ports } = routes;

  app.get("/v1/agents", async (context) => {
    if (context.req.query("orphan") === "true") {
      const found = await orphans(await livingRuns(routes.store), { ports, paths });
      return page(context, found, keyOf);
    }
    const { store, daemon } = routes;
    const probe: Probe = (id) => ports.terminal.probe(id);
    const now = ports.clock.now();
    const isEveryLife = context.req.query("lives") === "true";
    const isPastToo = isEveryLife || context.req.query("all") === "true";
    const all = await listedRuns(store, { isPastToo });
    const isWatched = daemon !== null;
    const rows = await agentList(all, { store, paths, now, probe, isWatched, isEveryLife });
    return page(context, rows, keyOf);
  });

  app.get("/v1/runs/:ref/hook", async (context) =>
    context.json(hookRecord(await runFor(routes, context))),
  );
}
