// Routes about identities: the registry, what lives without an owner, and hooks.
import type { Hono } from "hono";
import type { AgentView } from "../../api/agents.ts";
import { hookRecord } from "../../core/run/hook-record.ts";
import type { Run } from "../../core/run/run.ts";
import type { Ports } from "../engine/ports.ts";
import { agentView, iso } from "../views/agents.ts";
import { daemonView } from "../views/daemon.ts";
import { orphans } from "../views/orphans.ts";
import { runFor, runs, type Routes } from "./context.ts";

/** What is known of a session may be old; a process that lives is neither terminated nor unseen. */
async function lookedAt(view: AgentView, run: Run, { terminal, clock }: Ports): Promise<AgentView> {
  const { session } = run;
  if (session?.process === undefined || session.status === "ended") return view;
  const probed = await terminal.probe(session.process);
  if (probed === "dead") return { ...view, liveness: "red" };
  if (probed !== "alive") return view;
  return { ...view, status: "active", liveness: "green", last_seen: iso(clock.now()) };
}

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
      if (view === undefined) continue;
      // Nobody has looked since the daemon went: whether the process lives is asked now.
      const seen = routes.daemon === null ? await lookedAt(view, run, ports) : view;
      byIdentity.set(`${run.project}/${run.identity}`, seen);
    }
    const daemon = await daemonView(routes);
    return context.json([...(daemon === undefined ? [] : [daemon]), ...byIdentity.values()]);
  });

  app.get("/v1/runs/:ref/hook", async (context) =>
    context.json(hookRecord(await runFor(routes, context))),
  );
}
