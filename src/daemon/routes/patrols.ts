// Routes about patrols: their state, a round now, a restart, and sessions that have not begun; and
// the nudge that starts those.
import type { Hono } from "hono";
import {
  nudgeSchema,
  patrolNameSchema,
  patrolRequestSchema,
  restartNameSchema,
  type PendingView,
} from "../../api/patrols.ts";
import { patrolAggregate } from "../../core/ids.ts";
import { PATROL_NAMES } from "../../core/patrol/patrol.ts";
import { pendingSpawns } from "../patrol/pending-spawns.ts";
import { livingRuns } from "../views/find-runs.ts";
import { patrolView } from "../views/patrols.ts";
import { runView } from "../views/runs.ts";
import {
  aggregateOf,
  bodyOf,
  engineOf,
  mustGoOn,
  projectFor,
  projects,
  runFor,
  scopeOf,
  type Routes,
} from "./context.ts";

export function addPatrols(app: Hono, routes: Routes): void {
  app.get("/v1/patrols", async (context) => {
    const isWanted = await scopeOf(routes, context);
    const wanted = (await projects(routes)).filter(({ name }) => isWanted(name));
    const views = wanted.flatMap((project) =>
      PATROL_NAMES.map((name) => patrolView(routes, project, name)),
    );
    return context.json(await Promise.all(views));
  });

  app.get("/v1/patrols/pending", async (context) => {
    const isWanted = await scopeOf(routes, context);
    const wanted = (await projects(routes)).filter(({ name }) => isWanted(name));
    const found: PendingView[] = [];
    for (const { name: project } of wanted) {
      for (const one of await pendingSpawns(await livingRuns(routes.store, project), routes)) {
        const { sinceMs, ...rest } = one;
        found.push({ project, ...rest, since_s: Math.round(sinceMs / 1000) });
      }
    }
    return context.json(found);
  });

  app.post("/v1/patrols/:name/run", async (context) => {
    const name = patrolNameSchema.parse(context.req.param("name"));
    const project = await projectFor(routes, context);
    await engineOf(routes).patrols.round(project.name, name);
    return context.json(await patrolView(routes, project, name));
  });

  addRestart(app, routes);

  app.post("/v1/runs/:ref/nudge", async (context) => {
    const run = await runFor(routes, context);
    mustGoOn(run, "nudge");
    const { by, text } = await bodyOf(context, nudgeSchema);
    const { ports, paths, store } = routes;
    const event = { kind: "run-nudged", at: ports.clock.now(), by, text } as const;
    await engineOf(routes).loop.submit({ to: aggregateOf(run), event });
    const stored = (await store.load(aggregateOf(run)))?.state;
    return context.json(
      runView(stored?.kind === "run" ? stored : run, { paths, now: ports.clock.now() }),
    );
  });
}

function addRestart(app: Hono, routes: Routes): void {
  app.post("/v1/patrols/:name/restart", async (context) => {
    const name = restartNameSchema.parse(context.req.param("name"));
    const { by } = await bodyOf(context, patrolRequestSchema);
    const { name: project } = await projectFor(routes, context);
    const engine = engineOf(routes);
    const at = routes.ports.clock.now();
    if (name !== "deacon" && name !== "witness") {
      const wanted = { at, project, component: name, by };
      await engine.loop.submit({
        to: patrolAggregate(project, "deacon"),
        event: { kind: "component-restart-requested", ...wanted },
      });
      return context.json(await patrolView(routes, await projectFor(routes, context), "deacon"));
    }
    const event = { kind: "patrol-restarted", at, project, name, by } as const;
    await engine.loop.submit({ to: patrolAggregate(project, name), event });
    await engine.patrols.round(project, name, true);
    return context.json(await patrolView(routes, await projectFor(routes, context), name));
  });
}
